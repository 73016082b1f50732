import PoolModel
import PoolText

/// When a run whose standard error is no terminal reports how far it is.
package struct ProgressReports: Hashable {
  /// Nanoseconds from one report to the next, unless the user says otherwise: 30 s.
  static let usualInterval: Int64 = 30_000_000_000

  /// Nanoseconds from one report to the next.
  package let interval: Int64
  /// When the next report is due, in nanoseconds of a monotonic clock.
  package private(set) var nextAt: Int64

  /// Starts at a moment of the clock.
  package init(every interval: Int64, from start: Int64) {
    self.interval = interval
    nextAt = start.saturatingSum(interval)
  }

  /// Whether a report is due; then the next one is due an interval later.
  ///
  /// Reports that were missed, because the process was stopped, are not made up for.
  package mutating func isDue(at now: Int64) -> Bool {
    guard now >= nextAt else { return false }
    nextAt = now.saturatingSum(interval)
    return true
  }

  /// The choice of whether, and how often, a run reports.
  package struct Choice {
    /// Nanoseconds that the user asked for, or 0 for no report; nil without a wish.
    package var request: Int64?
    package var isQuiet = false
    /// Whether the user wants no progress line.
    package var declinesProgress = false
    /// Whether the run has a progress line, which shows the same.
    package var hasProgressLine = false
    /// Whether the standard error is a terminal that can show a progress line.
    package var isErrorTerminal = false

    package init(
      request: Int64? = nil,
      isQuiet: Bool = false,
      declinesProgress: Bool = false,
      hasProgressLine: Bool = false,
      isErrorTerminal: Bool = false
    ) {
      self.request = request
      self.isQuiet = isQuiet
      self.declinesProgress = declinesProgress
      self.hasProgressLine = hasProgressLine
      self.isErrorTerminal = isErrorTerminal
    }

    /// Nanoseconds from one report to the next; nil without reports.
    package var interval: Int64? {
      if hasProgressLine { return nil }
      if let request { return request > 0 ? request : nil }
      return isQuiet || declinesProgress || isErrorTerminal ? nil : usualInterval
    }
  }
}

extension ProgressSnapshot {
  /// Number of operations that a report names.
  package static let namedCount = 3
  /// Number of columns that a name takes at most in a report.
  private static let nameWidth = 60

  /// The progress as a sentence for a file: `120 of 500 done, 3 failed, 8 executing (fit 1:02, pack
  /// 0:07, lint 0:03 and 5 more), about 2:10 left`.
  package var report: String {
    var parts = ["\(finished) of \(total)\(isOpen ? " so far" : "") done"]
    if failed > 0 { parts.append("\(failed) failed") }
    parts.append("\(executing) executing\(oldestPart)")
    if let delayedPart { parts.append(delayedPart) }
    if let startingPart { parts.append(startingPart) }
    if let remaining { parts.append("about \(remaining)") }
    return parts.joined(separator: ", ") + (idle?.words.map { "; " + $0 } ?? "")
  }

  /// The operations that have been executing longest, and the number of the others.
  private var oldestPart: String {
    guard !oldest.isEmpty else { return "" }
    let names = oldest.prefix(Self.namedCount).map { execution in
      DisplayWidth.truncateMiddle(Printable.name(execution.label), to: Self.nameWidth) + " "
        + DurationFormat.clock(execution.elapsed)
    }
    let rest = executing - names.count
    return " (\(names.joined(separator: ", "))\(rest > 0 ? " and \(rest) more" : ""))"
  }
}
