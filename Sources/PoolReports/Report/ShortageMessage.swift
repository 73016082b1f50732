/// The message about a shortage of open files.
///
/// It is delayed until a worker has started: it says
/// that the pool tries again, which is wrong if not even one worker can start.
package struct ShortageMessage {
  /// The line to print when a worker has greeted.
  private var line: String?
  private var hasGreeted = false

  package init() {}

  /// Notes that fewer workers than configured started; returns whether to print the line now.
  package mutating func metShortage(_ line: String, isOwnLimit: Bool) -> Bool {
    guard isOwnLimit, !hasGreeted else { return true }
    if self.line == nil { self.line = line }
    return false
  }

  /// Notes a greeting; returns the delayed line, if any.
  package mutating func greeted() -> String? {
    hasGreeted = true
    defer { line = nil }
    return line
  }

  /// Drops the line: no worker can start, which is reported elsewhere.
  package mutating func gaveUp() {
    line = nil
  }
}
