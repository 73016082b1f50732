import PoolCore
import PoolModel
import Synchronization

/// An operation that consists of others: a graph with one outcome.
///
/// ```swift
/// let group = try PoolGroupOperation(operations: [fetch, decode])
/// try report.addDependency(group)
/// try queue.addOperations([group, report])
/// ```
///
/// Its operations wait until it executes; then they are executed by the same workers as those of
/// its queue, beside the queue's width, of which the group takes one slot for itself. It finishes
/// when all of them have: it has succeeded if all have, and fails, with the cause `member`, if one
/// has not. Operations in a group may depend on others outside and the other way round, groups may
/// be in groups, and more operations can be added until it has finished. A cycle that goes through
/// a group is refused like any other.
///
/// Cancelling it cancels its operations, and so does its timeout. Its operations inherit what
/// quality of service and what callback queue hold for the group; what they retry is their own
/// affair, so that the group itself is never executed twice.
///
/// `@unchecked Sendable` as its superclass is: what is stored is behind a lock.
public final class PoolGroupOperation: PoolOperation, @unchecked Sendable {
  /// Its lock may be taken while the engine's is held, and never the other way round.
  let roster = Mutex(Roster())

  struct Roster {
    var members: [PoolOperation] = []
    /// The members' inputs, until they enter the inner queue.
    var payloads: [[UInt8]] = []
    var width = PoolOperationQueue.defaultMaxConcurrentOperationCount
    /// What the members are executed from, once they are.
    var inner: QueueCore?
    /// Whether it takes no more operations.
    var isClosed = false
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
    super.init(kind: InProcessWorker.groupKind, options)
    try addOperations(operations)
  }

  deinit {
    // It was never executed, and never will be: its operations may be used otherwise.
    let (members, isLoose) = roster.withLock { ($0.members, $0.inner == nil && !$0.isClosed) }
    guard isLoose else { return }
    for member in members { member.leaveQueue() }
  }

  /// Its operations, in the order in which they were added; finished ones stay.
  public var operations: [PoolOperation] { roster.withLock { $0.members } }

  /// How many slots of its operations workers may have at once; any negative number is the default.
  public var maxConcurrentOperationCount: Int {
    get { roster.withLock { $0.width } }
    set {
      let width = newValue < 0 ? PoolOperationQueue.defaultMaxConcurrentOperationCount : newValue
      OperationRegistry.process.update { transaction in
        let inner = roster.withLock { roster in
          roster.width = width
          return roster.inner
        }
        if let inner { transaction.setWidth(width, of: inner.id) }
      }
    }
  }

  override var hasMembers: Bool { true }

  override func specify(_ spec: inout OperationSpec) { spec.role = .executedGroup }

  override func inProcessBody() -> InProcessBody {
    .group { [self] in try await execute() }
  }

  override func unfinishedMemberCount(_ transaction: borrowing PoolEngine.Transaction) -> Int {
    operations.reduce(0) { $0 + $1.unfinishedCount(transaction) }
  }

  override func cancelMembers() {
    let (members, inner) = roster.withLock { ($0.members, $0.inner) }
    OperationRegistry.process.update { transaction in
      for member in members { member.markCancelled(by: .group) }
      // All at once, so that none is skipped because another was cancelled first.
      if let inner { return transaction.cancelAll(in: inner.id) }
      for member in members { _ = transaction.cancel(member.register(&transaction)) }
    }
    for member in members { member.cancelMembers() }
  }

  override func concludeMembers(in queue: QueueCore?) {
    // Under the engine's lock: an operation that another thread adds meanwhile is a member by now.
    let (former, isEmpty) = OperationRegistry.process.update { _ in
      roster.withLock { roster in
        // Handed out, so that its end does not come under the lock, which that takes, too.
        defer { roster.inner = nil }
        roster.isClosed = true
        return (roster.inner, roster.members.isEmpty)
      }
    }
    guard former == nil, !isEmpty, let queue else { return }
    // The group ended without having executed: its operations must end, too.
    let inner = QueueCore(inside: queue)
    cancelMembers()
    // A cycle through a barrier among them leaves them outside, marked as cancelled.
    try? OperationRegistry.process.update { transaction throws(PoolError) in
      try admitAll(to: inner, &transaction)
      // Its members keep it until they have ended; a group that is kept keeps no workers.
      roster.withLock { $0.inner = nil }
    }
  }
}
