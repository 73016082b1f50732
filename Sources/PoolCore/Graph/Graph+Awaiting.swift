package import PoolModel

extension Graph {
  /// Whether an operation waits for another one, directly or through others.
  ///
  /// False, too, if that takes more than a thousand steps to find out.
  package func waits(_ id: OperationID, for other: OperationID) -> Bool {
    guard let dependent = operations.handle(of: id), let dependency = operations.handle(of: other)
    else { return false }
    return edges.isReachable(groups.end(of: dependent), from: dependency, steps: 1_000)
  }
}
