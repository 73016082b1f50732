package import PoolModel

/// Decides what is ready, skipped or tried again, and how an end spreads.
///
/// It does not know workers or room. What the dispatcher must learn is listed as ``Consequence``
/// until the caller has taken it. The caller passes ends on to dependents, one at a time, with
/// ``deliverNextEnd(_:)``.
package struct Graph: ~Copyable {
  private let addressOnly = AddressOnly()
  /// Whether the loop wants every start reported, observed or not.
  let tellsEveryStart: Bool
  /// The records of all operations; the dispatcher borrows them.
  var operations = OperationTable()
  var edges = DependencyGraph<OperationHandle>()
  var lists = Slab<QueueID, QueueList>()
  var groups = GroupTable()
  var retries: RetryTable
  /// When operations wait no longer for their next attempt, and when the time of groups is over.
  var timers = TimerQueue<OperationHandle>()
  /// The number of the next preparation.
  var nextPreparation: UInt64 = 1
  /// For groups and hidden operations: the root of the ending that each would take now.
  var roots: [OperationHandle: OperationID] = [:]
  /// Ends that are still to be passed on to dependents, and how many have been; empty between
  /// events.
  var pendingEnds: [DependencyEnd] = []
  var deliveredCount = 0
  /// What the dispatcher must learn, and how many entries the caller has taken.
  var consequences: [Consequence] = []
  var takenCount = 0
  /// What follows without an end, the next one last; a list, because a recursion could be as deep
  /// as the graph.
  var pendingChanges: [PendingChange] = []

  /// Number of operations that were added to queues and have not settled; O(1).
  package internal(set) var unsettledCount = 0
  /// Number of operations that execute; O(1).
  package internal(set) var executingCount = 0

  init(tellsEveryStart: Bool = true, retryRule: RetryRule = .atOnce) {
    self.tellsEveryStart = tellsEveryStart
    retries = RetryTable(retryRule)
  }

  /// The end of one dependency, on its way to one dependent.
  struct DependencyEnd {
    var handle: OperationHandle
    var requirement: PoolRequirement
    var ending: PoolEnding
    /// The operation whose ending caused it.
    var root: OperationID
  }
}

// MARK: - Consequences

extension Graph {
  /// A change of an operation that is to be made.
  enum PendingChange {
    /// It inherits a level.
    case rise(Rise)
    /// It is a member of a group that ends.
    case cancellation(OperationHandle)
    /// It is a group that waits for nothing.
    case opening(OperationHandle)
  }

  /// Changes of operations that the dispatcher must learn.
  enum Consequence {
    /// An operation is due: its dependencies have ended and it is prepared.
    case due(OperationHandle)
    /// A ready operation is no longer ready, or no longer at this level; says whether workers could
    /// be given it.
    case withdrawn(OperationHandle, level: UInt8, isOffered: Bool)
    /// The level of a ready operation has changed.
    case moved(OperationHandle)
    /// An operation that a worker has is to be cancelled.
    case cancelled(OperationHandle)
    /// An operation has left its queue, in which it had this position.
    case departed(OperationHandle, position: UInt32)
    /// The last operation has left a queue that accepts no more.
    case emptied(QueueID)
  }

  /// Whether consequences, ends or raises are pending.
  var hasConsequences: Bool {
    @inline(__always) get {
      !consequences.isEmpty || !pendingEnds.isEmpty || !pendingChanges.isEmpty
    }
  }

  /// The next consequence, in order.
  @inline(__always)
  mutating func nextConsequence(_ context: inout EventContext) -> Consequence? {
    // Mostly there is exactly one entry.
    if consequences.count == 1 { return consequences.popLast() }
    return consequences.isEmpty && pendingChanges.isEmpty ? nil : nextOfMany(&context)
  }

  private mutating func nextOfMany(_ context: inout EventContext) -> Consequence? {
    while consequences.isEmpty, let change = pendingChanges.popLast() {
      switch change {
      case .rise(let rise): raise(rise)
      case .cancellation(let member): cancelWithGroup(member, &context)
      case .opening(let group): open(group, &context)
      }
    }
    guard takenCount < consequences.count else { return nil }
    defer {
      takenCount += 1
      if takenCount == consequences.count {
        consequences.removeAll(keepingCapacity: true)
        takenCount = 0
      }
    }
    return consequences[takenCount]
  }

  /// Reports that a ready operation is about to lose its readiness or its level.
  @inline(__always)
  mutating func withdraw(_ handle: OperationHandle) {
    guard case .ready(let isOffered) = operations[handle].state else { return }
    let level = UInt8(operations[handle].level)
    consequences.append(.withdrawn(handle, level: level, isOffered: isOffered))
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

  /// The operations in the queue that are in no group, in the order of submission; O(operations).
  package func operations(in queue: QueueID) -> [OperationID] {
    handles(in: queue).filter { operations[$0].group == .none }.map { operations.id(of: $0) }
  }

  /// Operations of a queue that were added, are in no group, and have not settled; O(1).
  package func unsettledCount(of queue: QueueID) -> Int {
    lists[queue].count - lists[queue].memberCount
  }

  /// Reports all changes of all operations of the queue from now on.
  package mutating func observe(_ queue: QueueID) {
    lists[queue].isObserved = true
  }

  /// When the next delay before an attempt is over, or the time of a group.
  var nextDeadline: Instant { timers.next ?? .distantFuture }
}
