import PoolModel

// A barrier waits for everything that was added to its queue before it, and holds back everything
// that is added after it.
//
// It stands between two gates, which are hidden: the inner one waits for all that came before, and
// the barrier for it; the outer one waits for the barrier and the outer one before it, and all that
// comes after waits for it. So an operation has at most one edge to the gate before it and one from
// the gate behind it, cycles through a barrier are found like all others, and a barrier that was
// cancelled takes nothing along: its gates stay.
//
// A group that executes nothing passes barriers: its members may be on both sides of one.

extension Graph {
  /// Makes an operation wait for the latest barrier of its queue; returns the cycle if it closes
  /// one.
  mutating func passGate(_ handle: OperationHandle, _ queue: QueueID) -> [OperationID]? {
    guard let gate = living(lists[queue].gatesOut), operations[handle].role != .group else {
      return nil
    }
    return addEdge(handle, gate, .finished)
  }

  /// Makes an operation the latest barrier of a queue; returns the cycle if it closes one, and
  /// then nothing has changed.
  mutating func addBarrier(_ handle: OperationHandle, _ queue: QueueID) -> [OperationID]? {
    if operations[handle].role == .group { return nil }
    let inner = makeHidden(.gate)
    let outer = makeHidden(.gate)
    let cycle =
      addEdge(handle, inner, .finished) ?? close(inner, behind: queue)
      ?? addEdge(outer, handle, .finished)
      ?? living(lists[queue].gatesOut).flatMap { addEdge(outer, $0, .finished) }
    if let cycle {
      takeOutOfGates(handle)
      forget(outer)
      return cycle
    }
    lists[queue].gatesOut = operations.id(of: outer)
    if operations[inner].unmet == 0 {
      takeOutOfGate(handle, inner)
    } else {
      lists[queue].gatesIn = operations.id(of: inner)
    }
    return nil
  }

  /// Makes a gate wait for everything in a queue, back to the latest barrier, and for its gate.
  private mutating func close(_ gate: OperationHandle, behind queue: QueueID) -> [OperationID]? {
    var handle = lists[queue].last
    while handle != .none {
      defer { handle = operations[handle].previous }
      if operations[handle].role == .group { continue }
      if let cycle = addEdge(gate, handle, .finished) { return cycle }
      // What came before that barrier is what its own gate waits for.
      if operations[handle].isBarrier { break }
    }
    return living(lists[queue].gatesIn).flatMap { addEdge(gate, $0, .finished) }
  }

  /// Takes an operation that has just entered out of the gates around it; a barrier's own are
  /// forgotten.
  mutating func takeOutOfGates(_ handle: OperationHandle) {
    var gates: [OperationHandle] = []
    edges.forEachDependency(of: handle) { other, _ in
      if operations[other].role == .gate { gates.append(other) }
    }
    for gate in gates { takeOutOfGate(handle, gate) }
    guard operations[handle].isBarrier else { return }
    var outer: OperationHandle?
    edges.forEachDependent(of: groups.end(of: handle)) { other, _ in
      if operations[other].role == .gate { outer = other }
    }
    if let outer { forget(outer) }
  }

  private mutating func takeOutOfGate(_ handle: OperationHandle, _ gate: OperationHandle) {
    removeEdge(handle, gate)
    if operations[handle].isBarrier { forget(gate) }
  }

  /// The handle of a gate that still holds something back.
  private func living(_ gate: OperationID?) -> OperationHandle? {
    gate.flatMap { operations.handle(of: $0) }
  }
}
