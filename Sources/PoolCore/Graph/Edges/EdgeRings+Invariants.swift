import PoolModel

extension EdgeRings {
  /// Broken invariants of levels and rings, in words; empty if there are none; O(everything).
  func brokenInvariants() -> [String] {
    var broken: [String] = []
    for direction in [EdgeDirection.dependents, .dependencies] {
      var seen = 0
      for node in 0..<nodeCount { seen += checkRing(of: node, direction, &broken) }
      if seen != count { broken.append("\(seen) edges to \(direction), where \(count) are in use") }
    }
    return broken
  }

  /// Checks one ring; returns its number of edges.
  private func checkRing(of node: Int, _ direction: EdgeDirection, _ broken: inout [String]) -> Int
  {
    var length = 0
    var edge = first(from: node, direction)
    while edge != Self.none, length <= count {
      let other = end(of: edge, direction)
      if end(of: edge, direction.opposite) != node || !isLinked(edge, direction) {
        broken.append("edge \(edge) from \(node) to \(direction) is not where it is said to be")
      }
      if height(of: node, along: direction) >= height(of: other, along: direction) {
        broken.append("\(node) is not on the right side of \(other), one of its \(direction)")
      }
      length += 1
      edge = next(after: edge, direction)
    }
    return length
  }
}
