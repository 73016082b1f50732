import PoolModel

/// How far a run has come, for the line on a terminal.
package struct ProgressSnapshot: Hashable, Sendable {
  /// What has been executing longest.
  package struct Longest: Hashable, Sendable {
    package var label: String
    /// Nanoseconds since it started.
    package var elapsed: Int64

    package init(label: String, elapsed: Int64) {
      self.label = label
      self.elapsed = elapsed
    }
  }

  /// Operations that have ended, in whatever way.
  package var finished: Int
  package var total: Int
  package var executing: Int
  /// Operations that failed, timed out or were lost.
  package var failed: Int
  /// Nanoseconds since the run began.
  package var elapsed: Int64
  package var longest: Longest?
  /// How long the rest will take; nil where nothing can be said.
  package var remaining: RemainingTime?
  /// Whether more operations may come, because the input has not ended.
  package var isOpen = false

  package init(
    finished: Int,
    total: Int,
    executing: Int,
    failed: Int,
    elapsed: Int64,
    longest: Longest? = nil
  ) {
    self.finished = finished
    self.total = total
    self.executing = executing
    self.failed = failed
    self.elapsed = elapsed
    self.longest = longest
  }

  /// Whether nothing is left to happen.
  package var isOver: Bool { finished == total && !isOpen }

  /// The line, in at most that many columns; give one less than the terminal has, so that the
  /// cursor stays on the line.
  ///
  /// Where there is not enough room the parts go from the last on; the first is always there,
  /// cut where it must be.
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
    if failed > 0 { parts.append("\(failed) failed") }
    parts.append(DurationText.clock(elapsed))
    if let remaining { parts.append("\(remaining)") }
    return parts
  }

  /// What has been executing longest, if there is room for ten columns of it at least.
  private func longestPart(width: Int) -> String {
    guard let longest else { return "" }
    let time = " " + DurationText.clock(longest.elapsed)
    let room = width - 2 - DisplayWidth.of(time)
    let label = Printable.text(longest.label)
    guard room >= min(10, DisplayWidth.of(label)) else { return "" }
    return ": " + DisplayWidth.truncate(label, to: room) + time
  }
}
