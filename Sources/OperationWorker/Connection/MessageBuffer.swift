import PoolModel
import PoolSystem
import PoolWire

/// The messages of a worker that are not written to the pipe yet.
///
/// An answer is written together with the next operation's beginning, or when the worker has no
/// operation, so that one system call carries both. With an outbox they may wait, because the
/// coordinator finds them there if this process dies.
///
/// While a thread writes, no other thread may: it waits for the end of the write.
struct MessageBuffer {
  private var writer = JSONWriter()
  private var outbox: Outbox?
  /// Number of bytes that were written to the pipe, in all; the magic line precedes all frames.
  private var sent = UInt64(Frame.magic.count)
  /// Number of the waiting bytes that are in the outbox.
  private var kept = 0
  private var policy = FlushPolicy()
  /// The process of the operation that executes: a message that is written with the next messages,
  /// and is dropped when the operation has ended.
  private var announced: (reference: DispatchReference, process: ProcessGroup)?
  private(set) var isWriting = false

  /// From here on, waiting messages are also stored in the outbox.
  mutating func use(_ outbox: Outbox) { self.outbox = outbox }

  /// Appends a message after the waiting ones.
  mutating func append(_ message: WorkerMessage) {
    appendAnnounced()
    message.encode(into: &writer)
  }

  /// Reports the process of the operation that executes with the next messages that are sent before
  /// its answer; to a coordinator that gives no outbox, they are to be sent now.
  mutating func announce(_ process: ProcessGroup, of reference: DispatchReference) {
    announced = (reference, process)
  }

  /// Whether messages may wait.
  var hasOutbox: Bool { outbox != nil }

  private mutating func appendAnnounced() {
    guard let (reference, process) = announced.take() else { return }
    WorkerMessage.executing(reference, process).encode(into: &writer)
  }

  /// Appends the answer of the last operation, if there was one.
  mutating func append(_ answer: inout Answered?) {
    if let answer = answer.take() { append(answer) }
  }

  /// Appends the answer of the last operation, if there was one, and the beginning of the next one.
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
    announced = nil
    if answer.hasPrinted { append(.printed(answer.reference)) }
    switch answer.conclusion {
    case .result(let result):
      if writer.frame(finished: answer.reference, result: result) { return }
      append(.finished(answer.reference, Answer(result: result)))
    case .answer(let message): append(message)
    }
  }

  /// Whether the beginning of an operation may leave the sending to a later operation, or to the
  /// I/O thread.
  mutating func mayWait(prefetched: Int) -> Bool {
    keep() && !policy.begin(prefetched: prefetched, now: { MonotonicClock.now })
  }

  /// Stores the waiting messages in the outbox; false if they do not fit, or if there is no outbox.
  mutating func keep() -> Bool {
    guard let outbox, writer.bytes.count <= outbox.capacity, writer.attachments.isEmpty
    else { return false }
    let start = kept
    kept = writer.bytes.count
    return writer.bytes.withUnsafeBytes {
      outbox.keep(UnsafeRawBufferPointer(rebasing: $0[start...]), at: sent + UInt64(start))
    }
  }

  /// Takes the waiting messages, to be written before ``finishWriting(_:)`` is called; nil if there
  /// are none.
  mutating func beginWriting() -> JSONWriter? {
    guard !isWriting else { return nil }
    appendAnnounced()
    guard !writer.bytes.isEmpty else { return nil }
    // An operation that writes to this pipe by mistake makes the rest unreadable; then the outbox
    // still has it.
    _ = keep()
    isWriting = true
    var taken = JSONWriter()
    swap(&taken, &writer)
    return taken
  }

  /// Takes the memory back, unless a large answer has enlarged it.
  mutating func finishWriting(_ written: inout JSONWriter) {
    isWriting = false
    sent += UInt64(written.attachments.isEmpty ? written.bytes.count : written.count)
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
  let conclusion: Conclusion
  /// Whether the operation printed text, whose end is marked in the standard error.
  var hasPrinted = false
}
