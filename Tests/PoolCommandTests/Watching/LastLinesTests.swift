import PoolModel
import Testing

@testable import PoolReports

/// Contract: a shown operation is asked twice a second at most, and not before it has answered.
@Suite("Last lines of shown operations")
struct LastLinesTests {
  private static let half: Int64 = 500_000_000

  private func outputs(_ output: String, _ error: String = "") -> WrittenOutputs {
    WrittenOutputs(
      output: WrittenPiece(Array(output.utf8), end: Int64(output.utf8.count)),
      error: WrittenPiece(Array(error.utf8), end: Int64(error.utf8.count))
    )
  }

  private func text(_ lines: LastLines, _ number: Int = 1) -> String? {
    lines.line(of: number).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("are asked for when shown, and again half a second after an answer at the earliest")
  func period() {
    var lines = LastLines()
    #expect(lines.due(among: [1, 2], at: 0) == [1, 2])
    #expect(lines.due(among: [1, 2], at: 9 * Self.half).isEmpty)
    lines.take(outputs("a\n"), of: 2)
    #expect(lines.due(among: [1, 2], at: 9 * Self.half) == [2])
    lines.take(outputs("a\nb\n"), of: 2)
    #expect(lines.due(among: [1, 2], at: 10 * Self.half - 1).isEmpty)
    #expect(lines.due(among: [1, 2], at: 10 * Self.half) == [2])
    // One that is not shown any more is forgotten, and so is its answer.
    #expect(lines.due(among: [2], at: 10 * Self.half).isEmpty)
    lines.take(outputs("x"), of: 1)
    #expect(lines.line(of: 1) == nil)
  }

  @Test("are those that were written last, also of progress that a carriage return begins anew")
  func choice() {
    var lines = LastLines()
    _ = lines.due(among: [1], at: 0)
    lines.take(outputs("one\ntwo\n"), of: 1)
    #expect(text(lines) == "two")
    lines.take(outputs("one\ntwo\n", "10 %\r20 %\r"), of: 1)
    #expect(text(lines) == "20 %")
    lines.take(outputs("one\ntwo\nthree\n \n", "10 %\r20 %\r"), of: 1)
    #expect(text(lines) == "three")
    lines.take(outputs("one\ntwo\nthree\n \n", "10 %\r20 %\r"), of: 1)
    #expect(text(lines) == "three")
    lines.take(nil, of: 1)
    #expect(text(lines) == nil)
  }
}
