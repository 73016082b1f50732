import PoolTestSupport
import Testing

@testable import PoolReports

/// Contract: an operation keeps its row until it ends.
@Suite("Rows of the live block")
struct BlockRowsTests {
  private static let second: Int64 = 1_000_000_000

  private func shown(
    _ rows: inout BlockRows,
    _ seconds: [Int: Int64],
    most: Int = 3,
    expected: [Int: Int64] = [:]
  ) -> [Int?] {
    let executions = seconds.map { WatchedRun.Execution($0.key, for: $0.value * Self.second) }
    return rows.place(executions, most: most) { expected[$0].map { $0 * Self.second } }
      .map { $0?.number }
  }

  @Test("go to what has executed for a second, the longest first")
  func order() {
    var rows = BlockRows()
    #expect(shown(&rows, [1: 0, 2: 5, 3: 1, 4: 9]) == [4, 2, 3])
    #expect(rows.numbers == [4, 2, 3])
  }

  @Test("go to what is overdue before others")
  func overdue() {
    var rows = BlockRows()
    let expected: [Int: Int64] = [1: 100, 2: 2, 3: 4]
    #expect(shown(&rows, [1: 50, 2: 6, 3: 9, 4: 20], expected: expected) == [3, 2, 1])
  }

  @Test("stay where they are when others end, and free ones go to those that wait")
  func places() {
    var rows = BlockRows()
    #expect(shown(&rows, [1: 9, 2: 8, 3: 7, 4: 6]) == [1, 2, 3])
    #expect(shown(&rows, [1: 9, 3: 7, 4: 6]) == [1, 4, 3])
    #expect(shown(&rows, [3: 7, 4: 6]) == [nil, 4, 3])
    #expect(shown(&rows, [4: 6, 5: 0]) == [nil, 4])
    #expect(shown(&rows, [4: 6, 5: 1]) == [5, 4])
    #expect(shown(&rows, [4: 6, 5: 1], most: 1) == [5])
    #expect(shown(&rows, [:]).isEmpty)
  }

  @Test("never change under an operation that goes on")
  func random() {
    var generator = SeededGenerator(seed: 40)
    var rows = BlockRows()
    var executing: [Int: Int64] = [:]
    var before: [Int: Int] = [:]
    for step in 0..<5_000 {
      for number in executing.keys where Int.random(in: 0..<6, using: &generator) == 0 {
        executing[number] = nil
      }
      executing[step] = Int64.random(in: 0...30, using: &generator)
      let shown = shown(&rows, executing, most: 4)
      var places: [Int: Int] = [:]
      for (place, number) in shown.enumerated() {
        if let number { places[number] = place }
      }
      for (number, place) in before where executing[number] != nil {
        #expect(places[number] == place, "step \(step)")
      }
      let waiting = executing.count { $0.value >= 1 }
      #expect(places.count == min(waiting, 4), "step \(step)")
      before = places
    }
  }
}
