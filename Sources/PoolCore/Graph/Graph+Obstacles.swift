package import PoolModel

/// What an operation waits for before it is ready.
package struct OperationObstacles: Hashable, Sendable {
  /// How it has ended, if it has.
  package var ending: PoolEnding?
  /// Whether it is in a queue, or has been.
  package var isInQueue = false
  /// Number of gates that are not open.
  package var gateCount = 0
  /// When its next attempt is due, if it waits for that.
  package var due: Instant?
  /// The group that has not begun, if it is a member of one.
  package var group: OperationID?
  /// Whether its conditions are evaluated.
  package var isPreparing = false
  /// What it waits for because of a barrier; the operation is the first that has not ended.
  package var barrier: Barrier?

  /// Nothing.
  package init() {}

  /// A barrier before an operation, or the operation itself.
  package struct Barrier: Hashable, Sendable {
    package let isOwn: Bool
    package let first: OperationID
  }
}

extension Graph {
  /// What an operation waits for before it is ready, beside its dependencies.
  ///
  /// Linear in its dependencies; behind a barrier, in the operations before it.
  package func obstacles(of id: OperationID) -> OperationObstacles {
    var obstacles = OperationObstacles()
    guard let handle = operations.handle(of: id) else { return obstacles }
    let life = operations[handle]
    obstacles.isInQueue = life.queue != nil
    obstacles.due = retries.due[handle]
    obstacles.gateCount = Int(life.gateCount) - (obstacles.due == nil ? 0 : 1)
    switch life.state {
    case .preparing: obstacles.isPreparing = true
    case .settled(let ending, _): obstacles.ending = ending
    case .free, .created, .willSkip, .waiting, .ready, .dispatched, .executing, .open: break
    }
    var isBehindBarrier = false
    edges.forEachDependency(of: handle) { other, _ in
      if operations[other].role == .barrierEnd { isBehindBarrier = true }
      if other == life.group { obstacles.group = operations.id(of: other) }
    }
    if isBehindBarrier { obstacles.barrier = barrier(before: handle) }
    return obstacles
  }

  /// When the attempt that executes an operation began, or a group's first member; nil while none
  /// does.
  package func start(of id: OperationID) -> Instant? {
    guard let handle = operations.handle(of: id) else { return nil }
    switch operations[handle].state {
    case .executing: return operations[handle].startedAt
    case .open: return operations[handle].attempt > 0 ? operations[handle].startedAt : nil
    case .free, .created, .willSkip, .waiting, .preparing, .ready, .dispatched, .settled:
      return nil
    }
  }

  /// The first operation that has not ended and is a barrier before this one, or, if this one is a
  /// barrier, is before it.
  private func barrier(before handle: OperationHandle) -> OperationObstacles.Barrier? {
    let life = operations[handle]
    var first: OperationHandle?
    var other = life.previous
    while other != .none {
      let before = operations[other]
      if before.role != .group, before.group == life.group, life.isBarrier || before.isBarrier {
        first = other
      }
      other = before.previous
    }
    return first.map {
      OperationObstacles.Barrier(isOwn: life.isBarrier, first: operations.id(of: $0))
    }
  }
}
