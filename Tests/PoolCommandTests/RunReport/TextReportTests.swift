import PoolAnalysis
import PoolEvents
import PoolModel
import Testing

@testable import PoolReports

/// Contract: what a report says as text, and that nothing in it can move a cursor.
@Suite("Reports of runs as text")
struct TextReportTests {
  /// Two operations on one slot; the second one fails.
  private func history(
    id: String = "b",
    message: String = "exit code 3",
    arguments: [String] = ["run", "m x"],
    length: Int64 = 1_000_000_000
  ) -> RunHistory {
    var history = RunHistory()
    let began = RunBegan(
      start: 1_700_000_000_000_000_000,
      run: [],
      journal: nil,
      process: 7,
      host: Array("h".utf8),
      boot: nil,
      cores: 2,
      width: 1,
      arguments: arguments.map { Array($0.utf8) },
      folder: nil
    )
    history.take(.runBegan(began), at: .zero)
    for (number, id) in ["a", id].enumerated() {
      let description = OperationDescription(id: Array(id.utf8))
      history.take(
        .submitted(SubmittedRecord(number: number, description, key: nil)),
        at: .zero
      )
    }
    for number in 0..<2 {
      let start = Instant(nanoseconds: Int64(number) * length)
      let end = EndRecord(
        number: number,
        ending: number == 0 ? .succeeded : .failed,
        attempt: 1,
        worker: WorkerID(rawValue: 1),
        started: start,
        finished: start.advanced(by: length),
        message: number == 0 ? nil : message
      )
      history.take(.attemptEnded(end), at: end.finished ?? .zero)
      history.take(.settled(end, counts: true), at: end.finished ?? .zero)
    }
    history.take(.runEnded(RunEnded(exitCode: 1)), at: Instant(nanoseconds: 2 * length))
    return history
  }

  @Test("of a long command line it has the first arguments, and the number of the others")
  func longCommand() {
    func head(_ arguments: [String]) -> Substring? {
      TextReport.text(of: RunAnalysis(history(arguments: arguments))).split(separator: "\n").first
    }
    let inputs = (1...1_000).map { "f\($0).log" }
    let line = head(["map", "gzip", ":::"] + inputs) ?? ""
    #expect(line.hasPrefix("opool map gzip ::: f1.log f2.log "))
    #expect(line.hasSuffix("f23.log … and 977 more arguments"))
    let long = head([String(repeating: "x", count: 5_000), "y"]) ?? ""
    #expect(long.hasPrefix("opool xxx") && long.hasSuffix("x… … and 2 more arguments"))
    #expect(long.count < 240)
    #expect(head(["map", String(repeating: "x", count: 190)])?.hasSuffix("xx") == true)
  }

  @Test("it says on what the run was executed, what happened, where time went, and why")
  func text() {
    let text = TextReport.text(of: RunAnalysis(history()))
    #expect(
      text == """
        opool run 'm x'
        2023-11-14 22:13:20 UTC, h, 2 cores, opool \(PackageVersion.text), exit code 1

        1 of 2 operations succeeded in 2.00 s: 1 failed.
        The 1 slot executed operations for 100 % of the time.
        Attempts that did not succeed took 1.00 s of slot time (50 %).

        What would have been faster, as the pool's core finds in virtual time:
          1.00 s  1.00 s less  with 2 slots
          1.50 s  0.50 s less  if a took half the time
          1.50 s  0.50 s less  if b took half the time

        What the 1 slot did:
          50 %  1.00 s  executed what succeeded
          50 %  1.00 s  executed what did not succeed

        What went wrong:
          1  failed: exit code 3: b

        Why it took that long:
             at 0 s  1.00 s  a  after the beginning of the run
          at 1.00 s  1.00 s  b  after a free slot

        What took longest:
          1.00 s  a
          1.00 s  b

        """
    )
  }

  @Test("beside an earlier run it says what took longer, or less long")
  func comparison() {
    let (short, long) = (history(), history(length: 3_000_000_000))
    #expect(
      ComparisonText.text(of: RunComparison(of: RunAnalysis(long), with: RunAnalysis(short))) == """
        The run took 6.00 s, 4.00 s longer than the earlier one, which took 2.00 s.

        Operations that took another time:
          before     now                 operation
          1.00 s  3.00 s  2.00 s longer  a
          1.00 s  3.00 s  2.00 s longer  b

        Groups that took another time:
          before     now                 group
          2.00 s  6.00 s  4.00 s longer  (none)

        """
    )
    let text = ComparisonText.text(
      of: RunComparison(of: RunAnalysis(short), with: RunAnalysis(long))
    )
    #expect(text.contains("4.00 s shorter than the earlier one") && text.contains("shorter  a\n"))
  }

  @Test("identifiers and messages cannot move the cursor")
  func hostile() {
    let text = TextReport.text(
      of: RunAnalysis(history(id: "x\u{1B}[2J\ry\nz\u{202E}", message: "m\u{1B}]0;t\u{7}\nn"))
    )
    #expect(!text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" || $0.value == 0x202E })
    #expect(text.contains(#"x\x1B[2J\ry\nz\u{202e}"#))
    #expect(!text.contains("\nz") && !text.contains("\nn"))
  }

  @Test("an identifier that is only a number is followed by the input, or the command")
  func labels() {
    var history = RunHistory()
    let descriptions = [
      OperationDescription(id: [49], input: Array("in\n".utf8), command: Array("c in".utf8)),
      OperationDescription(id: [50], command: Array("cat".utf8)),
      OperationDescription(id: [55], command: Array("cat".utf8)), OperationDescription(id: [52]),
    ]
    for (number, description) in descriptions.enumerated() {
      history.take(
        .submitted(SubmittedRecord(number: number, description, key: nil)),
        at: .zero
      )
    }
    #expect(history.operations.map(\.label) == [#"1 (in\n)"#, "2 (cat)", "7", "4"])
  }

  @Test("a run without operations has a report")
  func empty() {
    let text = TextReport.text(of: RunAnalysis(RunHistory()))
    #expect(text.contains("The run had no operations"))
  }
}
