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
/// Its members wait until the group executes; then they are executed by the same workers as the
/// operations of its queue. They do not count towards the queue's width; the group takes
/// one slot for itself. The group finishes when all members have finished: it succeeds if all have
/// succeeded, and otherwise fails with the cause `member`. Members may depend on operations outside
/// the group, and the other way round; groups may contain groups; and members can be added until
/// the group has finished. A cycle through a group is refused like any other.
///
/// Cancelling the group cancels its members, and so does its timeout. Members inherit the group's
/// quality of service and callback queue. Members are retried individually; the group itself is
/// never executed twice.
///
/// `@unchecked Sendable` like its superclass: its own state is behind a lock.
public final class PoolGroupOperation: PoolOperation, @unchecked Sendable {
  /// This lock may be taken while the engine's is held, never in the other order.
  let roster = Mutex(Roster())

  struct Roster {
    var members: [PoolOperation] = []
    /// The members' inputs, until they enter the inner queue.
    var payloads: [[UInt8]] = []
    var width = PoolOperationQueue.defaultMaxConcurrentOperationCount
    /// The queue from which the members are executed, once the group executes.
    var inner: QueueCore?
    /// Whether its members were cancelled: then later ones are, too.
    var isCancelled = false
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
    super.init(kind: BlockWorker.groupKind, options)
    try addOperations(operations)
  }

  deinit {
    // A group that was never executed, and never will be: its operations may be used elsewhere.
    let (members, isLoose) = roster.withLock { ($0.members, $0.inner == nil && !$0.isClosed) }
    guard isLoose else { return }
    for member in members { member.leaveQueue() }
  }

  /// Its members, in the order in which they were added; finished ones stay.
  public var operations: [PoolOperation] { roster.withLock { $0.members } }

  /// Maximum number of slots that its members take at once; any negative number means the default.
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

  override func executionBody() -> ExecutionBody {
    .group { [self] in try await execute() }
  }

  override func unfinishedMemberCount(_ transaction: borrowing PoolEngine.Transaction) -> Int {
    operations.reduce(0) { $0 + $1.unfinishedCount(transaction) }
  }

  override func cancelMembers() {
    let members = OperationRegistry.process.update { transaction in
      // Under the engine's lock, under which members are added.
      let (members, inner) = roster.withLock { roster in
        roster.isCancelled = true
        return (roster.members, roster.inner)
      }
      for member in members { member.markCancelled(by: .group) }
      // All together, so that none is skipped because another was cancelled first.
      if let inner {
        transaction.cancelAll(in: inner.id)
      } else {
        for member in members { _ = transaction.cancel(member.register(&transaction)) }
      }
      return members
    }
    for member in members { member.cancelMembers() }
  }

  override func concludeMembers(in queue: QueueCore?) {
    // Under the engine's lock: an operation that another thread adds meanwhile has become a member.
    let (former, isEmpty) = OperationRegistry.process.update { _ in
      roster.withLock { roster in
        // Moved out, so that the queue is not released under the lock, which its release takes,
        // too.
        defer { roster.inner = nil }
        roster.isClosed = true
        return (roster.inner, roster.members.isEmpty)
      }
    }
    guard former == nil, !isEmpty, let queue else { return }
    // The group ended without having executed: its members must end, too.
    let inner = innerQueue(of: queue, holding: true)
    cancelMembers()
    // What it throws is about a cycle of operations that are cancelled.
    try? OperationRegistry.process.update { transaction throws(PoolError) in
      try admitAll(to: inner, &transaction)
      // The members hold the queue until they have ended; a finished group must hold no workers.
      roster.withLock { $0.inner = nil }
    }
  }
}
