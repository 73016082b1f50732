import PoolEvents
import PoolModel
import PoolTestSupport
import Testing

@testable import PoolReports

/// Contract: the summary of a step has all counts, as many failures as there is room for, and none
/// of their text is markup.
@Suite("The summary of a step")
struct StepSummaryTests {
  /// A summary, and the counts, of so many failures.
  private func failures(_ count: Int, command: String = "false") -> (StepSummary, Summary) {
    var (table, summary) = (StepSummary(), Summary())
    for number in 0..<count {
      let record = EndRecord(number: number, ending: .failed, cause: .exit, exit: 1, attempt: 2)
      let description = OperationDescription(
        id: Array("op\(number)".utf8),
        command: Array(command.utf8)
      )
      summary.add(record) { description }
      if table.isFull {
        table.addOther()
      } else {
        table.add(Summary.Failure(record, description), record)
      }
    }
    return (table, summary)
  }

  private func text(_ parts: (StepSummary, Summary), room: Int = StepSummary.limit) -> String? {
    parts.0.text(of: parts.1, elapsed: 1_500_000_000, room: room)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("has the counts, and a row for each failure")
  func table() {
    #expect(
      text(failures(1)) == """

        ### opool: 1 of 1 operation failed

        | succeeded | failed | time |
        |---:|---:|---:|
        | 0 | 1 | 1.5 s |

        | operation | outcome | attempts | time | command |
        |---|---|---:|---:|---|
        | <code>op0</code> | failed&#58; exit code 1 | 2 |  | <code>false</code> |

        """
    )
  }

  @Test("of a run without operations, and of one that was cut off, is no failure")
  func others() throws {
    var cancelled = Summary()
    cancelled.add(.succeeded)
    cancelled.add(.cancelled)
    let empty = try #require(text((StepSummary(), Summary())))
    #expect(empty.contains("### opool: 0 operations, none failed\n"))
    #expect(!empty.contains("operation |"))
    let cut = try #require(text((StepSummary(), cancelled)))
    #expect(cut.contains("### opool: none of 2 operations failed, not all ran\n"))
    #expect(cut.contains("| succeeded | cancelled | time |"))
  }

  @Test("never has more bytes than there is room for, and counts what it leaves out")
  func bounds() throws {
    let many = failures(1_200, command: String(repeating: "|", count: 100))
    for room in [StepSummary.limit, 100_000] + stride(from: 1_000, to: 5_000, by: 7) {
      let shown = try #require(text(many, room: room))
      #expect(shown.utf8.count <= room)
      let rows = shown.split(separator: "\n").count { $0.hasPrefix("| <code>op") }
      #expect(rows <= StepSummary.rowLimit)
      #expect(shown.hasSuffix("\n… and \(1_200 - rows) more that failed\n"))
    }
    #expect(text(many, room: 100) == nil)
    #expect(text(many, room: -5) == nil)
  }

  @Test("has no markup in text of others", arguments: RandomSeeds.first(200))
  func markup(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let text = String(
      String.UnicodeScalarView(
        (0..<30).map { _ in Unicode.Scalar(UInt8.random(in: 0...255, using: &random)) }
      )
    )
    let cell = MarkdownCell.text(text)
    #expect(!cell.contains { "|`<>*_[]()!~\\@\"'\n\r".contains($0) }, "seed \(seed): \(cell)")
    // Each sign is a numbered character.
    var rest = cell[...]
    var count = 0
    while let start = rest.firstRange(of: "&") {
      rest = rest[start.lowerBound...]
      #expect(rest.prefixMatch(of: /&#[0-9]+;/) != nil, "seed \(seed): \(cell)")
      rest = rest.dropFirst()
      count += 1
    }
    #expect(count == text.unicodeScalars.count { ("!"..."~").contains($0) && !$0.isLetterOrDigit })
  }
}

extension Unicode.Scalar {
  fileprivate var isLetterOrDigit: Bool {
    ("a"..."z").contains(self) || ("A"..."Z").contains(self) || ("0"..."9").contains(self)
  }
}
