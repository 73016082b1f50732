import PoolModel
import PoolSystem

/// The line on a terminal that says how far a run has come.
///
/// Whatever else is written there comes between ``clear()`` and ``show()``.
struct ProgressLine {
  /// The text for a width; nil where there is nothing to show.
  private let text: (@Sendable (_ width: Int) -> String)?
  private let descriptor: Int32
  private var isShown = false
  private var shownAt: Int64 = 0

  /// How often the line is renewed at most: ten times a second.
  private static let period = Int64.milliseconds(100)

  /// A line behind a descriptor, usually the standard error stream.
  init(_ text: (@Sendable (_ width: Int) -> String)?, on descriptor: Int32) {
    self.text = text
    self.descriptor = descriptor
  }

  /// Renews the line, where the last one is old enough.
  mutating func show() {
    let now = MonotonicClock.now
    guard let text, now - shownAt >= Self.period,
      let columns = Terminal.columns(of: descriptor)
    else { return }
    shownAt = now
    isShown = true
    // Somebody who has closed the terminal does not miss it.
    try? SystemIO.writeAll(descriptor, Array(("\r\u{1B}[K" + text(columns - 1)).utf8))
  }

  /// Removes the line, before something else is written.
  mutating func clear() {
    guard isShown else { return }
    isShown = false
    try? SystemIO.writeAll(descriptor, Array("\r\u{1B}[K".utf8))
  }
}
