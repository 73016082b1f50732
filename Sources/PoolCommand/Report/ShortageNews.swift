/// What is said of a shortage of open files: that it is tried again would be wrong if the run ends
/// at once because not one worker can be started.
struct ShortageNews {
  /// What is said once a worker has greeted.
  private var line: String?
  private var hasGreeted = false

  /// Fewer workers than asked for could be started; returns whether the line is said now.
  mutating func wentOn(_ line: String, isOwnLimit: Bool) -> Bool {
    guard isOwnLimit, !hasGreeted else { return true }
    if self.line == nil { self.line = line }
    return false
  }

  /// A worker has greeted; returns the line that is said now, if there is one.
  mutating func greeted() -> String? {
    hasGreeted = true
    defer { line = nil }
    return line
  }

  /// No worker can be started, which says it all.
  mutating func gaveUp() {
    line = nil
  }
}
