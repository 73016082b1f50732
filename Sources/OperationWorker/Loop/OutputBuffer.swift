import PoolModel
import PoolSystem
import PoolWire

/// What a worker has to say and has not written to the pipe yet.
///
/// An answer is written together with the next operation's beginning, or when the worker has
/// nothing to do, so that one system call carries both. With an outbox they may wait, because the
/// coordinator finds them there if this process dies.
///
/// While a thread writes, the buffer takes nothing more: the others wait for the end of that.
struct OutputBuffer {
  private var writer = JSONWriter()
  private var outbox: Outbox?
  /// Number of bytes that were written to the pipe, in all; the magic line precedes all frames.
  private var sent = UInt64(Frame.magic.count)
  /// Number of the waiting bytes that are in the outbox.
  private var kept = 0
  private var policy = FlushPolicy()
  private(set) var isWriting = false

  /// From here on, what waits is kept there.
  mutating func use(_ outbox: Outbox) { self.outbox = outbox }

  /// Appends a message, after what waits.
  mutating func append(_ message: WorkerMessage) { message.encode(into: &writer) }

  /// Appends the answer of the last operation, if there was one.
  mutating func append(_ answer: inout Answered?) {
    if let answer = answer.take() { append(answer) }
  }

  /// Appends the answer of the last operation, if there was one, and that the next one executes.
  mutating func append(_ answer: inout Answered?, andBegin reference: DispatchReference) {
    if let last = answer.take() {
      if !last.hasPrinted, case .result(let result) = last.conclusion,
        writer.frames(finished: last.reference, result: result, executing: reference)
      {
        return
      }
      append(last)
    }
    writer.frame(executing: reference)
  }

  private mutating func append(_ answer: consuming Answered) {
    if answer.hasPrinted { append(.printed(answer.reference)) }
    switch answer.conclusion {
    case .result(let result):
      if writer.frame(finished: answer.reference, result: result) { return }
      append(.finished(answer.reference, Answer(result: result)))
    case .answer(let message): append(message)
    }
  }

  /// Whether an operation that begins may leave what waits to a later one, or to the I/O thread.
  mutating func mayWait(prefetched: Int) -> Bool {
    keep() && !policy.begin(prefetched: prefetched, now: { MonotonicClock.now })
  }

  /// Puts what waits into the outbox; false where it has no room, or there is none.
  mutating func keep() -> Bool {
    guard let outbox, writer.bytes.count <= outbox.capacity, writer.blocks.isEmpty
    else { return false }
    let start = kept
    kept = writer.bytes.count
    return writer.bytes.withUnsafeBytes {
      outbox.keep(UnsafeRawBufferPointer(rebasing: $0[start...]), at: sent + UInt64(start))
    }
  }

  /// Takes what waits, to write it and then call ``finishWriting(_:)``; nil where nothing waits.
  mutating func beginWriting() -> JSONWriter? {
    guard !isWriting, !writer.bytes.isEmpty else { return nil }
    // An operation that writes to this pipe by mistake makes the rest unreadable; the outbox has it
    // then.
    _ = keep()
    isWriting = true
    var taken = JSONWriter()
    swap(&taken, &writer)
    return taken
  }

  /// Takes the memory back, unless a large answer has made it large.
  mutating func finishWriting(_ written: inout JSONWriter) {
    isWriting = false
    sent += UInt64(written.blocks.isEmpty ? written.bytes.count : written.count)
    kept = 0
    policy.reset()
    guard written.bytes.count <= 1 << 20 else { return }
    swap(&written, &writer)
    writer.removeAll()
  }
}

/// The answer of an operation that has returned.
struct Answered {
  let reference: DispatchReference
  let conclusion: WorkerKind.Conclusion
  /// Whether the end of what it printed is marked in the standard error.
  var hasPrinted = false
}
