import PoolModel
import PoolSystem
import Synchronization

/// The line on a terminal that says how far a run has come; and what else is written there.
///
/// Whatever is written to the terminal comes after ``clear()``, and is then taken in. The printer's
/// thread does that, and draws; any thread may hide the line.
final class ProgressLine: Sendable {
  private struct State {
    var screen = ProgressScreen()
    var shownAt: Int64 = 0
    var isHidden = false
    /// Whether what was written last came from opool itself.
    var isMessageLast = false
  }

  /// The text for a width, or nil to leave the line as it is; nil where there is no line.
  private let text: (@Sendable (_ width: Int) -> String?)?
  private let descriptor: Int32
  private let isTerminal: Bool
  private let state = Mutex(State())

  /// How often the line is renewed at most: ten times a second.
  private static let period = Int64.milliseconds(100)

  /// The columns that are left free: for the cursor, and for the `^C` that a terminal shows behind
  /// it.
  private static let margin = 3

  /// A line behind a descriptor, usually the standard error stream.
  init(on descriptor: Int32, _ text: (@Sendable (_ width: Int) -> String?)?) {
    self.text = text
    self.descriptor = descriptor
    isTerminal = Descriptors.isTerminal(descriptor)
  }

  /// Whether there may be a line, so that ``show()`` has to be called now and then.
  var isWanted: Bool { text != nil && isTerminal }

  /// Renews the line, where the last one is old enough and the terminal is ours to write to.
  ///
  /// A shell that has put this process into the background writes there itself.
  func show() {
    guard isWanted, let text else { return }
    let now = MonotonicClock.now
    state.withLock { state in
      guard now - state.shownAt >= Self.period, !state.isHidden,
        Terminal.isForeground(descriptor), let columns = Terminal.columns(of: descriptor)
      else { return }
      state.shownAt = now
      // Never wait for a terminal that was halted, with the lock held.
      guard SystemIO.canWrite(descriptor), let line = text(max(columns - Self.margin, 0)) else {
        return
      }
      write(state.screen.draw(line, columns: columns))
    }
  }

  /// Removes the line, before something else is written.
  func clear() {
    guard isWanted, state.withLock({ $0.screen.isShown }) else { return }
    // Not with the lock held: a terminal may be halted.
    SystemIO.waitForRoom(descriptor)
    state.withLock { remove(&$0.screen) }
  }

  /// Removes the line, and shows none until ``unhide()``.
  func hide() {
    guard isWanted else { return }
    state.withLock { state in
      state.isHidden = true
      if SystemIO.canWrite(descriptor) { remove(&state.screen) }
    }
  }

  /// Allows the line again.
  func unhide() {
    state.withLock { $0.isHidden = false }
  }

  /// Takes in what was written to a descriptor next, or the end of it.
  func wrote(_ text: UnsafeRawBufferPointer, isMessage: Bool = false) {
    guard isTerminal else { return }
    state.withLock { state in
      state.screen.wrote(text)
      state.isMessageLast = isMessage
    }
  }

  /// Whether a message has to begin with a line feed, so as not to stand behind an operation's
  /// output.
  var messageNeedsLineFeed: Bool {
    isTerminal && state.withLock { $0.screen.isWithinLine && !$0.isMessageLast }
  }

  /// Whether an output or a message has left the last line open, which others would stand behind.
  var isLineOpen: Bool { isTerminal && state.withLock { $0.screen.isWithinLine } }

  private func remove(_ screen: inout ProgressScreen) {
    let bytes = screen.clear()
    // In the background the line is the shell's by now.
    if !bytes.isEmpty, Terminal.isForeground(descriptor) { write(bytes) }
  }

  private func write(_ bytes: [UInt8]) {
    // A terminal that was closed does not need it.
    try? SystemIO.writeAll(descriptor, bytes)
  }
}
