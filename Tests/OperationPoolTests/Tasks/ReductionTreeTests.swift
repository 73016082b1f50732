import PoolTestSupport
import Testing

@testable import OperationPool

/// Contract: whatever the order in which values come, neighbours are combined in their order, all
/// of them once, and few wait.
@Suite("The tree of a reduction")
struct ReductionTreeTests {
  private typealias Tree = ReductionTree<[Int]>

  @Test("values that come in any order are combined in that of their inputs", arguments: 2...5)
  func order(_ fanIn: Int) throws {
    for count in 0...70 {
      var generator = SeededGenerator(seed: UInt64(count))
      #expect(try reduce(count, fanIn, &generator) == (count == 0 ? nil : Array(0..<count)))
    }
  }

  /// Puts what is underway into a tree, in a random order.
  private func reduce(
    _ count: Int,
    _ fanIn: Int,
    _ generator: inout some RandomNumberGenerator
  ) throws -> [Int]? {
    var tree = Tree(fanIn: fanIn)
    var underway = (0..<count).map { ($0, Tree.Place(index: $0)) }.map { ([$0], $1) }
    while true {
      if let index = underway.indices.randomElement(using: &generator) {
        let (value, place) = underway.remove(at: index)
        guard let next = tree.put(value, at: place) else { continue }
        #expect((2...fanIn).contains(next.values.count))
        underway.append((next.values.flatMap { $0 }, next.place))
      } else {
        let (next, result) = tree.finish()
        guard let next else { return result }
        #expect((2...fanIn).contains(next.values.count))
        underway.append((next.values.flatMap { $0 }, next.place))
      }
    }
  }

  @Test("with one value that never comes, as many wait as there are levels")
  func flat() {
    var tree = Tree(fanIn: 4)
    for index in 1...100_000 {
      var next = tree.put([], at: Tree.Place(index: index))
      while let combination = next { next = tree.put([], at: combination.place) }
      let waiting = tree.levels.joined().reduce(0) { $0 + $1.value.count }
      #expect(tree.rest == nil && waiting <= 2 * 3 * 9)
    }
  }
}
