package import PoolModel

extension PoolMachine {
  /// The operations of a cycle that this one is on, in the order in which they wait for each
  /// other, or nil where it is on none.
  ///
  /// Looks at what can be reached through dependents, and only where something waits for the
  /// operation while it waits itself: O(1) for a graph that is built from its roots up.
  package func cycle(through id: OperationID) -> [OperationID]? {
    guard let start = operations.slot(of: id), operations[start].unmet > 0 else { return nil }
    var visited: Set<Int> = []
    var path = [start]
    var pending = [graph.dependents(operations[start].dependents)]
    while !pending.isEmpty {
      guard let next = pending[pending.count - 1].popLast() else {
        pending.removeLast()
        path.removeLast()
        continue
      }
      if next == start { return ([start] + path.dropFirst().reversed()).map(operations.id(of:)) }
      guard visited.insert(next).inserted else { continue }
      path.append(next)
      pending.append(graph.dependents(operations[next].dependents))
    }
    return nil
  }
}
