import PoolModel

/// The remaining work of each node of a graph of dependencies: its own weight, and that of the
/// heaviest chain of dependents.
///
/// The node with the most remaining work decides when everything ends, so it should begin first.
/// Time and memory are linear in nodes and edges, without recursion.
package enum RemainingWork {
  /// The remaining work of each node, in the unit of the weights; sums saturate.
  ///
  /// There may be more nodes than weights: the last nodes weigh nothing. The rows must have no
  /// cycles, like those of a `DependencyOrder`.
  package static func lengths(_ rows: DependencyRows, weights: [Int64]) -> [Int64] {
    var lengths = weights + repeatElement(0, count: rows.count - weights.count)
    /// The weight of the heaviest chain of dependents found so far, for each node.
    var behind = [Int64](repeating: 0, count: rows.count)
    var open = dependentCounts(rows)
    var complete = (0..<rows.count).filter { open[$0] == 0 }
    while let node = complete.popLast() {
      lengths[node] = lengths[node].saturatingSum(behind[node])
      for edge in rows.range(of: node) {
        let target = Int(rows.targets[edge])
        behind[target] = max(behind[target], lengths[node])
        open[target] -= 1
        if open[target] == 0 { complete.append(target) }
      }
    }
    return lengths
  }

  /// Number of dependents of each node.
  private static func dependentCounts(_ rows: DependencyRows) -> [UInt32] {
    var counts = [UInt32](repeating: 0, count: rows.count)
    for target in rows.targets { counts[Int(target)] += 1 }
    return counts
  }
}
