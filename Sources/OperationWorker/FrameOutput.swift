import PoolModel
import PoolSystem
import PoolWire

/// The worker's side of the pipe to the coordinator: one writer, used from several threads.
///
/// Answers wait here until something else must be sent, or until the worker has nothing to do, so
/// that one system call carries an answer and the next `executing`. With an outbox, that an operation
/// executes may wait, too, because the coordinator finds it there if this process dies.
final class FrameOutput: Sendable {
  /// How long what was kept in an outbox waits while operations follow each other: 100 µs.
  ///
  /// A call for each operation of ten microseconds wakes the coordinator for each, on a processor that
  /// has work to do.
  private static let patience: Int64 = 100_000

  fileprivate struct State {
    var writer = JSONWriter()
    /// The operation whose reports are let through.
    var executing: DispatchReference?
    var outbox: Outbox?
    /// Whether somebody comes by soon who sends what waits.
    var isAttended = false
    /// How many bytes were sent, in all.
    var sent: UInt64 = 0
    /// How many of those that wait are in the outbox.
    var kept = 0
    /// When something was sent last, or began to wait.
    var sentAt: Int64 = 0
  }

  private let descriptor: Int32
  private let state = Monitor(State())

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Sends the first bytes of every worker, and its `hello`.
  func open(_ hello: Hello) throws(SystemFailure) {
    try state.withLock { state throws(SystemFailure) in
      try SystemIO.writeAll(descriptor, Frame.magic)
      state.sent += UInt64(Frame.magic.count)
      WorkerMessage.hello(hello).encode(into: &state.writer)
      try flush(&state)
    }
  }

  /// From here on, what waits is kept there.
  func use(_ outbox: Outbox) {
    state.withLock { $0.outbox = outbox }
  }

  /// Says that the operation executes, so that the coordinator knows it even if this process dies.
  ///
  /// Of one that a process of its own executes, that is sent at once: starting one takes far longer.
  /// Returns whether anything was sent.
  func begin(_ reference: DispatchReference, startsProcess: Bool) throws(SystemFailure) -> Bool {
    try state.withLock { state throws(SystemFailure) in
      state.executing = reference
      let isFirst = state.writer.bytes.isEmpty
      state.writer.frame(executing: reference)
      if !startsProcess, state.keep(), state.isAttended {
        let now = MonotonicClock.now
        if isFirst { state.sentAt = now }
        guard now - state.sentAt >= Self.patience else { return false }
        state.sentAt = now
      }
      try flush(&state)
      return true
    }
  }

  /// Says which process executes the operation.
  ///
  /// Most processes end before that is sent by itself: it waits for whoever attends.
  func announce(_ process: ProcessGroup, of reference: DispatchReference) {
    // A coordinator that is gone is noticed by the end of the input.
    try? state.withLock { state throws(SystemFailure) in
      WorkerMessage.executing(reference, process).encode(into: &state.writer)
      guard state.keep(), state.isAttended else { return try flush(&state) }
    }
  }

  /// Keeps the answer of the operation that executed, to be sent soon; no report may follow it.
  func conclude(_ answer: WorkerMessage) {
    state.withLock { state in
      state.executing = nil
      answer.encode(into: &state.writer)
    }
  }

  /// The same for one that ended well.
  func conclude(_ reference: DispatchReference, _ result: [UInt8]) {
    state.withLock { state in
      state.executing = nil
      if state.writer.frame(finished: reference, result: result) { return }
      WorkerMessage.finished(reference, Answer(result: result)).encode(into: &state.writer)
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

  /// Sends what waits, as somebody does who will come again soon, or may not for long.
  func flush(comesAgain: Bool) throws(SystemFailure) {
    try state.withLock { state throws(SystemFailure) in
      state.isAttended = comesAgain
      try flush(&state)
    }
  }

  private func flush(_ state: inout State) throws(SystemFailure) {
    guard !state.writer.bytes.isEmpty else { return }
    defer { state.forget() }
    // Kept all the same: what an operation writes to this pipe by mistake makes the rest unreadable.
    _ = state.keep()
    try SystemIO.writeAll(descriptor, state.writer.bytes)
  }
}

extension FrameOutput.State {
  /// Puts what waits into the outbox; false where it has no room, or there is none.
  fileprivate mutating func keep() -> Bool {
    guard let outbox, writer.bytes.count <= outbox.capacity else { return false }
    let start = kept
    kept = writer.bytes.count
    return writer.bytes.withUnsafeBytes {
      outbox.keep(UnsafeRawBufferPointer(rebasing: $0[start...]), at: sent + UInt64(start))
    }
  }

  /// Forgets what was sent, and gives back the memory of a large answer.
  fileprivate mutating func forget() {
    sent += UInt64(writer.bytes.count)
    kept = 0
    if writer.bytes.count > 1 << 20 { writer = JSONWriter() } else { writer.removeAll() }
  }
}
