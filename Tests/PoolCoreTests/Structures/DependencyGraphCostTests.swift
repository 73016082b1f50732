import PoolModel
import PoolTestSupport
import Testing

@testable import PoolCore

/// In which order the edges of a chain are made; edge `k` lets node `k` wait for node `k - 1`.
enum ChainOrder: CaseIterable {
  case natural
  case reverse
  case random
  /// 2, then 4 and 3, then 6 and 5 …, and 1 at the end.
  case inPairs
  /// The same, upside down.
  case inPairsFromTheEnd
  /// The odd ones, then the even ones: pieces of two, which are then all joined from the middle.
  case oddFirst

  /// The edges 1 to `count`.
  func edges(_ count: Int) -> [Int] {
    switch self {
    case .natural: return Array(1...count)
    case .reverse: return (1...count).reversed()
    case .random:
      var generator = SeededGenerator(seed: 1)
      return (1...count).shuffled(using: &generator)
    case .inPairs:
      return [2] + stride(from: 4, through: count, by: 2).flatMap { [$0, $0 - 1] } + [1]
    case .inPairsFromTheEnd:
      return Self.inPairs.edges(count).map { count + 1 - $0 }
    case .oddFirst:
      return Array(stride(from: 1, through: count, by: 2) as StrideThrough<Int>)
        + Array(stride(from: 2, through: count, by: 2))
    }
  }

  /// How long the chain is; shorter where an unoptimized build would take long.
  var length: Int {
    switch self {
    case .natural, .reverse: 1_000_000
    case .inPairs, .inPairsFromTheEnd, .oddFirst, .random: 100_000
    }
  }

  /// What an edge may cost on average.
  var stepLimit: Int {
    switch self {
    case .natural, .reverse: 1
    case .inPairs, .inPairsFromTheEnd, .oddFirst: 6
    // Twice the binary digits of the length.
    case .random: 34
    }
  }
}

/// Contract: finding levels costs constant time an edge for what people build, n log n for a chain.
///
/// Steps are counted, because they are the same on every machine.
@Suite("What cycle detection costs")
struct DependencyGraphCostTests {
  @Test("a long chain is built in any order and drained", arguments: ChainOrder.allCases)
  func chain(order: ChainOrder) {
    let count = order.length
    var graph = DependencyGraph<Int>(nodes: count + 1)
    let edges = order.edges(count).lazy.map { TestEdge(dependent: $0, dependency: $0 - 1) }
    #expect(graph.link(edges) == 0)
    #expect(graph.count == count)
    #expect(graph.exploredCount <= order.stepLimit * count)
    print("chain of \(count), \(order): \(perEdge(graph.exploredCount, count)) steps an edge")
    var told = 0
    for node in 0..<count {
      graph.removeDependents(of: node) { dependent, _ in told += dependent - node }
    }
    #expect(told == count)
    #expect(graph.count == 0)
  }

  @Test("the edge that would close a chain of 100,000 is refused with all of it")
  func cycle() {
    let count = 100_000
    var graph = DependencyGraph<Int>(nodes: count)
    #expect(graph.chain((0..<count).reversed()) == [])
    let before = graph.exploredCount
    let cycle = graph.link(0, to: count - 1, .finished)
    #expect(cycle == [0] + (1..<count).reversed())
    // Both frontiers see half of it, each node and each edge once.
    #expect(graph.exploredCount - before <= 2 * count + 2)
  }

  @Test("fans of 100,000 in and out of one node, which had either before, cost a step an edge")
  func fans() {
    let count = 100_000
    var graph = DependencyGraph<Int>(nodes: 2 * count + 1)
    #expect(graph.link((1...count).map { TestEdge(dependent: $0, dependency: 0) }) == 0)
    #expect(graph.link((1...count).map { TestEdge(dependent: 0, dependency: count + $0) }) == 0)
    #expect(graph.exploredCount <= 2 * count)
    #expect(graph.brokenInvariants() == [])
    // Among 100,000 edges one is found from its other end.
    var unlinked = 0
    for node in stride(from: 2, through: count, by: 2) {
      if graph.unlink(node, from: 0) { unlinked += 1 }
      if graph.unlink(0, from: count + node) { unlinked += 1 }
    }
    #expect(unlinked == count)
    #expect(graph.drained(0).map(\.dependent) == Array(stride(from: 1, to: count, by: 2)))
    #expect(graph.dependencyCount(of: 0) == count / 2)
  }

  @Test("a fan that waits for ends of chains never has all of it raised")
  func fanOverChains() {
    let count = 30_000
    var graph = DependencyGraph<Int>(nodes: 3 * count + 1)
    let fan = (1...count).map { TestEdge(dependent: $0, dependency: 0) }
    let chains = (1...count).map { TestEdge(dependent: count + $0, dependency: 2 * count + $0) }
    #expect(graph.link(fan + chains) == 0)
    #expect(graph.link((1...count).map { TestEdge(dependent: 0, dependency: count + $0) }) == 0)
    #expect(graph.exploredCount <= 15 * count)
    #expect(graph.brokenInvariants() == [])
  }

  @Test("a graph of 100 layers of 100, with edges in random order, costs few steps an edge")
  func layers() {
    var generator = SeededGenerator(seed: 1)
    var edges: [TestEdge] = []
    for node in 100..<10_000 {
      for _ in 0..<3 {
        let below = node / 100 * 100 - Int.random(in: 1...100, using: &generator)
        edges.append(TestEdge(dependent: node, dependency: below))
      }
    }
    edges.shuffle(using: &generator)
    var graph = DependencyGraph<Int>(nodes: 10_000)
    #expect(graph.link(edges) == 0)
    print(
      "layers: \(perEdge(graph.exploredCount, edges.count)) steps an edge, \(edges.count) edges"
    )
    #expect(graph.exploredCount <= 16 * edges.count)
    #expect(graph.brokenInvariants() == [])
  }

  @Test("the densest graph of 300 nodes, with edges in random order, costs few steps an edge")
  func densest() {
    var generator = SeededGenerator(seed: 1)
    let edges = (0..<300).flatMap { dependent in
      (0..<dependent).map { TestEdge(dependent: dependent, dependency: $0) }
    }
    var graph = DependencyGraph<Int>(nodes: 300)
    #expect(graph.link(edges.shuffled(using: &generator)) == 0)
    print(
      "densest: \(perEdge(graph.exploredCount, edges.count)) steps an edge, \(edges.count) edges"
    )
    #expect(graph.exploredCount <= 10 * edges.count)
    #expect(graph.brokenInvariants() == [])
  }

  /// Pushed by no more than the least, a third of a fan's size were spent on every link.
  @Test("a node with a fan takes up a long chain link by link", arguments: [false, true])
  func fanTakesChain(isUpsideDown: Bool) {
    let count = 10_000
    let fan = (1...count).map { TestEdge(dependent: $0, dependency: 0) }
    let chain = (count + 2...2 * count).map { TestEdge(dependent: $0, dependency: $0 - 1) }
    let links = (count + 1...2 * count).map { TestEdge(dependent: 0, dependency: $0) }
    let edges = (fan + chain + links).map {
      isUpsideDown ? TestEdge(dependent: $0.dependency, dependency: $0.dependent) : $0
    }
    var graph = DependencyGraph<Int>(nodes: 2 * count + 1)
    #expect(graph.link(edges) == 0)
    print("fan takes chain: \(perEdge(graph.exploredCount, edges.count)) steps an edge")
    #expect(graph.exploredCount <= 30 * edges.count)
    #expect(graph.brokenInvariants() == [])
  }

  private func perEdge(_ steps: Int, _ edges: Int) -> Double {
    Double(steps * 100 / edges) / 100
  }
}
