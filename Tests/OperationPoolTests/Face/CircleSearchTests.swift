import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

@testable import OperationPool

/// Contract: circles are found and named, and looking for them costs little on any usual graph.
@Suite("The search for circles", .timeLimit(.minutes(1)))
struct CircleSearchTests {
  private static func operations(_ count: Int) -> [PoolInvocationOperation] {
    (0..<count).map { operation("noop", name: "\($0)") }
  }

  private let queue: QueueClient

  init() throws {
    queue = QueueClient(try Coordinator())
  }

  /// Marks an operation as added; false where it was before.
  private func claim(_ operation: PoolOperation) -> Bool {
    guard case .granted = operation.claim(for: queue) else { return false }
    return true
  }

  /// Adds operations one at a time, as far as the search is concerned.
  private func add(_ operations: [PoolOperation]) -> [PoolOperation]? {
    for operation in operations {
      #expect(claim(operation))
      var search = CircleSearch()
      if let circle = search.find(from: [operation]) { return circle }
    }
    return nil
  }

  @Test("a long chain costs nothing to speak of, added from either end or at once")
  func chains() {
    let count = 40_000
    for order in ["forward", "reverse", "at once"] {
      let chain = Self.operations(count)
      for (next, previous) in zip(chain.dropFirst(), chain) { next.addDependency(previous) }
      // A quadratic search would take 800 million steps.
      switch order {
      case "forward": #expect(add(chain) == nil)
      case "reverse": #expect(add(chain.reversed()) == nil)
      default:
        #expect(chain.allSatisfy(claim))
        var search = CircleSearch()
        #expect(search.find(from: chain.reversed()) == nil)
      }
    }
  }

  @Test("a tower of diamonds has few operations and very many paths, and is searched once")
  func diamonds() {
    var all = Self.operations(1)
    for _ in 0..<2_000 {
      let (left, right, top) = (operation("noop"), operation("noop"), operation("noop"))
      for side in [left, right] {
        side.addDependency(all[all.count - 1])
        top.addDependency(side)
      }
      all += [left, right, top]
    }
    #expect(all.allSatisfy(claim))
    var search = CircleSearch()
    #expect(search.find(from: all.reversed()) == nil)
  }

  @Test("exactly the operations on the circle are named, in its order")
  func names() {
    let all = Self.operations(6)
    // 0 → 1 → 2 → 3 → 1, with 4 and 5 beside it.
    for (dependent, dependency) in [(0, 1), (1, 2), (2, 3), (3, 1), (2, 4), (5, 0)] {
      all[dependent].addDependency(all[dependency])
    }
    let circle = add(all)?.map(\.name)
    #expect(Set(circle ?? []) == ["1", "2", "3"])
    #expect(circle?.count == 3)
  }

  @Test("on random graphs, a circle is found if and only if there is one", arguments: 0..<200)
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let all = Self.operations(12)
    for _ in 0..<Int.random(in: 6...18, using: &generator) {
      let (from, to) = (all.randomElement(using: &generator), all.randomElement(using: &generator))
      if let from, let to { from.addDependency(to) }
    }
    let circle = add(all.shuffled(using: &generator))
    #expect((circle != nil) == hasCircle(all), "seed \(seed)")
    for (operation, next) in zip(circle ?? [], (circle ?? []).dropFirst()) {
      #expect(operation.dependencies.contains { $0 === next }, "seed \(seed)")
    }
  }

  /// Takes away what waits for nothing that is left, until nothing more can be taken.
  private func hasCircle(_ operations: [PoolOperation]) -> Bool {
    var rest = operations
    while true {
      let stuck = rest.filter { one in
        one.dependencies.contains { other in rest.contains { $0 === other } }
      }
      if stuck.count == rest.count { return !rest.isEmpty }
      rest = stuck
    }
  }
}
