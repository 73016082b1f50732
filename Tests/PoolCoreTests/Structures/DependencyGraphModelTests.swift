import PoolModel
import PoolTestSupport
import Testing

@testable import PoolCore

/// Contract: whatever is linked, unlinked, drained and released, the graph is a list of edges that
/// takes one in exactly where a search through all the others finds no way back.
@Suite("Two-way dependency graph beside a list of edges")
struct DependencyGraphModelTests {
  /// Many nodes for few edges, and few nodes for many cycles.
  @Test("random sequences do what they do to a list of edges", arguments: [3, 6, 12, 30])
  func random(nodes: Int) {
    var refused = 0
    for seed in RandomSeeds.first(100) {
      var pair = GraphPair(nodes: nodes, seed: seed)
      for _ in 0..<100 where pair.faults.isEmpty { pair.step() }
      pair.compare()
      refused += pair.refusedCount
      guard pair.faults.isEmpty else {
        Issue.record("\(nodes) nodes, seed \(seed): \(pair.faults)")
        return
      }
    }
    // The sequences are worth something only if many an edge was refused.
    #expect(refused > 1_000)
  }
}

/// A graph and the list of edges that it must be.
private struct GraphPair {
  private let nodes: Int
  private var generator: SeededGenerator
  private var graph: DependencyGraph<Int>
  private var edges: [TestEdge] = []
  private(set) var refusedCount = 0
  private(set) var faults: [String] = []

  init(nodes: Int, seed: UInt64) {
    self.nodes = nodes
    generator = SeededGenerator(seed: seed)
    graph = DependencyGraph<Int>(nodes: nodes)
  }

  private mutating func demand(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { faults.append(what()) }
  }

  /// One random call.
  mutating func step() {
    let place = Int.random(in: 0..<nodes, using: &generator)
    let other = Int.random(in: 0..<nodes, using: &generator)
    switch Int.random(in: 0..<40, using: &generator) {
    case 0: drain(place)
    case 1: release(place)
    case 2: renew(place)
    case 3..<10: unlink(place, other)
    default: link(place, other)
    }
    if Int.random(in: 0..<60, using: &generator) == 0 { compare() }
  }

  private mutating func link(_ dependent: Int, _ dependency: Int) {
    let requirement = PoolRequirement.allCases.randomElement(using: &generator) ?? .finished
    let edge = TestEdge(dependent: dependent, dependency: dependency, requirement: requirement)
    if let known = edges.first(where: { joins($0, edge) }) {
      demand(graph.requirement(dependent, on: dependency) == known.requirement, "\(known) is there")
      return
    }
    demand(graph.requirement(dependent, on: dependency) == nil, "\(edge) is not there")
    let cycle = graph.link(dependent, to: dependency, requirement)
    if isWaiting(dependency, for: dependent) {
      refusedCount += 1
      demand(cycle.map { isCycle($0, edge) } ?? false, "\(edge) closes a cycle: \(cycle ?? [])")
    } else {
      demand(cycle == nil, "\(edge) closes no cycle: \(cycle ?? [])")
      edges.append(edge)
    }
  }

  private func joins(_ left: TestEdge, _ right: TestEdge) -> Bool {
    left.dependent == right.dependent && left.dependency == right.dependency
  }

  private mutating func unlink(_ dependent: Int, _ dependency: Int) {
    let edge = TestEdge(dependent: dependent, dependency: dependency)
    let place = edges.firstIndex { joins($0, edge) }
    demand(graph.unlink(dependent, from: dependency) == (place != nil), "unlinking \(edge)")
    if let place { edges.remove(at: place) }
  }

  private mutating func drain(_ place: Int) {
    let expected = edges.filter { $0.dependency == place }
    demand(graph.drained(place) == expected, "\(place) tells its dependents")
    edges.removeAll { $0.dependency == place }
  }

  private mutating func release(_ place: Int) {
    graph.release(place)
    edges.removeAll { $0.dependent == place }
  }

  /// Uses a place for another node.
  private mutating func renew(_ place: Int) {
    drain(place)
    release(place)
    graph.addNode(place)
  }

  /// Whether one waits for another, or is it: a search through all edges.
  private func isWaiting(_ place: Int, for other: Int) -> Bool {
    var found = [place]
    var isFound = [Bool](repeating: false, count: nodes)
    isFound[place] = true
    while let node = found.popLast() {
      for edge in edges where edge.dependent == node && !isFound[edge.dependency] {
        isFound[edge.dependency] = true
        found.append(edge.dependency)
      }
    }
    return isFound[other]
  }

  /// Whether a path is a cycle of edges with one more edge, which comes first.
  private func isCycle(_ path: [Int], _ edge: TestEdge) -> Bool {
    guard Set(path).count == path.count, path.first == edge.dependent else { return false }
    let ring = zip(path, path.dropFirst() + path.prefix(1)).map {
      TestEdge(dependent: $0, dependency: $1)
    }
    guard joins(ring[0], edge) else { return false }
    return ring.dropFirst().allSatisfy { step in edges.contains { joins($0, step) } }
  }

  /// Looks at everything.
  mutating func compare() {
    faults += graph.brokenInvariants()
    demand(graph.count == edges.count, "the count of edges is right")
    for place in 0..<nodes {
      let dependencies = edges.filter { $0.dependent == place }
      demand(graph.dependencies(of: place) == dependencies, "what \(place) waits for")
      demand(graph.dependencyCount(of: place) == dependencies.count, "how many \(place) waits for")
      let dependents = edges.filter { $0.dependency == place }
      demand(graph.dependents(of: place) == dependents, "what waits for \(place)")
      for other in 0..<nodes where other != place {
        let waits = graph.isReachable(place, from: other, steps: edges.count)
        demand(waits == isWaiting(place, for: other), "whether \(place) waits for \(other)")
      }
    }
  }
}
