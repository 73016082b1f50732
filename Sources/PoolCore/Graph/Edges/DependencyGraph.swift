import PoolModel

/// Who waits for whom, both ways, and never in a cycle.
///
/// A node is a slot: a small number that is used again. An edge is twenty-eight bytes, a node
/// sixteen. Adding an edge costs O(1) where the dependent's level is above the dependency's already
/// or nothing hangs at one of the two on the far side; see ``CycleSearch`` for the rest.
struct DependencyGraph {
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

  /// Makes the slot a node with no edges.
  ///
  /// One that is used again must have none left: those to its dependents were drained, and those to
  /// its dependencies drained or released.
  mutating func addNode(_ slot: Int) {
    rings.addNode(slot)
  }

  /// Lets `dependent` wait for `dependency`, unless that would close a cycle.
  ///
  /// Returns nil, or, having changed nothing, the cycle: slots, each of which would wait for the
  /// next one, and the last for the first; it begins with `dependent` and `dependency`. A second
  /// edge between the same two is one more, so ask ``requirement(_:on:)`` before.
  mutating func link(
    _ dependent: Int,
    to dependency: Int,
    _ requirement: PoolRequirement
  ) -> [Int]? {
    guard dependent != dependency else { return [dependent] }
    if let cycle = makeRoom(for: dependent, above: dependency) { return cycle }
    rings.append(dependent, dependency, requirement)
    return nil
  }

  /// The requirement of an edge, or nil where there is none; O(the lesser degree).
  func requirement(_ dependent: Int, on dependency: Int) -> PoolRequirement? {
    rings.find(dependent, dependency).map { rings.requirement(of: $0) }
  }

  /// Takes an edge away; false where there is none; O(the lesser degree).
  mutating func unlink(_ dependent: Int, from dependency: Int) -> Bool {
    guard let edge = rings.find(dependent, dependency) else { return false }
    rings.remove(edge)
    return true
  }

  /// Takes away all edges to a dependency that has ended, giving each dependent to the closure.
  ///
  /// They come in the order in which they were linked; O(degree), without recursion.
  mutating func drain(_ dependency: Int, _ body: (_ dependent: Int, PoolRequirement) -> Void) {
    rings.drain(dependency, .dependents, body)
  }

  /// Takes away all edges from a dependent that waits no longer; O(degree).
  mutating func release(_ dependent: Int) {
    rings.drain(dependent, .dependencies) { _, _ in }
  }
}

// Looking at the graph.
extension DependencyGraph {
  /// How many unfinished dependencies a node has; O(degree).
  func dependencyCount(of slot: Int) -> Int {
    var count = 0
    forEachDependency(of: slot) { _, _ in count += 1 }
    return count
  }

  /// Gives each dependency of a node to the closure, in the order in which they were linked.
  func forEachDependency(of slot: Int, _ body: (Int, PoolRequirement) -> Void) {
    rings.walk(from: slot, .dependencies, body)
  }

  /// Gives each dependent of a node to the closure, in the order in which they were linked.
  func forEachDependent(of slot: Int, _ body: (Int, PoolRequirement) -> Void) {
    rings.walk(from: slot, .dependents, body)
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
  /// Nothing is to be searched where nobody waits for the dependent, or the dependency for nobody.
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

  private mutating func move(_ slot: Int, past other: Int, _ direction: EdgeDirection) {
    shortcutCount += 1
    rings.setHeight(rings.height(of: other, along: direction) + 1, of: slot, along: direction)
  }
}
