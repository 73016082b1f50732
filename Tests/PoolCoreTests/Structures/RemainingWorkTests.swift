import PoolTestSupport
import Testing

@testable import PoolCore

/// Contract: what lies ahead of a node is its own weight and the heaviest chain of dependents.
@Suite("Remaining work")
struct RemainingWorkTests {
  private func rows(_ dependencies: [[Int]]) -> DependencyRows {
    var rows = DependencyRows()
    for row in dependencies {
      for target in row { rows.append(target) }
      rows.endRow()
    }
    return rows
  }

  @Test("Without dependencies it is a node's own weight")
  func independent() {
    #expect(RemainingWork.lengths(DependencyRows(), weights: []) == [])
    #expect(RemainingWork.lengths(rows([[], [], []]), weights: [3, 1, 2]) == [3, 1, 2])
  }

  @Test("Of several chains the heaviest counts, not the longest")
  func diamond() {
    // 0 before 1 and 2, both before 4; 3 is between 2 and 4.
    let graph = rows([[], [0], [0], [2], [1, 3]])
    #expect(RemainingWork.lengths(graph, weights: [1, 10, 1, 1, 5]) == [16, 15, 7, 6, 5])
    #expect(RemainingWork.lengths(graph, weights: [1, 1, 1, 1, 1]) == [4, 2, 3, 2, 1])
  }

  @Test("Nodes behind the weights weigh nothing, and pass on what is behind them")
  func joins() {
    // 2 is a join of 0 and 1, and 3 would have waited for it if it were not before it.
    let graph = rows([[], [], [3], [0, 1]])
    #expect(RemainingWork.lengths(graph, weights: [1, 2, 7]) == [8, 9, 7, 7])
  }

  @Test("Sums do not overflow, and a long chain needs no stack of the machine")
  func extremes() {
    let count = 200_000
    var chain = DependencyRows()
    for node in 0..<count {
      if node > 0 { chain.append(node - 1) }
      chain.endRow()
    }
    let lengths = RemainingWork.lengths(chain, weights: Array(repeating: 2, count: count))
    #expect(lengths.first == Int64(2 * count) && lengths.last == 2)
    let large = RemainingWork.lengths(chain, weights: Array(repeating: .max / 3, count: count))
    #expect(large.first == .max && large.last == .max / 3)
  }

  @Test("Random graphs are as the definition says, tried chain by chain")
  func randomGraphs() {
    for seed in RandomSeeds.first(400) {
      var random = SeededGenerator(seed: seed)
      let count = Int.random(in: 1...9, using: &random)
      let numbers = Array(0..<count).shuffled(using: &random)
      var dependencies = [[Int]](repeating: [], count: count)
      for later in 0..<count {
        for earlier in 0..<later where Int.random(in: 0..<3, using: &random) == 0 {
          dependencies[numbers[later]].append(numbers[earlier])
        }
      }
      let weights = (0..<count).map { _ in Int64.random(in: 0...20, using: &random) }
      let expected = (0..<count).map { heaviestChain(from: $0, dependencies, weights) }
      let lengths = RemainingWork.lengths(rows(dependencies), weights: weights)
      #expect(lengths == expected, "OPOOL_SEED=\(seed)")
    }
  }

  /// Tries every chain; exponential, and obviously right.
  private func heaviestChain(
    from node: Int,
    _ dependencies: [[Int]],
    _ weights: [Int64]
  ) -> Int64 {
    let dependents = dependencies.indices.filter { dependencies[$0].contains(node) }
    let chains = dependents.map { heaviestChain(from: $0, dependencies, weights) }
    return weights[node] + (chains.max() ?? 0)
  }
}
