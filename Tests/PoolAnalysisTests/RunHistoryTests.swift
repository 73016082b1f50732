import PoolEvents
import PoolModel
import Testing

@testable import PoolAnalysis

@Suite("Histories of runs")
struct RunHistoryTests {
  @Test("operations are found by their numbers, in whatever order they are told of")
  func places() {
    for numbers in [[0, 1, 2, 3], [3, 1, 0, 2], [0, 1, 7, 3, 2], [1_000_000_000_000, 0, 1]] {
      var history = RunHistory()
      for number in numbers + numbers {
        let description = OperationDescription(id: Array("\(number)".utf8))
        let record = SubmittedRecord(number: number, description, key: nil)
        history.take(.submitted(record), at: .zero)
      }
      #expect(history.operations.map(\.number) == numbers)
      #expect(numbers.map { history.place(of: $0) } == Array(numbers.indices))
      #expect(history.place(of: -1) == nil && history.place(of: 99) == nil)
    }
  }
}
