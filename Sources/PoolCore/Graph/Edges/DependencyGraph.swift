import PoolModel

/// Dependencies and dependents, both ways, and never a cycle.
///
/// A node is a handle that is used again. An edge is twenty-eight bytes, a node
/// sixteen. Adding an edge costs O(1) where the dependent's level is above the dependency's already
/// or nothing hangs at one of the two on the far side; see ``CycleSearch`` for the rest.
struct DependencyGraph<Node: SlabHandle> {
  private var rings = EdgeRings()
  private var search = CycleSearch()
  private var shortcutCount = 0

  /// Edges in use.
  var count: Int { rings.count }

  /// How many steps it took so far to find levels for new edges, for tests of what that costs.
  var exploredCount: Int { search.stepCount + shortcutCount }

  /// Makes room for so many nodes in all.
  mutating func reserve(_ nodes: Int) {
    rings.reserve(nodes)
  }

  /// Makes the node a node with no edges.
  ///
  /// One that is used again must have none left: those to its dependents were drained, and those to
  /// its dependencies drained or released.
  mutating func addNode(_ node: Node) {
    rings.addNode(node.offset)
  }

  /// Lets `dependent` wait for `dependency`, unless that would close a cycle.
  ///
  /// Returns nil, or, having changed nothing, the cycle: nodes, each of which would wait for the
  /// next one, and the last for the first; it begins with `dependent` and `dependency`. A second
  /// edge between the same two is one more, so ask ``requirement(_:on:)`` before.
  mutating func link(
    _ dependent: Node,
    to dependency: Node,
    _ requirement: PoolRequirement
  ) -> [Node]? {
    guard dependent != dependency else { return [dependent] }
    if let cycle = makeRoom(for: dependent.offset, above: dependency.offset) {
      return cycle.map { Node($0) }
    }
    rings.append(dependent.offset, dependency.offset, requirement)
    return nil
  }

  /// The requirement of an edge, or nil where there is none; O(the lesser degree).
  func requirement(_ dependent: Node, on dependency: Node) -> PoolRequirement? {
    rings.find(dependent.offset, dependency.offset).map { rings.requirement(of: $0) }
  }

  /// Takes an edge away; false where there is none; O(the lesser degree).
  mutating func unlink(_ dependent: Node, from dependency: Node) -> Bool {
    guard let edge = rings.find(dependent.offset, dependency.offset) else { return false }
    rings.remove(edge)
    return true
  }

  /// Takes away all edges to a dependency that has ended, giving each dependent to the closure.
  ///
  /// They come in the order in which they were linked; O(degree), without recursion.
  @inline(__always)
  mutating func drain(_ dependency: Node, _ body: (_ dependent: Node, PoolRequirement) -> Void) {
    rings.drain(dependency.offset, .dependents) { body(Node($0), $1) }
  }

  /// Takes away all edges from a dependent that waits no longer; O(degree).
  @inline(__always)
  mutating func release(_ dependent: Node) {
    rings.drain(dependent.offset, .dependencies) { _, _ in }
  }
}

// Looking at the graph.
extension DependencyGraph {
  /// How many unfinished dependencies a node has; O(degree).
  func dependencyCount(of node: Node) -> Int {
    var count = 0
    forEachDependency(of: node) { _, _ in count += 1 }
    return count
  }

  /// Whether anything waits for a node.
  func isAwaited(_ node: Node) -> Bool { !rings.isEmpty(node.offset, .dependents) }

  /// Gives each dependency of a node to the closure, in the order in which they were linked.
  func forEachDependency(of node: Node, _ body: (Node, PoolRequirement) -> Void) {
    rings.walk(from: node.offset, .dependencies) { body(Node($0), $1) }
  }

  /// Gives each dependent of a node to the closure, in the order in which they were linked.
  func forEachDependent(of node: Node, _ body: (Node, PoolRequirement) -> Void) {
    rings.walk(from: node.offset, .dependents) { body(Node($0), $1) }
  }

  /// What is wrong with the graph, in words; empty if nothing is; O(everything), for tests.
  func brokenInvariants() -> [String] {
    rings.brokenInvariants()
  }
}

// Levels.
extension DependencyGraph {
  /// Brings a dependent's level above a dependency's, or returns the cycle that forbids it.
  ///
  /// Nothing is searched where the dependent has no dependents, or the dependency waits for nothing.
  private mutating func makeRoom(for dependent: Int, above dependency: Int) -> [Int]? {
    let level = rings.height(of: dependency, along: .dependents)
    guard rings.height(of: dependent, along: .dependents) <= level else { return nil }
    if rings.isEmpty(dependent, .dependents) {
      move(dependent, past: dependency, .dependents)
    } else if rings.isEmpty(dependency, .dependencies) {
      move(dependency, past: dependent, .dependencies)
    } else {
      return search.makeRoom(for: dependent, above: dependency, in: &rings)
    }
    return nil
  }

  private mutating func move(_ node: Int, past other: Int, _ direction: EdgeDirection) {
    shortcutCount += 1
    rings.setHeight(rings.height(of: other, along: direction) + 1, of: node, along: direction)
  }
}
