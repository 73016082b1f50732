import PoolModel

@testable import PoolCore

/// What only tests ask of a graph.
extension DependencyGraph {
  /// Number of steps taken so far to find levels for new edges.
  var exploredCount: Int { search.stepCount + shortcutCount }

  /// The requirement of an edge, or nil if there is no such edge; O(the smaller degree).
  func requirement(_ dependent: Node, on dependency: Node) -> PoolRequirement? {
    rings.find(dependent.offset, dependency.offset).map { rings.requirement(of: $0) }
  }

  /// Number of unfinished dependencies of a node; O(degree).
  func dependencyCount(of node: Node) -> Int {
    var count = 0
    forEachDependency(of: node) { _, _ in count += 1 }
    return count
  }
}
