import PoolModel
import PoolSystem
import Synchronization

/// The progress line on a terminal, its effect on other text there, and whether that text has left
/// its last line open; the last also where there is no terminal.
///
/// Call ``clear()`` before other text is written, and ``wrote(_:isMessage:)`` after. The printer's
/// thread does that, and draws; any thread may hide the line.
package final class ProgressLine: Sendable {
  private struct State {
    var screen = ProgressScreen()
    var shownAt: Int64 = 0
    var isHidden = false
    var openLine = OpenLine()
  }

  /// Returns the text for a width, or nil to leave the line as it is; nil if there is no line.
  private let text: (@Sendable (_ width: Int) -> String?)?
  private let descriptor: Int32
  package let isTerminal: Bool
  private let state = Mutex(State())

  /// Shortest period between two drawings: ten times a second.
  private static let period = Int64.milliseconds(100)

  /// The columns that stay free: for the cursor, and for the `^C` that a terminal shows after it.
  private static let margin = 3

  /// Makes a line for a descriptor, usually the standard error stream.
  package init(on descriptor: Int32, _ text: (@Sendable (_ width: Int) -> String?)?) {
    self.text = text
    self.descriptor = descriptor
    isTerminal = Descriptors.isTerminal(descriptor)
  }

  /// Whether ``show()`` has to be called from time to time.
  package var isWanted: Bool { text != nil && isTerminal }

  /// Redraws the line if its period has passed and the terminal is ours to write to.
  ///
  /// When a shell has put this process into the background, it writes there itself.
  package func show() {
    guard isWanted, let text else { return }
    let now = MonotonicClock.now
    state.withLock { state in
      guard now - state.shownAt >= Self.period, !state.isHidden,
        Terminal.isForeground(descriptor), let columns = Terminal.columns(of: descriptor)
      else { return }
      state.shownAt = now
      // Never block on a stopped terminal while the lock is held.
      guard SystemIO.canWrite(descriptor), let line = text(max(columns - Self.margin, 0)) else {
        return
      }
      write(state.screen.draw(line, columns: columns))
    }
  }

  /// Removes the line, before other text is written.
  package func clear() {
    guard isWanted, state.withLock({ $0.screen.isShown }) else { return }
    // Before taking the lock: a terminal may be stopped.
    SystemIO.waitForRoom(descriptor)
    state.withLock { remove(&$0.screen) }
  }

  /// Removes the line, and draws none until ``unhide()``.
  package func hide() {
    guard isWanted else { return }
    state.withLock { state in
      state.isHidden = true
      if SystemIO.canWrite(descriptor) { remove(&state.screen) }
    }
  }

  /// Allows the line again.
  package func unhide() {
    state.withLock { $0.isHidden = false }
  }

  /// Notes text that was written to the descriptor, or to what it leads to, or the end of it.
  package func wrote(_ text: UnsafeRawBufferPointer, isMessage: Bool = false) {
    state.withLock { state in
      if isTerminal { state.screen.wrote(text) }
      state.openLine.wrote(text.last, isMessage: isMessage)
    }
  }

  /// Whether the last line is open, and by what.
  var openLine: OpenLine { state.withLock { $0.openLine } }

  private func remove(_ screen: inout ProgressScreen) {
    let bytes = screen.clear()
    // In the background, the line belongs to the shell.
    if !bytes.isEmpty, Terminal.isForeground(descriptor) { write(bytes) }
  }

  private func write(_ bytes: [UInt8]) {
    // A closed terminal does not need it.
    try? SystemIO.writeAll(descriptor, bytes)
  }
}
