package import PoolModel

/// What is ready, what is skipped, what is tried again, and how an end spreads.
///
/// It knows nothing of workers and of rooms. What the dispatcher must hear is listed as ``News``
/// until the caller has taken it; the caller has dependents hear of ends, one at a time, with
/// ``deliverNextEnd(_:)``.
package struct Graph: ~Copyable {
  private let addressOnly = AddressOnly()
  /// Whether the shell wants to hear of each start, whether or not it is observed.
  let tellsEveryStart: Bool
  /// The records of all operations, which are lent to the dispatcher.
  var operations = OperationTable()
  var edges = DependencyGraph<OperationHandle>()
  var lists = Slab<QueueID, QueueList>()
  var groups = GroupTable()
  var retries = RetryTable()
  /// The number of the next preparation.
  var nextPreparation: UInt64 = 1
  /// What first went wrong among the dependencies of a join.
  var roots: [OperationHandle: OperationID] = [:]
  /// What must still settle because of the settlement at hand, and how much of it has; empty
  /// between events.
  var aftermath: [DependencyEnd] = []
  var heardCount = 0
  /// What the dispatcher must hear, and how much of it the caller has taken.
  var news: [News] = []
  var takenCount = 0
  /// Operations that are to become as urgent as something that waits for them.
  var rises: [Rise] = []

  /// Operations in queues: added and not settled; O(1).
  package internal(set) var unsettledCount = 0
  /// Operations that execute; O(1).
  package internal(set) var executingCount = 0

  init(tellsEveryStart: Bool = true) {
    self.tellsEveryStart = tellsEveryStart
  }

  /// A dependent of something that settled.
  struct DependencyEnd {
    var handle: OperationHandle
    var requirement: PoolRequirement
    var ending: PoolEnding
    /// What began it all.
    var root: OperationID
  }
}

// MARK: - News

extension Graph {
  /// What has become of operations, as far as it matters to the dispatcher.
  enum News {
    /// An operation's turn has come.
    case due(OperationHandle)
    /// A ready operation is not ready any more, or not at this level; whether workers could be
    /// given it.
    case withdrawn(OperationHandle, level: UInt8, isOffered: Bool)
    /// A ready operation has another level now.
    case moved(OperationHandle)
    /// The cancellation of an operation was asked for that a worker has.
    case cancelled(OperationHandle)
    /// An operation has left its queue, where it had this position.
    case departed(OperationHandle, position: UInt32)
    /// The last operation has left a queue that was dropped.
    case emptied(QueueID)
  }

  /// Whether something is to be heard or taken.
  var hasNews: Bool { !news.isEmpty || !aftermath.isEmpty || !rises.isEmpty }

  /// The next of the news, in order.
  @inline(__always)
  mutating func nextNews() -> News? {
    // Nearly always there is one.
    if news.count == 1 { return news.popLast() }
    return news.isEmpty && rises.isEmpty ? nil : nextOfMany()
  }

  private mutating func nextOfMany() -> News? {
    while news.isEmpty, let rise = rises.popLast() { raise(rise) }
    guard takenCount < news.count else { return nil }
    defer {
      takenCount += 1
      if takenCount == news.count {
        news.removeAll(keepingCapacity: true)
        takenCount = 0
      }
    }
    return news[takenCount]
  }

  /// A ready operation is about not to be ready any more, or not at its level.
  @inline(__always)
  mutating func withdraw(_ handle: OperationHandle) {
    guard case .ready(let isOffered) = operations[handle].state else { return }
    let level = UInt8(operations[handle].level)
    news.append(.withdrawn(handle, level: level, isOffered: isOffered))
  }
}

// MARK: - Queues

extension Graph {
  mutating func add(_ queue: QueueID) {
    lists.put(QueueList(), at: queue)
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

  /// The operations in the queue, in the order of submission; O(operations).
  package func operations(in queue: QueueID) -> [OperationID] {
    handles(in: queue).map { operations.id(of: $0) }
  }

  /// Operations of a queue that were added and have not settled; O(1).
  package func unsettledCount(of queue: QueueID) -> Int { lists[queue].count }

  /// Tells all changes of all operations of the queue from now on.
  package mutating func observe(_ queue: QueueID) {
    lists[queue].isObserved = true
  }

  /// When an operation has waited enough for its next attempt.
  var nextDeadline: Instant { retries.alarms.next ?? .distantFuture }
}
