import PoolContents
import Testing

@testable import PoolReports

/// Contract: of what a failed operation printed, the last lines are shown, safe for a terminal.
@Suite("The end of a failed operation's output")
struct OutputEndTests {
  private func lines(_ output: String, _ error: String) -> [String] {
    let pair = OutputPair(output: .inline(Array(output.utf8)), error: .inline(Array(error.utf8)))
    return OutputEnd(of: pair).lines(of: Array("a\u{1B}".utf8))
  }

  @Test("is that of the error output, or of the output where the error output is empty")
  func streams() {
    #expect(
      lines("out\n", "err\u{7}\n\nlast") == [
        #"opool: a\x1B: its error output:"#, #"  err\x07"#, "  ", "  last",
      ]
    )
    #expect(lines("out\n", "") == [#"opool: a\x1B: its output:"#, "  out"])
    #expect(lines("", "").isEmpty)
  }

  @Test("has ten lines at most, and no line that has lost its beginning")
  func limits() {
    let many = (1...11).map { "\($0)\n" }.joined()
    #expect(
      lines("", many)
        == [#"opool: a\x1B: the end of its error output:"#] + (2...11).map { "  \($0)" }
    )
    let ten = (1...10).map { "\($0)\n" }.joined()
    #expect(lines("", ten).first == #"opool: a\x1B: its error output:"#)
    let long = String(repeating: "x", count: 9_000)
    #expect(lines("", long + "\nlast\n").dropFirst() == ["  last"])
    let cut = lines("", long)
    #expect(cut.count == 2 && cut[1].hasSuffix("x…") && cut[1].count == 2 + OutputEnd.width)
  }

  @Test("is not known where only the beginning of the output was kept")
  func unknown() {
    let pair = OutputPair(output: .empty, error: .start([0x78], of: 100_000))
    #expect(OutputEnd(of: pair).lines(of: [0x61]).isEmpty)
  }
}
