import PoolModel

// A barrier waits for everything that was added to its queue before it, and holds back everything
// that is added after it.
//
// Each barrier has two hidden operations: its entry and its exit. The entry waits for everything
// before the barrier, and the barrier waits for the entry. The exit waits for the barrier and for
// the previous barrier's exit, and everything after the barrier waits for the exit. So an operation
// has at most one edge to the exit before it and one from the entry after it, and the search for
// cycles needs no rule for barriers. A cancelled barrier lets no later operation through early,
// because its entry and exit stay.
//
// A member of a gated group knows the barriers among the members alone: the group takes its place
// among those of the queue. A group that is not gated is independent of barriers: its members may
// be on both sides of one.

extension Graph {
  /// Where a barrier holds.
  enum BarrierScope {
    case queue(QueueID)
    case group(OperationHandle)
  }

  /// The latest barrier of a scope.
  subscript(scope: BarrierScope) -> BarrierEnds {
    get {
      switch scope {
      case .queue(let queue): lists[queue].barriers
      case .group(let group): groups[group]?.barriers ?? BarrierEnds()
      }
    }
    set {
      switch scope {
      case .queue(let queue): lists[queue].barriers = newValue
      case .group(let group): groups[group]?.barriers = newValue
      }
    }
  }

  /// Among what an operation of a queue takes its place.
  @inline(__always)
  func scope(of handle: OperationHandle, in queue: QueueID) -> BarrierScope {
    let group = operations[handle].group
    return group == .none ? .queue(queue) : .group(group)
  }

  /// Makes an operation wait for the latest barrier before it; returns the cycle if it closes one.
  mutating func waitForBarrier(_ handle: OperationHandle, in scope: BarrierScope)
    -> [OperationID]?
  {
    guard let exit = living(self[scope].exit), operations[handle].role != .group else {
      return nil
    }
    return addEdge(handle, exit, .finished)
  }

  /// Makes an operation the latest barrier of a scope; returns the cycle if it would close one, and
  /// then changes nothing.
  mutating func addBarrier(_ handle: OperationHandle, in scope: BarrierScope) -> [OperationID]? {
    if operations[handle].role == .group { return nil }
    let entry = makeHidden(.barrierEnd)
    let exit = makeHidden(.barrierEnd)
    let cycle =
      addEdge(handle, entry, .finished) ?? close(entry, behind: scope)
      ?? addEdge(exit, handle, .finished)
      ?? living(self[scope].exit).flatMap { addEdge(exit, $0, .finished) }
    if let cycle {
      removeBarrierEdges(handle)
      forget(exit)
      return cycle
    }
    self[scope].exit = operations.id(of: exit)
    if operations[entry].unmet == 0 {
      removeBarrierEdge(handle, entry)
    } else {
      self[scope].entry = operations.id(of: entry)
    }
    return nil
  }

  /// Makes an entry wait for everything before it, back to the latest barrier, and for the entry of
  /// that barrier.
  private mutating func close(_ entry: OperationHandle, behind scope: BarrierScope)
    -> [OperationID]?
  {
    for handle in predecessors(in: scope) {
      if let cycle = addEdge(entry, handle, .finished) { return cycle }
    }
    return living(self[scope].entry).flatMap { addEdge(entry, $0, .finished) }
  }

  /// What has entered a scope: of a queue, since its latest barrier, and with that.
  private func predecessors(in scope: BarrierScope) -> [OperationHandle] {
    switch scope {
    case .group(let group):
      return members(of: group).filter { operations[$0].queue != nil }
    case .queue(let queue):
      var found: [OperationHandle] = []
      var handle = lists[queue].last
      while handle != .none {
        let life = operations[handle]
        if life.role != .group, life.group == .none {
          found.append(handle)
          // The entry of that barrier waits for everything before it.
          if life.isBarrier { break }
        }
        handle = life.previous
      }
      return found
    }
  }

  /// Removes the edges between an operation that has just entered and the entries and exits of
  /// barriers; for a barrier, removes its own entry and exit.
  mutating func removeBarrierEdges(_ handle: OperationHandle) {
    var ends: [OperationHandle] = []
    edges.forEachDependency(of: handle) { other, _ in
      if operations[other].role == .barrierEnd { ends.append(other) }
    }
    for end in ends { removeBarrierEdge(handle, end) }
    guard operations[handle].isBarrier else { return }
    var exit: OperationHandle?
    edges.forEachDependent(of: groups.end(of: handle)) { other, _ in
      if operations[other].role == .barrierEnd { exit = other }
    }
    if let exit { forget(exit) }
  }

  private mutating func removeBarrierEdge(_ handle: OperationHandle, _ end: OperationHandle) {
    removeEdge(handle, end)
    if operations[handle].isBarrier { forget(end) }
  }

  /// The handle of a barrier's entry or exit that has not settled.
  private func living(_ end: OperationID?) -> OperationHandle? {
    end.flatMap { operations.handle(of: $0) }
  }
}
