import PoolModel
import Testing

@testable import PoolCore

/// An edge; the sort of thing that is easier to compare than a tuple.
struct TestEdge: Equatable {
  var dependent: Int
  var dependency: Int
  var requirement = PoolRequirement.finished
}

extension DependencyGraph<Int> {
  /// A graph of so many nodes without edges.
  init(nodes: Int) {
    self.init()
    reserve(nodes)
    for node in 0..<nodes { addNode(node) }
  }

  /// What a node waits for, in order.
  func dependencies(of node: Int) -> [TestEdge] {
    var edges: [TestEdge] = []
    forEachDependency(of: node) {
      edges.append(TestEdge(dependent: node, dependency: $0, requirement: $1))
    }
    return edges
  }

  /// What waits for a node, in order.
  func dependents(of node: Int) -> [TestEdge] {
    var edges: [TestEdge] = []
    forEachDependent(of: node) {
      edges.append(TestEdge(dependent: $0, dependency: node, requirement: $1))
    }
    return edges
  }

  /// Drains a node and returns what the closure was told.
  mutating func drained(_ node: Int) -> [TestEdge] {
    var edges: [TestEdge] = []
    removeDependents(of: node) {
      edges.append(TestEdge(dependent: $0, dependency: node, requirement: $1))
    }
    return edges
  }

  /// Links all edges and returns how many were refused.
  mutating func link(_ edges: some Sequence<TestEdge>) -> Int {
    var refused = 0
    for edge in edges where link(edge.dependent, to: edge.dependency, edge.requirement) != nil {
      refused += 1
    }
    return refused
  }

  /// Links a chain: each node waits for the next.
  mutating func chain(_ slots: [Int]) -> [[Int]] {
    zip(slots, slots.dropFirst()).compactMap { link($0, to: $1, .finished) }
  }
}

/// Contract: both lists of a node keep the order of linking whatever is taken away between, and an
/// edge that would close a cycle is refused with the whole cycle, changing nothing.
@Suite("Two-way dependency graph")
struct DependencyGraphTests {
  @Test("an edge and a node fit into the sizes that are stated beside them")
  func sizes() {
    #expect(MemoryLayout<GraphEdge>.stride <= graphEdgeSizeLimit)
    #expect(MemoryLayout<GraphNode>.stride <= graphNodeSizeLimit)
  }

  @Test("both ends list an edge, in the order of linking, with its requirement")
  func order() {
    var graph = DependencyGraph<Int>(nodes: 6)
    let edges = zip([3, 1, 4, 2], PoolRequirement.allCases).map {
      TestEdge(dependent: $0, dependency: 0, requirement: $1)
    }
    for edge in edges { #expect(graph.link(edge.dependent, to: 0, edge.requirement) == nil) }
    #expect(graph.link(3, to: 5, .cancelled) == nil)
    #expect(graph.count == 5)
    #expect(graph.dependents(of: 0) == edges)
    #expect(graph.dependencies(of: 3).map(\.dependency) == [0, 5])
    #expect(graph.dependencyCount(of: 3) == 2)
    #expect(graph.requirement(4, on: 0) == edges[2].requirement)
    #expect(graph.requirement(0, on: 4) == nil)
    #expect(graph.brokenInvariants() == [])
  }

  @Test("a drained dependency tells its dependents in order and leaves all lists")
  func drain() {
    var graph = DependencyGraph<Int>(nodes: 5)
    for dependent in [3, 1, 2] { #expect(graph.link(dependent, to: 0, .succeeded) == nil) }
    #expect(graph.link(1, to: 4, .failed) == nil)
    #expect(graph.drained(0).map(\.dependent) == [3, 1, 2])
    #expect(
      graph.dependencies(of: 1) == [TestEdge(dependent: 1, dependency: 4, requirement: .failed)]
    )
    #expect(graph.dependencies(of: 3) == [])
    #expect(graph.drained(0) == [])
    #expect(graph.count == 1)
    #expect(graph.brokenInvariants() == [])
  }

  @Test("a released dependent is in no list any more, and its node can be used again")
  func release() {
    var graph = DependencyGraph<Int>(nodes: 4)
    #expect(graph.link(3, to: 0, .finished) == nil)
    #expect(graph.link(2, to: 0, .finished) == nil)
    #expect(graph.link(3, to: 1, .finished) == nil)
    graph.release(3)
    #expect(graph.dependents(of: 0).map(\.dependent) == [2])
    #expect(graph.dependents(of: 1) == [])
    graph.addNode(3)
    #expect(graph.link(0, to: 3, .finished) == nil)
    #expect(graph.count == 2)
    #expect(graph.brokenInvariants() == [])
  }

  @Test("an edge is taken away from the start, the middle and the end of a list, once")
  func unlink() {
    var graph = DependencyGraph<Int>(nodes: 6)
    for dependent in 1...5 { #expect(graph.link(dependent, to: 0, .finished) == nil) }
    for dependent in [3, 1, 5] {
      #expect(graph.unlink(dependent, from: 0) == true)
      #expect(graph.unlink(dependent, from: 0) == false)
      #expect(graph.brokenInvariants() == [])
    }
    #expect(graph.dependents(of: 0).map(\.dependent) == [2, 4])
    #expect(graph.link(5, to: 0, .finished) == nil)
    #expect(graph.drained(0).map(\.dependent) == [2, 4, 5])
  }

  @Test("an edge upon itself is a cycle of one")
  func selfEdge() {
    var graph = DependencyGraph<Int>(nodes: 1)
    #expect(graph.link(0, to: 0, .finished) == [0])
    #expect(graph.count == 0)
  }

  @Test("a second edge between the same two is one more", arguments: [1, 2])
  func secondEdge(unlinked: Int) {
    var graph = DependencyGraph<Int>(nodes: 2)
    #expect(graph.link(0, to: 1, .finished) == nil)
    #expect(graph.link(0, to: 1, .failed) == nil)
    #expect(graph.dependencyCount(of: 0) == 2)
    for _ in 0..<unlinked { #expect(graph.unlink(0, from: 1) == true) }
    #expect(graph.brokenInvariants() == [])
    #expect(graph.drained(1).count == 2 - unlinked)
    #expect(graph.count == 0)
  }
}

/// Contract: the cycle begins with the two ends of the refused edge and each waits for the next.
@Suite("Cycles of dependencies")
struct CycleTests {
  @Test("the last edge of a ring is refused with the whole ring", arguments: [2, 3, 4, 5, 50])
  func ring(length: Int) {
    for hole in 0..<length {
      var graph = DependencyGraph<Int>(nodes: length)
      // Starting anywhere, so that either frontier may be the one that finds it.
      let slots = (0..<length).map { ($0 + hole) % length }
      #expect(graph.chain(slots) == [])
      let last = slots[length - 1]
      #expect(graph.link(last, to: hole, .finished) == [last] + slots.dropLast())
      #expect(graph.count == length - 1)
      #expect(graph.brokenInvariants() == [])
    }
  }

  @Test("an edge that was refused can be linked when the cycle is open again")
  func opened() {
    var graph = DependencyGraph<Int>(nodes: 4)
    #expect(graph.chain([0, 1, 2, 3]) == [])
    #expect(graph.link(3, to: 0, .finished) == [3, 0, 1, 2])
    #expect(graph.unlink(1, from: 2) == true)
    #expect(graph.link(3, to: 0, .finished) == nil)
    #expect(graph.link(1, to: 2, .finished) == [1, 2, 3, 0])
    #expect(graph.drained(3).map(\.dependent) == [2])
    #expect(graph.link(1, to: 2, .finished) == nil)
    #expect(graph.brokenInvariants() == [])
  }

  @Test("side branches are not part of the cycle, and cost it nothing if they are far away")
  func branches() {
    let width = 1_000
    var graph = DependencyGraph<Int>(nodes: 3 + 2 * width)
    for branch in 0..<width {
      #expect(graph.chain([3 + branch, 0]) == [])
      #expect(graph.chain([2, 3 + width + branch]) == [])
    }
    #expect(graph.chain([0, 1, 2]) == [])
    let before = graph.exploredCount
    #expect(graph.link(2, to: 0, .finished) == [2, 0, 1])
    #expect(graph.exploredCount - before <= 10)
  }
}
