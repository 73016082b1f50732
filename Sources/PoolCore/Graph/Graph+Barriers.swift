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
// A group that executes nothing is independent of barriers: its members may be on both sides of
// one.

extension Graph {
  /// Makes an operation wait for the latest barrier of its queue; returns the cycle if it closes
  /// one.
  mutating func waitForBarrier(_ handle: OperationHandle, _ queue: QueueID) -> [OperationID]? {
    guard let exit = living(lists[queue].barrierExit), operations[handle].role != .group else {
      return nil
    }
    return addEdge(handle, exit, .finished)
  }

  /// Makes an operation the latest barrier of a queue; returns the cycle if it would close one, and
  /// then changes nothing.
  mutating func addBarrier(_ handle: OperationHandle, _ queue: QueueID) -> [OperationID]? {
    if operations[handle].role == .group { return nil }
    let entry = makeHidden(.barrierEnd)
    let exit = makeHidden(.barrierEnd)
    let cycle =
      addEdge(handle, entry, .finished) ?? close(entry, behind: queue)
      ?? addEdge(exit, handle, .finished)
      ?? living(lists[queue].barrierExit).flatMap { addEdge(exit, $0, .finished) }
    if let cycle {
      removeBarrierEdges(handle)
      forget(exit)
      return cycle
    }
    lists[queue].barrierExit = operations.id(of: exit)
    if operations[entry].unmet == 0 {
      removeBarrierEdge(handle, entry)
    } else {
      lists[queue].barrierEntry = operations.id(of: entry)
    }
    return nil
  }

  /// Makes an entry wait for everything in a queue, back to the latest barrier, and for the entry of
  /// that barrier.
  private mutating func close(_ entry: OperationHandle, behind queue: QueueID) -> [OperationID]? {
    var handle = lists[queue].last
    while handle != .none {
      defer { handle = operations[handle].previous }
      if operations[handle].role == .group { continue }
      if let cycle = addEdge(entry, handle, .finished) { return cycle }
      // The entry of that barrier waits for everything before it.
      if operations[handle].isBarrier { break }
    }
    return living(lists[queue].barrierEntry).flatMap { addEdge(entry, $0, .finished) }
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
