import PoolModel

/// What is ready, what is skipped, what is tried again, and how an end spreads.
///
/// It knows nothing of workers and of rooms. Operations whose turn has come are listed in ``due``,
/// those that have left their queues in ``departed``, and dropped queues that are empty in
/// ``emptied``, until the caller has taken them; the caller has dependents hear of ends, one at a
/// time, with ``hearNext(_:)``.
struct Graph: ~Copyable {
  private let anchor = Anchor()
  /// The records of all operations, which are lent to the dispatcher.
  var operations = OperationTable()
  var edges = DependencyGraph<OperationHandle>()
  var lists = Slab<QueueID, QueueList>()
  var groups = GroupTable()
  var retries = RetryTable()
  /// The teardown sequences of those few operations that have their own.
  var teardowns: [OperationHandle: PoolTeardownSequence] = [:]
  /// The number of the next preparation.
  var nextPreparation: UInt64 = 1
  /// What first went wrong among the dependencies of a join.
  var roots: [OperationHandle: OperationID] = [:]
  /// What must still settle because of the settlement at hand, and how much of it has; empty
  /// between events.
  var aftermath: [Aftermath] = []
  var heardCount = 0
  /// Operations whose turn has come, and how many of them the caller has taken.
  var due: [OperationHandle] = []
  var dueCount = 0
  /// Operations that have left their queues.
  var departed: [Departure] = []
  /// Dropped queues whose last operation has left.
  var emptied: [QueueID] = []

  /// Operations in queues: added and not settled; O(1).
  var unsettledCount = 0
  /// Operations that execute; O(1).
  var executingCount = 0
  /// Operations that ended so, by `PoolEnding`'s raw value.
  var endings = Array(repeating: 0, count: PoolEnding.allCases.count)

  /// A dependent of something that settled.
  struct Aftermath {
    var handle: OperationHandle
    var requirement: PoolRequirement
    var ending: PoolEnding
    /// What began it all.
    var root: OperationID
  }

  /// Whether something is to be heard or taken.
  var hasNews: Bool { !aftermath.isEmpty || !due.isEmpty || !departed.isEmpty }

  /// An operation that has left its queue, and the position that it had.
  struct Departure {
    var handle: OperationHandle
    var position: UInt32
  }

  /// The operations in a queue, in the order of submission; O(operations).
  func handles(in queue: QueueID) -> [OperationHandle] {
    var list: [OperationHandle] = []
    var handle = lists[queue].first
    while handle != .none {
      list.append(handle)
      handle = operations[handle].next
    }
    return list
  }

  /// How an operation is made to end, if it has a sequence of its own.
  func teardown(of id: OperationID) -> PoolTeardownSequence? {
    teardowns.isEmpty ? nil : operations.slot(of: id).flatMap { teardowns[$0] }
  }
}
