import PoolModel
import PoolSystem
import PoolWire

/// The worker's side of the pipe to the coordinator: one writer, used from several threads.
///
/// Answers wait here until something else must be sent, or until the worker has nothing to do, so
/// that one system call carries an answer and the next `executing`.
final class FrameOutput: Sendable {
  private struct State {
    var writer = JSONWriter()
    /// The operation whose reports are let through.
    var executing: DispatchReference?
  }

  private let descriptor: Int32
  private let state = Monitor(State())

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Sends the first bytes of every worker, and its `hello`.
  func open(_ hello: Hello) throws(SystemFailure) {
    try SystemIO.writeAll(descriptor, Frame.magic)
    try send(.hello(hello))
  }

  /// Sends what waits, and that the operation executes, in one call.
  func begin(_ reference: DispatchReference) throws(SystemFailure) {
    try state.withLock { state throws(SystemFailure) in
      state.executing = reference
      WorkerMessage.executing(reference, nil).encode(into: &state.writer)
      try flush(&state)
    }
  }

  /// Keeps the answer of the operation that executed, to be sent soon; no report may follow it.
  func conclude(_ answer: WorkerMessage) {
    state.withLock { state in
      state.executing = nil
      answer.encode(into: &state.writer)
    }
  }

  /// Sends what an operation says of itself, unless that has ended.
  func report(_ message: WorkerMessage, of reference: DispatchReference) {
    // A coordinator that is gone is noticed by the end of the input.
    try? state.withLock { state throws(SystemFailure) in
      guard state.executing == reference else { return }
      message.encode(into: &state.writer)
      try flush(&state)
    }
  }

  /// Sends a message, after what waits.
  func send(_ message: WorkerMessage) throws(SystemFailure) {
    try state.withLock { state throws(SystemFailure) in
      message.encode(into: &state.writer)
      try flush(&state)
    }
  }

  /// Sends what the closure finds out, if anything, after what waits.
  ///
  /// Nothing is sent in between: what follows from that cannot overtake the message.
  func send(_ message: () -> WorkerMessage?) throws(SystemFailure) {
    try state.withLock { state throws(SystemFailure) in
      guard let message = message() else { return }
      message.encode(into: &state.writer)
      try flush(&state)
    }
  }

  /// Sends what waits.
  func flush() throws(SystemFailure) {
    try state.withLock { state throws(SystemFailure) in try flush(&state) }
  }

  /// Forgets what was sent, and gives back the memory of a large answer.
  private static func empty(_ writer: inout JSONWriter) {
    if writer.bytes.count > 1 << 20 { writer = JSONWriter() } else { writer.removeAll() }
  }

  private func flush(_ state: inout State) throws(SystemFailure) {
    guard !state.writer.bytes.isEmpty else { return }
    defer { Self.empty(&state.writer) }
    try SystemIO.writeAll(descriptor, state.writer.bytes)
  }
}
