import PoolModel
package import PoolSystem
import PoolText

/// The block at the end of a terminal that shows a run: how far it is, why slots are idle, the
/// latest failures, and what has been executing for a while.
///
/// It is fed with states of the run, in the order of time, and returns lines.
package struct LiveBlock {
  /// What the terminal can show.
  package struct Style: Hashable, Sendable {
    package var hasColors: Bool
    /// Whether it shows characters beyond ASCII.
    package var isUnicode: Bool

    package init(hasColors: Bool, isUnicode: Bool) {
      (self.hasColors, self.isUnicode) = (hasColors, isUnicode)
    }
  }

  /// The most operations with a row.
  static let rowLimit = 8
  /// Below this number of columns, only the first line is shown.
  static let leastColumns = 40
  /// From this number of columns on, groups or worker configurations have a line.
  package static let wideColumns = 120
  /// From this number of columns on, several reasons for idle slots are shown.
  private static let longReasonColumns = 72
  private static let indentation = "  "
  /// The most failures that are shown, and the rows of a terminal for each.
  private static let failureLimit = 3
  private static let rowsOfFailure = 20
  /// Nanoseconds for which slots are idle before it is said why: 2 s.
  static let patience: Int64 = 2_000_000_000

  private let style: Style
  private var rows = BlockRows()
  /// When slots began to be idle, in nanoseconds since the run began; nil while none is.
  private var idleSince: Int64?

  /// A block that has shown nothing yet.
  package init(_ style: Style) {
    self.style = style
  }

  /// The operations that have a row.
  package var shownOperations: [Int] { rows.numbers }

  /// The lines for a state; each has fewer columns than the terminal, which has more rows.
  ///
  /// The closure returns what is shown of an operation that executes.
  package mutating func lines(
    of run: WatchedRun,
    in size: Terminal.Size,
    describe: (Int) -> WatchedRun.Details
  ) -> [String] {
    let columns = max(size.columns - 1, 0)
    let idle = noteIdle(run, columns: columns)
    let most = max(min(Self.rowLimit, size.rows / 3 - 2), 0)
    let shown = rows.place(
      run.executions,
      most: size.columns < Self.leastColumns ? 0 : most,
      expected: { describe($0).expected }
    )
    var lines = [StatusLine(run, style).line(columns: columns, isIdle: idle != nil)]
    if size.columns >= Self.leastColumns {
      if size.columns >= Self.wideColumns { lines += Self.shareLine(of: run, columns: columns) }
      if let idle { lines.append(PaintedLine(Self.indentation + idle, .warning, columns: columns)) }
      lines += failureLines(of: run, in: size)
      lines += ExecutionLines(shown, of: run, columns: columns).lines(describe)
    }
    return lines.prefix(max(size.rows - 1, 1)).map { $0.text(hasColors: style.hasColors) }
  }

  /// Notes since when slots are idle; returns the reasons once that has lasted.
  private mutating func noteIdle(_ run: WatchedRun, columns: Int) -> String? {
    let parts = IdleSlots(run.slots, run.progress).lasting
    let now = run.progress.elapsed
    guard let first = parts.first else {
      idleSince = nil
      return nil
    }
    let since = idleSince ?? now
    idleSince = since
    guard now - since >= Self.patience else { return nil }
    let count = parts.reduce(0) { $0 + $1.count }
    let slots = "\(count) of \(Plural.of(run.slots.slots, "slot")) idle"
    guard columns >= Self.longReasonColumns else {
      return "\(first.reason.words)\(IdleSlots.rest(of: parts, beyond: 1)): \(slots)"
    }
    let start = "\(slots) for \(DurationFormat.clock(now - since)): "
    let room = columns - Self.indentation.count - DisplayWidth.of(start)
    return start + IdleSlots.list(parts, columns: room)
  }

  private static func shareLine(of run: WatchedRun, columns: Int) -> [PaintedLine] {
    guard run.shares.count > 1 else { return [] }
    let parts = run.shares.map { "\(Printable.name($0.name)) \($0.count)/\($0.total)" }
    return [PaintedLine("  " + parts.joined(separator: " · "), .dim, columns: columns)]
  }

  private func failureLines(of run: WatchedRun, in size: Terminal.Size) -> [PaintedLine] {
    let count = max(min(Self.failureLimit, size.rows / Self.rowsOfFailure), 0)
    return run.failures.prefix(count).reversed().map { failure in
      PaintedLine("  " + Printable.text(failure), .bad, columns: size.columns - 1)
    }
  }
}
