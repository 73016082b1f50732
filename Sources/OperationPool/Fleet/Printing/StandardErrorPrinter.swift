import PoolSystem
import Synchronization

/// Writes lines to the standard error of this process.
///
/// What fits at once is written on the loop's thread, so that a line is there before its operation
/// has finished. A thread writes the rest when there is room, and ends when all is written. The
/// loop's thread never waits: a terminal says that it has room, and then takes a part.
final class StandardErrorPrinter: LinePrinter {
  /// The printer that all workers use.
  static let shared = StandardErrorPrinter(descriptor: 2)

  private struct State {
    var load = PrinterRoom()
    /// The bytes that wait for the thread; nil if there is no thread.
    var waiting: [UInt8]?
  }

  private let descriptor: Int32
  private let state = Mutex(State())

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  func isFull(else whenRoom: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { $0.load.isFull(else: whenRoom) }
  }

  /// Writes text, or leaves it to the thread.
  func print(_ text: [UInt8]) {
    let isBusy = state.withLock { state in
      guard state.waiting != nil else { return false }
      if state.load.add(text.count) { state.waiting? += text }
      return true
    }
    guard !isBusy else { return }
    let rest = writeWithoutBlocking(text)
    guard !rest.isEmpty else { return }
    state.withLock { state in
      state.waiting = Array(rest)
      _ = state.load.add(rest.count)
    }
    startThread()
  }

  /// Writes what fits; returns the rest.
  private func writeWithoutBlocking(_ text: [UInt8]) -> ArraySlice<UInt8> {
    guard !SystemIO.hasLostReader(descriptor) else { return [] }
    var rest = text[...]
    guard let writer = Descriptors.nonBlockingWriter(of: descriptor) else { return rest }
    defer { Descriptors.close(writer) }
    while !rest.isEmpty {
      guard let count = Self.write(rest, to: writer) else { return [] }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    return rest
  }

  /// Writes once; nil if nothing can be written any longer.
  private static func write(_ piece: ArraySlice<UInt8>, to descriptor: Int32) -> Int? {
    piece.withUnsafeBytes { bytes in
      switch try? SystemIO.write(descriptor, bytes) {
      case .bytes(let count): count
      case .wouldBlock: 0
      case .endOfFile, nil: nil
      }
    }
  }

  private func startThread() {
    // A full mask: a write to a pipe without a reader fails, and does not end this process.
    let thread = try? SystemThread.start(name: "opool-print", mask: .full) { self.writeAll() }
    // Without a thread, the waiting bytes are dropped.
    guard let thread else { return state.withLock { $0 = State() } }
    thread.detach()
  }

  /// Writes the waiting bytes until there are none.
  private func writeAll() {
    while let text = takeWaiting() {
      try? SystemIO.writeAll(descriptor, text)
      state.withLock { $0.load.remove(text.count) }?()
    }
  }

  private func takeWaiting() -> [UInt8]? {
    state.withLock { state in
      guard let waiting = state.waiting else { return nil }
      state.waiting = waiting.isEmpty ? nil : []
      return waiting.isEmpty ? nil : waiting
    }
  }
}
