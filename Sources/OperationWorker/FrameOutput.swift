import PoolModel
import PoolSystem
import PoolWire

/// The worker's side of the pipe to the coordinator: one writer, used from several threads.
///
/// What an operation came to is written together with the next one's beginning, or when the worker
/// has nothing to do, so that one system call carries both. With an outbox they may wait, because
/// the coordinator finds them there if this process dies.
final class FrameOutput: Sendable {
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
    var flushPolicy = FlushPolicy()
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

  /// Says that the operation executes, so that the coordinator knows it even if this process dies;
  /// what the one before it came to goes first, if that was not said, and no report of it may
  /// follow.
  ///
  /// Of one that a process of its own executes, that is sent at once: starting one takes far
  /// longer. Returns whether anything was sent.
  func begin(
    _ reference: DispatchReference,
    after answer: inout Answered?,
    startsProcess: Bool,
    held: Int
  ) throws(SystemFailure) -> Bool {
    try state.withLock { state throws(SystemFailure) in
      state.write(&answer, andBegin: reference)
      guard
        startsProcess || !state.keep() || !state.isAttended
          || state.flushPolicy.begin(held: held, now: { MonotonicClock.now })
      else { return false }
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

  /// Sends what an operation says of itself, unless that has ended.
  func report(_ message: WorkerMessage, of reference: DispatchReference) {
    // A coordinator that is gone is noticed by the end of the input.
    Deputy.execute {
      try? state.withLock { state throws(SystemFailure) in
        Deputy.assertNotNeeded()
        guard state.executing == reference else { return }
        message.encode(into: &state.writer)
        try flush(&state)
      }
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

  /// Sends what waits, and then what the last operation came to.
  func flush(_ answer: inout Answered?) throws(SystemFailure) {
    try state.withLock { state throws(SystemFailure) in
      if let answer = answer.take() { state.write(answer) }
      try flush(&state)
    }
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
    // Kept all the same: what an operation writes to this pipe by mistake makes the rest
    // unreadable.
    _ = state.keep()
    try SystemIO.writeAll(descriptor, state.writer.bytes)
  }
}

/// What an operation came to.
struct Answered {
  let reference: DispatchReference
  let conclusion: WorkerKind.Conclusion
}

extension FrameOutput.State {
  /// Writes what the operation that executed came to, if any did, and that the next one executes.
  fileprivate mutating func write(
    _ answer: inout Answered?,
    andBegin reference: DispatchReference
  ) {
    defer { executing = reference }
    if let answer = answer.take() {
      if case .result(let result) = answer.conclusion,
        writer.frames(finished: answer.reference, result: result, executing: reference)
      {
        return
      }
      write(answer)
    }
    writer.frame(executing: reference)
  }

  /// Writes what the operation that executed came to.
  fileprivate mutating func write(_ answer: consuming Answered) {
    executing = nil
    switch answer.conclusion {
    case .result(let result):
      if writer.frame(finished: answer.reference, result: result) { return }
      WorkerMessage.finished(answer.reference, Answer(result: result)).encode(into: &writer)
    case .answer(let message):
      message.encode(into: &writer)
    }
  }

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
    flushPolicy.reset()
    if writer.bytes.count > 1 << 20 { writer = JSONWriter() } else { writer.removeAll() }
  }
}
