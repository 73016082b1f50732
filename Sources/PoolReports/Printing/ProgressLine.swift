import PoolModel
package import PoolSystem
import Synchronization

/// The lines of progress on a terminal, their effect on other text there, and whether that has left
/// its last line open; the last also where there is no terminal.
///
/// The printer's thread draws the line, and writes other text through ``write(_:to:isMessage:)`` or
/// within ``stepAside(for:_:)``; any thread may hide the line.
package final class ProgressLine: Sendable {
  /// Returns what is shown on a terminal of that size; nil to leave it as it is.
  package typealias Text = @Sendable (Terminal.Size) -> ProgressText?

  private struct State {
    var drawing: ProgressDrawing
    /// When the text may be made again.
    var dueAt: Int64 = 0
    var isHidden = false
    /// Whether the printer's thread writes without the lock; then it alone writes.
    var isWriting = false
    var openLine = OpenLine()
  }

  /// What a line shows; nil if there is no line.
  private let text: Text?
  private let descriptor: Int32
  package let isTerminal: Bool
  private let state: Mutex<State>

  /// Shortest period between two texts: twenty times a second.
  private static let period = Int64.milliseconds(50)

  /// Makes a line for a descriptor, usually the standard error stream.
  package init(on descriptor: Int32, features: TerminalFeatures = .init(), _ text: Text?) {
    self.text = text
    self.descriptor = descriptor
    isTerminal = Descriptors.isTerminal(descriptor)
    state = Mutex(State(drawing: ProgressDrawing(features)))
  }

  private var isWanted: Bool { text != nil && isTerminal }

  /// When ``show()`` has to be called next; nil if never.
  var dueAt: Int64? { isWanted ? state.withLock { $0.dueAt } : nil }

  /// Redraws the line if its period has passed, it shows something else by now, and the terminal is
  /// ours to write to.
  func show() {
    guard isWanted else { return }
    let now = MonotonicClock.now
    state.withLock { state in
      guard now >= state.dueAt else { return }
      state.dueAt = now + Self.period
      // Never block on a stopped terminal while the lock is held.
      guard !state.isHidden, let size, SystemIO.canWrite(descriptor), let text = text?(size)
      else { return }
      write(state.drawing.show(text, columns: size.columns))
    }
  }

  /// Writes text to a descriptor of the terminal: the removal of the line, the text, and the line
  /// again in one write.
  func write(
    _ piece: UnsafeRawBufferPointer,
    to target: Int32,
    isMessage: Bool = false
  ) throws(SystemFailure) {
    guard isWanted else {
      try SystemIO.writeAll(target, piece)
      return wrote(piece, isMessage: isMessage)
    }
    let bytes = state.withLock { begin(&$0, piece, isMessage: isMessage) }
    defer { state.withLock { end(&$0) } }
    try SystemIO.writeAll(target, bytes)
  }

  /// Calls the closure, which writes to a stream, without the line where its text may come to
  /// stand.
  func stepAside(
    for relation: LineRelation,
    _ write: () throws(SystemFailure) -> Void
  ) throws(SystemFailure) {
    guard isWanted, relation != .apart else { return try write() }
    clear()
    try write()
    // The reader of a pipe needs time to write.
    let delay = relation == .pipe ? Self.period : 0
    state.withLock { $0.dueAt = MonotonicClock.now + delay }
  }

  /// Removes the line, which is not drawn again.
  func end() {
    guard isWanted else { return }
    clear()
    hide()
  }

  /// Removes the line, and draws none until ``unhide()``.
  package func hide() {
    guard isWanted else { return }
    state.withLock { state in
      state.isHidden = true
      if !state.isWriting { withdraw(&state) }
    }
  }

  /// Allows the line again.
  package func unhide() {
    state.withLock { state in
      state.isHidden = false
      state.dueAt = 0
    }
  }

  /// Notes text that was written to the descriptor, or to what it leads to, or the end of it.
  package func wrote(_ text: UnsafeRawBufferPointer, isMessage: Bool = false) {
    state.withLock { state in
      if isTerminal { state.drawing.wrote(text) }
      state.openLine.wrote(text.last, isMessage: isMessage)
    }
  }

  /// Whether the last line is open, and by what.
  var openLine: OpenLine { state.withLock { $0.openLine } }

  /// The terminal's size; nil if the line may not be drawn or removed, and where there is no row
  /// for it below another one.
  ///
  /// When a shell has put this process into the background, the shell writes there itself.
  private var size: Terminal.Size? {
    guard Terminal.isForeground(descriptor), let size = Terminal.size(of: descriptor) else {
      return nil
    }
    return size.rows > 1 ? size : nil
  }

  /// The bytes of a write without the lock, which may block; ``end(_:)`` follows it.
  private func begin(
    _ state: inout State,
    _ piece: UnsafeRawBufferPointer,
    isMessage: Bool
  ) -> [UInt8] {
    state.isWriting = true
    state.openLine.wrote(piece.last, isMessage: isMessage)
    guard let size else { return state.drawing.pass(piece) }
    let now = MonotonicClock.now
    if now < state.dueAt, !state.isHidden {
      return state.drawing.frame(around: piece, columns: size.columns)
    }
    state.dueAt = now + Self.period
    let text = state.isHidden ? nil : text?(size)
    return state.drawing.frame(around: piece, text, columns: size.columns)
  }

  private func end(_ state: inout State) {
    state.isWriting = false
    if state.isHidden { withdraw(&state) }
  }

  /// Removes all that a terminal shows of the run, unless it is stopped.
  private func withdraw(_ state: inout State) {
    if SystemIO.canWrite(descriptor) { remove(state.drawing.withdraw()) }
  }

  /// Removes the line, before other text is written.
  private func clear() {
    guard state.withLock({ $0.drawing.isShown }) else { return }
    // Before taking the lock: a terminal may be stopped.
    SystemIO.waitForRoom(descriptor)
    state.withLock { remove($0.drawing.clear()) }
  }

  private func remove(_ bytes: [UInt8]) {
    // In the background, the line belongs to the shell.
    if !bytes.isEmpty, Terminal.isForeground(descriptor) { write(bytes) }
  }

  private func write(_ bytes: [UInt8]) {
    // A closed terminal does not need it.
    if !bytes.isEmpty { try? SystemIO.writeAll(descriptor, bytes) }
  }
}
