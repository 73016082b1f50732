import PoolEvents
import PoolInputs
import PoolModel
import PoolText

/// A run as Markdown, for the page that GitHub shows of a step: its counts, and a table of what
/// failed.
struct StepSummary {
  /// The most bytes that GitHub takes of a step: 1 MiB.
  static let limit = 1 << 20
  /// The most rows: what a person reads.
  static let rowLimit = 1_000
  /// Number of bytes that stay free for the line that counts what the table leaves out.
  private static let tailSize = 100

  private var rows: [[UInt8]] = []
  private var rowsSize = 0
  /// Number of failures without a row.
  private var others = 0

  /// Whether a failure gets no row any more.
  var isFull: Bool { rows.count >= Self.rowLimit || rowsSize >= Self.limit }

  /// Adds a failure as a row.
  mutating func add(_ failure: Summary.Failure, _ record: EndRecord) {
    let input = failure.input.map { " (\($0))" } ?? ""
    let name = Printable.name(failure.title) + input
    let cells = [
      MarkdownCell.code(name),
      MarkdownCell.text(failure.endingWithReason),
      "\(record.attempt)",
      record.executionTime.map { MarkdownCell.text(DurationFormat.rough($0)) } ?? "",
      MarkdownCell.code(failure.command ?? ""),
    ]
    let row = Array("| \(cells.joined(separator: " | ")) |\n".utf8)
    rows.append(row)
    rowsSize += row.count
  }

  /// Counts a failure that gets no row.
  mutating func addOther() { others += 1 }

  /// The text, of at most so many bytes; nil if not even the counts have room.
  func text(of summary: Summary, elapsed: Int64, room: Int) -> [UInt8]? {
    var text = head(of: summary, elapsed: elapsed)
    var shown = 0
    if !rows.isEmpty {
      text += Array(
        "\n| operation | outcome | attempts | time | command |\n|---|---|---:|---:|---|\n".utf8
      )
    }
    for row in rows {
      guard text.count + row.count + Self.tailSize <= room else { break }
      text += row
      shown += 1
    }
    let missing = rows.count - shown + others
    if missing > 0 { text += Array("\n… and \(missing) more that failed\n".utf8) }
    return text.count <= room ? text : nil
  }

  private func head(of summary: Summary, elapsed: Int64) -> [UInt8] {
    let counted = PoolEnding.allCases.filter { $0 == .succeeded || summary.count($0) > 0 }
    var columns = counted.map { (name: $0.words, value: "\(summary.count($0))") }
    if summary.retried > 0 { columns.append(("tried again", "\(summary.retried)")) }
    if summary.resumed > 0 { columns.append(("of an earlier run", "\(summary.resumed)")) }
    columns.append(("time", DurationFormat.rough(elapsed)))
    let lines = [
      "", "### opool: \(Self.verdict(summary))", "",
      "| \(columns.map(\.name).joined(separator: " | ")) |",
      "|" + String(repeating: "---:|", count: columns.count),
      "| \(columns.map(\.value).joined(separator: " | ")) |", "",
    ]
    return Array(lines.joined(separator: "\n").utf8)
  }

  private static func verdict(_ summary: Summary) -> String {
    let count = PoolEnding.allCases.reduce(0) { $0 + summary.count($1) }
    let operations = "\(count) operation\(count == 1 ? "" : "s")"
    let failures = summary.failureCount
    if failures > 0 { return "\(failures) of \(operations) failed" }
    let isComplete = summary.exitCode == .success
    return isComplete ? "\(operations), none failed" : "none of \(operations) failed, not all ran"
  }
}
