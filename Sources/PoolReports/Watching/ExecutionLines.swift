import PoolAnalysis
import PoolModel
import PoolText

/// The lines of a live block for operations that execute.
struct ExecutionLines {
  /// From this number of columns on, it is said where an operation executes.
  private static let placeColumns = 100
  /// The fewest columns for a last line.
  private static let leastLast = 8
  private static let leastName = 12
  /// The columns of the elapsed and the expected time, which go on to `59:59 of ~59:59`.
  private static let timesWidth = 15

  private struct Row {
    let elapsed: Int64
    let name: String
    let details: WatchedRun.Details

    /// Whether it takes much longer than expected: more than twice as long, and 5 s longer.
    var isLate: Bool {
      guard let expected = details.expected else { return false }
      let overdue = elapsed.saturatingDifference(expected)
      return overdue > expected && overdue > 5_000_000_000
    }

    /// How long it executes, and how long it takes as far as that is known: `0:04 of ~0:05`.
    var times: String {
      let clock = DurationFormat.clock(elapsed)
      let blanks = String(repeating: " ", count: max(5 - clock.count, 0))
      guard let expected = details.expected else { return blanks + clock }
      return "\(blanks)\(clock) of ~\(DurationFormat.clock(expected))"
    }
  }

  private let rows: [WatchedRun.Execution?]
  private let hiddenCount: Int
  private let columns: Int

  /// Lines for the operations of rows, and for the number of those that have none.
  init(_ rows: [WatchedRun.Execution?], of run: WatchedRun, columns: Int) {
    self.rows = rows
    self.columns = columns
    let old = run.executions.count { $0.elapsed >= BlockRows.least }
    hiddenCount = rows.isEmpty ? 0 : old - rows.count { $0 != nil }
  }

  /// One line for each row, and one for those without a row.
  func lines(_ describe: (Int) -> WatchedRun.Details) -> [PaintedLine] {
    let rows = rows.map { execution in
      execution.map { execution in
        let details = describe(execution.number)
        return Row(
          elapsed: execution.elapsed,
          name: Printable.name(details.label),
          details: details
        )
      }
    }
    let share = columns < LiveBlock.wideColumns ? 38 : 30
    let longest = rows.compactMap { $0.map { DisplayWidth.of($0.name) } }.max() ?? 0
    let width = max(Self.leastName, min(longest, columns * share / 100))
    var lines = rows.map { $0.map { line(of: $0, nameWidth: width) } ?? PaintedLine() }
    if hiddenCount > 0 {
      lines.append(PaintedLine("  … and \(hiddenCount) more", .dim, columns: columns))
    }
    return lines
  }

  private func line(of row: Row, nameWidth: Int) -> PaintedLine {
    let name = Self.padded(DisplayWidth.truncateMiddle(row.name, to: nameWidth), to: nameWidth)
    var tail = ""
    if columns >= Self.placeColumns, !row.details.place.isEmpty { tail = " " + row.details.place }
    var head = "  \(name)  \(Self.padded(row.times, to: Self.timesWidth))"
    let room = columns - DisplayWidth.of(head + tail) - 1
    if let ending = row.details.ending {
      tail += " being ended \(ending.words)"
    } else if let last = row.details.last, room >= Self.leastLast, !last.isEmpty {
      tail += " " + DisplayWidth.truncate(Printable.text(last), to: room)
    }
    if tail.isEmpty { while head.last == " " { head.removeLast() } }
    var line = PaintedLine(
      head,
      row.isLate || row.details.ending != nil ? .warning : .plain,
      columns: columns
    )
    line.append(DisplayWidth.truncate(tail, to: columns - line.width), .dim)
    return line
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(width - DisplayWidth.of(text), 0))
  }
}
