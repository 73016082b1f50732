import PoolModel
import PoolSystem
import PoolWire
import Synchronization

/// One conversation with a coordinator: the state that the main thread and the I/O thread share,
/// behind one lock.
///
/// The lock is held to ask `WorkerMachine` and to append to the output, never during a system call:
/// the thread whose turn it is reads, and the thread that took the waiting messages writes.
final class CoordinatorConnection: Sendable {
  struct Shared: ~Copyable {
    var machine = WorkerMachine()
    var output = MessageBuffer()
    /// Outputs that the coordinator has not taken yet: open files, by the dispatch that wrote them.
    var files: [DispatchReference: [Int32]] = [:]
    /// Marks the ends of operations' text; the main thread takes it.
    var printBoundaries: PrintBoundaries?
    /// When the greeting was sent, by the clock of leases.
    var greetedAt: Int64 = 0
    /// Renews the lease, if this worker has one.
    var lease: LeaseKeeper?
  }

  let shared = Monitor(Shared())
  /// Used by the thread whose turn it is to read, according to the machine's state.
  @exclusivity(unchecked) nonisolated(unsafe) private var input: MessageReader
  private let outputDescriptor: Int32
  /// Puts what is written into blocks, where the coordinator wants that; set before anything is
  /// written that must be in one, and used by the thread that writes.
  @exclusivity(unchecked) nonisolated(unsafe) var sealer: SealedStream.Sealer?
  /// What limits the reports of operations, if anything does; set before the first of them begins.
  @exclusivity(unchecked) nonisolated(unsafe) var window: SendWindow?
  let errorDescriptor: Int32?
  /// Finds processes that commands leave behind; nil if other code of this process may have started
  /// its children.
  let subreaper: Subreaper?
  /// The dispatch that was last asked to stop, for inner loops; no dispatch has the initial number.
  let cancelled = Atomic<UInt64>(.max)
  /// Whether this process's peak of memory may be that of a large frame.
  let hasReadLargeFrame = Atomic(false)
  /// What gathers the outputs of commands, once one was executed.
  let tails = Monitor(TailQuestions())

  /// Whether the worker is threads of the coordinator's process, which must not end with it; its
  /// output is a socket then.
  let isHosted: Bool

  init(_ streams: StandardStreams, subreaper: Subreaper? = nil, isHosted: Bool = false) {
    input = MessageReader(descriptor: streams.input)
    outputDescriptor = streams.output
    errorDescriptor = streams.error
    self.subreaper = subreaper
    self.isHosted = isHosted
  }

  /// Whether the operation was asked to stop; cheap enough for an inner loop.
  func isCancelled(_ dispatch: DispatchNumber) -> Bool {
    cancelled.load(ordering: .relaxed) == dispatch.rawValue
  }

  /// Sends the first bytes of every worker, and its `hello`.
  func open(_ hello: Hello) throws(SystemFailure) {
    shared.withLock { $0.greetedAt = ProcessLease.clock }
    try Frame.magic.withBytes(writeAll)
    try send(.hello(hello))
  }
}

// MARK: - The main thread

extension CoordinatorConnection {
  /// Sends the answer of the last operation, if there was one, and returns the next step.
  ///
  /// If an operation follows, the answer may wait in the outbox. A wait ends with the next call.
  /// With `glances`, the input that is there is read first, so that an operation in it follows.
  func next(
    after answer: inout Answered?,
    glances: Bool = false,
    startsProcess: (Execute) -> Bool
  ) throws(SystemFailure) -> WorkerMachine.Step {
    if glances, shared.withLock({ $0.machine.beginGlance() }) { _ = glance() }
    while true {
      var waiting: JSONWriter?
      var wakesIOThread = false
      let step = shared.wait(
        while: { $0.output.isWriting || $0.machine.isMainWaiting },
        then: { shared in
          let wasResting = shared.machine.isIOThreadResting
          let step = shared.next(after: &answer, startsProcess, &waiting)
          wakesIOThread = wasResting && !shared.machine.isIOThreadResting
          return step
        }
      )
      if wakesIOThread { shared.broadcast() }
      if let waiting = waiting.take(), try write(waiting, glances: true), !glance() { continue }
      return step
    }
  }

  /// Reads the input that is already there, so that the I/O thread need not take over; false if no
  /// more will come.
  private func glance() -> Bool {
    let goesOn = input.glance(for: self)
    shared.withLock { shared in
      // No operation has begun that would have to be stopped: the main thread ends by itself.
      if goesOn { shared.machine.endGlance() } else { _ = shared.machine.endInput() }
    }
    return goesOn
  }
}

extension CoordinatorConnection.Shared {
  fileprivate mutating func next(
    after answer: inout Answered?,
    _ startsProcess: (Execute) -> Bool,
    _ waiting: inout JSONWriter?
  ) -> WorkerMachine.Step {
    var isProcess = false
    let step = machine.next {
      isProcess = startsProcess($0)
      return isProcess
    }
    switch step {
    case .execute(let operation):
      output.append(&answer, andBegin: operation.reference)
      // A process takes far longer to start than the message to be sent.
      let waits =
        !isProcess && machine.isIOThreadLooking
        && output.mayWait(prefetched: machine.prefetchedCount)
      if waits { return step }
    case .read, .wait: output.append(&answer)
    case .end(let ending):
      if ending.isInputEnded { return step }
      output.append(&answer)
    }
    waiting = output.beginWriting()
    return step
  }
}

// MARK: - Reading and writing

extension CoordinatorConnection {
  /// Waits for input, and receives it; false if no more will come, which the machine then knows.
  @discardableResult
  func read() -> Bool {
    if input.read(for: self) { return true }
    // After a failure, the executing operation is asked to stop at the end of the input.
    if shared.withLock({ $0.machine.execution != nil }) { input.skipRest() }
    endInput()
    return false
  }

  /// No more input will come: ends the worker together with its executing operation.
  ///
  /// An executing main thread cannot be made to return, so the process ends while it executes. If
  /// this is the coordinator's process, the operation is only asked to stop.
  private func endInput() {
    let (execution, failure) = endMachine()
    guard let execution else { return }
    guard !isHosted else { return stop(execution) }
    execution.handle?.kill()
    CurrentProcess.endNow(failure == nil ? 0 : 70)
  }

  /// Prevents another operation from beginning; returns a closure that asks the executing one to
  /// stop.
  func abandon() -> @Sendable () -> Void {
    let execution = endMachine().execution
    return { if let execution { self.stop(execution) } }
  }

  private func endMachine() -> (execution: WorkerMachine.Execution?, failure: PoolWorkerError?) {
    let (execution, failure) = shared.wait(
      while: { $0.machine.isSpawning },
      then: { ($0.machine.endInput(), $0.machine.ending?.failure) }
    )
    shared.broadcast()
    return (execution, failure)
  }

  /// Writes messages that were taken out of the output; returns whether the main thread, if it
  /// asks, should glance at its input now.
  @discardableResult
  func write(_ waiting: consuming JSONWriter, glances: Bool = false) throws(SystemFailure) -> Bool {
    var waiting = waiting
    let result = Result { () throws(SystemFailure) in
      try writeAll(waiting)
    }
    let begins = shared.withLock { shared in
      shared.output.finishWriting(&waiting)
      return glances && shared.machine.beginGlance()
    }
    shared.broadcast()
    try result.get()
    return begins
  }

  /// Writes the bytes, and the attachments among them.
  private func writeAll(_ waiting: borrowing JSONWriter) throws(SystemFailure) {
    var offset = 0
    let count = waiting.count
    while offset < count {
      let written = waiting.withPiece(from: offset) { piece in
        Result { () throws(SystemFailure) in
          try writeAll(piece)
          return piece.count
        }
      }
      offset += try written.get()
    }
  }

  private func writeAll(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
    if sealer != nil { return try writeSealed(bytes) }
    if isHosted { return try SystemIO.sendAll(outputDescriptor, bytes) }
    try SystemIO.writeAll(outputDescriptor, bytes)
  }

  private func writeSealed(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
    var rest = bytes
    while !rest.isEmpty {
      var block: [UInt8] = []
      let count = sealer?.seal(rest, into: &block) ?? rest.count
      try block.withBytes { bytes throws(SystemFailure) in
        try SystemIO.writeAll(outputDescriptor, bytes)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Sends the messages that the closure appends, after the waiting ones; sends nothing if it
  /// returns false.
  ///
  /// No other message comes in between: a consequence of the closure's decision cannot overtake its
  /// message.
  func send(_ append: (inout Shared) -> Bool) throws(SystemFailure) {
    let waiting = shared.wait(
      while: { $0.output.isWriting },
      then: { append(&$0) ? $0.output.beginWriting() : nil }
    )
    if let waiting { try write(waiting) }
  }

  /// Sends a message after the waiting ones.
  func send(_ message: WorkerMessage) throws(SystemFailure) {
    try send { shared in
      shared.output.append(message)
      return true
    }
  }

  /// Sends the waiting messages.
  func flush() throws(SystemFailure) { try send { _ in true } }

  /// Sends an operation's report, unless the operation has been answered.
  ///
  /// Waits while the coordinator has no room for it.
  func report(_ message: WorkerMessage, of reference: DispatchReference) {
    window?.take(message.windowCost)
    NormalPriorityThread.execute {
      // A coordinator that is gone is noticed at the end of the input.
      try? send { shared in
        NormalPriorityThread.assertNotLowered()
        guard shared.machine.executing == reference else { return false }
        shared.output.append(message)
        return true
      }
    }
  }

  /// Logs a line about an operation that may have been answered.
  func reportLate(_ log: Log, of reference: DispatchReference) {
    // A coordinator that is gone is noticed at the end of the input.
    try? send { shared in
      shared.output.append(.log(reference, log))
      return true
    }
  }

  /// Reports the process that executes the operation.
  ///
  /// Most processes end before this message would be sent: it is left to the I/O thread if that
  /// looks soon.
  func announce(_ process: ProcessGroup, of reference: DispatchReference) {
    // A coordinator that is gone is noticed at the end of the input.
    try? send { shared in
      shared.output.announce(process, of: reference)
      return !shared.output.hasOutbox || !shared.machine.isIOThreadLooking
    }
  }
}
