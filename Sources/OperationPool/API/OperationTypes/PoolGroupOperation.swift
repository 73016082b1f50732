import PoolCore
import PoolModel
import Synchronization

/// An operation with members: a graph of operations with one outcome.
///
/// ```swift
/// let group = try PoolGroupOperation(operations: [fetch, decode])
/// try report.addDependency(group)
/// try queue.addOperations([group, report])
/// ```
///
/// Its members wait until its dependencies have ended and its conditions hold; from then on it
/// executes. It holds nothing: its members take the slots of its queue, and of its own width where
/// it has one, and what it claims, by an exclusive category or a limit, each member claims. So the
/// members of two groups in a serial queue are executed one at a time, by priority and order; for a
/// strict order of groups, let one depend on the other.
///
/// The group finishes when all members have finished: it succeeds if all have succeeded, and
/// otherwise fails with the cause `member`, unless it was cancelled, skipped or timed out. One
/// without members finishes at once. Its priority orders nothing: that of each member counts.
/// Members may depend on operations outside the group, and the other way round; groups may contain
/// groups; and members can be added until the group has finished. A cycle through a group is
/// refused like any other. Barriers among the members hold for them alone, and the group takes its
/// place among the barriers of its queue.
///
/// Cancelling the group cancels its members, and so does its timeout, which begins with its first
/// member; they have ended when the group has. Members inherit the group's quality of service when
/// they enter the queue. Members are retried individually; the group itself never is.
///
/// `@unchecked Sendable` like its superclass: its own state is behind a lock.
public final class PoolGroupOperation: PoolOperation, @unchecked Sendable {
  /// This lock may be taken while the engine's is held, never in the other order.
  let roster = Mutex(Roster())

  struct Roster {
    var members: [PoolOperation] = []
    /// The members' inputs, until they enter the queue.
    var payloads: [[UInt8]] = []
    var width = PoolOperationQueue.defaultMaxConcurrentOperationCount
    /// Whether it has entered a queue, with its members.
    var hasEntered = false
  }

  /// Makes a group of these operations.
  ///
  /// Throws ``PoolError`` as ``addOperations(_:)`` does.
  public init(
    options: PoolOperationOptions = PoolOperationOptions(),
    operations: [PoolOperation] = []
  ) throws(PoolError) {
    var options = options
    options.retryPolicy = .never
    super.init(kind: "opool.group", options)
    if !operations.isEmpty { try addOperations(operations) }
  }

  deinit {
    // Releasing groups in groups must not recurse as deep as they are.
    var orphans = takeMembers()
    while var orphan = orphans.popLast() {
      guard isKnownUniquelyReferenced(&orphan), let group = orphan as? PoolGroupOperation else {
        continue
      }
      orphans += group.takeMembers()
    }
  }

  /// Removes the members; those of a group that never was in a queue may be used elsewhere.
  private func takeMembers() -> [PoolOperation] {
    let (members, haveEntered) = roster.withLock { roster in
      defer { roster.members = [] }
      return (roster.members, roster.hasEntered)
    }
    if !haveEntered { for member in members { member.leaveQueue() } }
    return members
  }

  /// Its members, in the order in which they were added; finished ones stay.
  public var operations: [PoolOperation] { roster.withLock { $0.members } }

  /// Maximum number of slots that its members take at once, those of groups among them included;
  /// any negative number means the default.
  ///
  /// It may change at any time. Where the group has no width yet, members that a worker has do not
  /// count for the first one before their next attempt.
  public var maxConcurrentOperationCount: Int {
    get { roster.withLock { $0.width } }
    set {
      let width = newValue < 0 ? PoolOperationQueue.defaultMaxConcurrentOperationCount : newValue
      OperationRegistry.process.update { transaction in
        roster.withLock { $0.width = width }
        let resource = life.withLock { $0.hasColdState ? $0.widthResource : nil }
        if let resource { return transaction.setCapacity(width, of: resource) }
        let id = register(&transaction)
        guard width < .max, transaction.phase(of: id) != .finished else { return }
        let new = transaction.addWidth(width, to: id)
        life.withLock { $0.widthResource = new }
      }
    }
  }

  override var hasMembers: Bool { true }

  override func specify(_ spec: inout OperationSpec) { spec.role = .gatedGroup }

  override func memberEntries(inheriting quality: PoolQualityOfService) -> [QueueEntry] {
    let (members, payloads) = roster.withLock { ($0.members, $0.payloads) }
    return entries(of: members, payloads, inheriting: quality)
  }

  /// What enters a queue as a member; the quality of service is that of the enclosing groups.
  func entries(
    of members: [PoolOperation],
    _ payloads: [[UInt8]],
    inheriting quality: PoolQualityOfService
  ) -> [QueueEntry] {
    let own = qualityOfService
    let handedDown = own == .default ? quality : own
    return zip(members, payloads).map { member, payload in
      QueueEntry(operation: member, payload: payload, group: self, quality: handedDown)
    }
  }

  override func membersEntered() {
    roster.withLock { roster in
      roster.payloads = []
      roster.hasEntered = true
    }
  }

  /// Names the member because of which the group did not succeed, with its outcome: the root,
  /// unless that is no member.
  override func memberNote(root: OperationID) -> String? {
    let led = operations.filter { $0.leads(to: root) }
    let first = led.first { $0.outcome?.ending != .skipped } ?? led.first
    return first.map { member in
      let reason = member.outcome?.failure?.description ?? "it did not end"
      return "its operation '\(member.label)' did not succeed: \(reason)"
    }
  }
}
