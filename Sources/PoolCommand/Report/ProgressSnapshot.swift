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

  /// Nanoseconds until the end, if the rest goes as fast as what has ended; nil before anything
  /// has ended.
  package var remaining: Int64? {
    guard finished > 0, total >= finished else { return nil }
    return .seconds(Double(elapsed) / 1e9 / Double(finished) * Double(total - finished))
  }

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
    var parts = ["\(finished)/\(total)", "\(executing) executing"]
    if failed > 0 { parts.append("\(failed) failed") }
    parts.append(DurationText.clock(elapsed))
    if let remaining { parts.append(DurationText.clock(remaining) + " left") }
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
