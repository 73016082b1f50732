import OperationPool

/// Which of two operations is told of the other first, while the first one may be finishing.
package enum Race: CaseIterable, Sendable {
  /// The dependency is added, and may have finished when the dependent hears of it.
  case lateDependency
  /// The dependent is added while its dependency finishes.
  case lateAddition
  /// The dependent is in the queue already when it is told to wait.
  case lateEdge
  /// The edge is taken away while the dependency finishes.
  case removal
  /// Gates are opened, the second one while its operation is added.
  case gate

  func start(
    _ first: PoolOperation,
    _ second: PoolOperation,
    in queue: PoolOperationQueue
  ) throws(PoolError) {
    switch self {
    case .lateDependency:
      try queue.addOperation(first)
      try second.addDependency(first)
      try queue.addOperation(second)
    case .lateAddition:
      try second.addDependency(first)
      try queue.addOperation(first)
      try queue.addOperation(second)
    case .lateEdge:
      try queue.addOperation(first)
      try queue.addOperation(second)
      try second.addDependency(first)
    case .removal:
      try second.addDependency(first)
      try queue.addOperation(second)
      try queue.addOperation(first)
      second.removeDependency(first)
    case .gate:
      let gates = [first.addGate(), second.addGate()]
      try second.addDependency(first)
      try queue.addOperation(first)
      gates[0].open()
      gates[1].open()
      try queue.addOperation(second)
    }
  }
}
