import PoolModel
import PoolText

/// The state of a run that the progress line shows.
package struct ProgressSnapshot: Hashable, Sendable {
  /// An operation that executes.
  package struct Execution: Hashable, Sendable {
    package var label: String
    /// Nanoseconds since it started.
    package var elapsed: Int64

    package init(label: String, elapsed: Int64) {
      self.label = label
      self.elapsed = elapsed
    }
  }

  /// Number of operations that have ended, with any outcome.
  package var finished: Int
  /// Number of operations that executed in this run, and ended.
  package var executed = 0
  package var total: Int
  package var executing: Int
  /// Operations that failed, timed out or were lost.
  package var failed: Int
  /// Operations that wait to be tried again.
  package var delayed = 0
  /// Nanoseconds until the first of them is tried again at the earliest.
  package var nextAttempt: Int64?
  /// Nanoseconds since the run began.
  package var elapsed: Int64
  /// The operations that have been executing longest, the longest first.
  package var oldest: [Execution]
  /// Estimated remaining time: the one that a line, a block, a log and a status show; nil if
  /// unknown.
  package var remaining: RemainingTime?
  /// Whether the input may still add operations.
  package var isOpen = false
  /// The slots that are idle, and why; only for reports.
  package var idle: IdleSlots?
  /// Number of workers that have not greeted yet, while nothing executes.
  package var starting = 0
  /// Number of those that may take as long as they need.
  package var pending = 0

  package init(
    finished: Int,
    total: Int,
    executing: Int,
    failed: Int,
    elapsed: Int64,
    oldest: [Execution] = []
  ) {
    self.finished = finished
    self.total = total
    self.executing = executing
    self.failed = failed
    self.elapsed = elapsed
    self.oldest = oldest
  }

  /// Whether the run is complete.
  package var isOver: Bool { finished == total && !isOpen }

  /// What a terminal shows, with a line in at most `width` columns.
  package func text(width: Int) -> ProgressText {
    ProgressText(line(width: width), share: share)
  }

  /// What a terminal shows beside its text.
  package var share: TerminalShare {
    guard !isOpen, total > 0 else { return .unknown }
    let percent = finished * 100 / total
    return failed > 0 ? .failing(percent: percent) : .ended(percent: percent)
  }

  /// The progress line in at most `width` columns.
  ///
  /// Pass one less than the terminal's width, so that
  /// the cursor stays in the row.
  ///
  /// If the width is too small, the last parts are dropped first; the first part is truncated.
  package func line(width: Int) -> String {
    let parts = parts
    var line = DisplayWidth.truncate(parts[0], to: width)
    for part in parts.dropFirst() {
      guard DisplayWidth.of(line) + 2 + DisplayWidth.of(part) <= width else { return line }
      line += ", " + part
    }
    return line + longestPart(width: width - DisplayWidth.of(line))
  }

  private var parts: [String] {
    var parts = ["\(finished)/\(total)\(isOpen ? "+" : "")", "\(executing) executing"]
    if let delayedPart { parts.append(delayedPart) }
    if let startingPart { parts.append(startingPart) }
    if failed > 0 { parts.append("\(failed) failed") }
    parts.append(DurationFormat.clock(elapsed))
    if let remaining { parts.append("\(remaining)") }
    return parts
  }

  /// What waits to be tried again, and for how long: `2 to retry in 0:05`.
  var delayedPart: String? {
    guard delayed > 0, let nextAttempt else { return nil }
    return "\(delayed) to retry in \(DurationFormat.clock(nextAttempt))"
  }

  /// The workers that are waited for; nil while something executes.
  var startingPart: String? {
    guard starting > 0, executing == 0 else { return nil }
    let parts = [(starting - pending, "starting"), (pending, "pending")].filter { $0.0 > 0 }
    return parts.map { "\(Plural.of($0.0, "worker")) \($0.1)" }.joined(separator: ", ")
  }

  /// The longest execution, if at least ten columns are left for it.
  private func longestPart(width: Int) -> String {
    guard let longest = oldest.first else { return "" }
    let time = " " + DurationFormat.clock(longest.elapsed)
    let room = width - 2 - DisplayWidth.of(time)
    let label = Printable.name(longest.label)
    guard room >= min(10, DisplayWidth.of(label)) else { return "" }
    return ": " + DisplayWidth.truncateMiddle(label, to: room) + time
  }
}
