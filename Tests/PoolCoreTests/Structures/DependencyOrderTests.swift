import PoolTestSupport
import Testing

@testable import PoolCore

/// Contract: levels are the longest paths to a node without dependencies, the order respects
/// them and is stable, and a graph that cannot be ordered yields one true cycle.
@Suite("The order of dependencies")
struct DependencyOrderTests {
  private func rows(_ dependencies: [[Int]]) -> DependencyRows {
    var rows = DependencyRows()
    for row in dependencies {
      for target in row { rows.append(target) }
      rows.endRow()
    }
    return rows
  }

  @Test("No nodes have no levels")
  func empty() throws {
    let order = try DependencyOrder(DependencyRows())
    #expect(order.levels.isEmpty)
    #expect(order.order.isEmpty)
    #expect(order.levelCount == 0)
    #expect(order.widest == 0)
  }

  @Test("A node's level is one more than the highest of its dependencies")
  func diamond() throws {
    let order = try DependencyOrder(rows([[3], [0, 3], [], [2], [1, 2]]))
    #expect(order.levels == [2, 3, 0, 1, 4])
    #expect(order.order == [2, 3, 0, 1, 4])
    #expect(order.levelCount == 5)
    #expect(order.widest == 1)
  }

  @Test("Nodes of one level keep their order")
  func stable() throws {
    let order = try DependencyOrder(rows([[4], [], [4], [], []]))
    #expect(order.order == [1, 3, 4, 0, 2])
    #expect(order.widest == 3)
  }

  @Test(
    "A cycle is reported from its smallest node on",
    arguments: [
      ([[0]], [0]),
      ([[], [3], [1], [2]], [1, 3, 2]),
      ([[1], [2], [3], [2]], [2, 3]),
      ([[1, 2], [], [1, 0]], [0, 2]),
    ]
  )
  func cycles(dependencies: [[Int]], path: [Int]) {
    #expect(throws: DependencyCycle(path: path)) {
      try DependencyOrder(rows(dependencies))
    }
  }

  @Test("A chain of 200,000, written backwards, needs no stack of the machine")
  func longChain() throws {
    let count = 200_000
    var chain = DependencyRows()
    for node in 0..<count {
      if node + 1 < count { chain.append(node + 1) }
      chain.endRow()
    }
    let order = try DependencyOrder(chain)
    #expect(order.levelCount == count)
    #expect(order.levels[0] == UInt32(count - 1))
  }

  @Test("Joins pass levels on, and are left out of the answer")
  func joins() throws {
    // 4 waits for nothing, 5 for nodes 0 and 1, and 6 for that join.
    let graph = rows([[], [0], [5], [4, 6], [], [0, 1], [5]])
    let order = try DependencyOrder(graph, joinsFrom: 4)
    #expect(order.levels == [0, 1, 2, 2])
    #expect(order.order == [0, 1, 2, 3])
    #expect(order.levelCount == 3)
    #expect(order.widest == 2)
    #expect(throws: DependencyCycle(path: [0, 2])) {
      try DependencyOrder(rows([[2], [], [0, 1]]), joinsFrom: 2)
    }
  }

  @Test("Random graphs are ordered as the definition says, or have the cycle that is reported")
  func randomGraphs() {
    for seed in UInt64(1)...2_000 {
      var random = SeededGenerator(seed: seed)
      let count = Int.random(in: 1...12, using: &random)
      let graph = (0..<count).map { _ in
        (0..<Int.random(in: 0...2, using: &random)).map { _ in
          Int.random(in: 0..<count, using: &random)
        }
      }
      check(graph, seed: seed)
    }
  }

  private func check(_ graph: [[Int]], seed: UInt64) {
    do {
      let order = try DependencyOrder(rows(graph))
      for (node, dependencies) in graph.enumerated() {
        let expected = dependencies.map { order.levels[$0] + 1 }.max() ?? 0
        #expect(order.levels[node] == expected, "seed \(seed), node \(node)")
      }
      let sorted = graph.indices.sorted { (order.levels[$0], $0) < (order.levels[$1], $1) }
      #expect(order.order.map(Int.init) == sorted, "seed \(seed)")
    } catch {
      let path = error.path
      #expect(Set(path).count == path.count, "seed \(seed)")
      for (node, next) in zip(path, path.dropFirst() + path.prefix(1)) {
        #expect(graph[node].contains(next), "seed \(seed), \(path)")
      }
    }
  }
}
