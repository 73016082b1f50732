import PoolModel
import PoolSystem
import PoolWire
import Synchronization

// The coordinator's requests.

extension CoordinatorConnection {
  /// Takes operations to execute; leaves an empty list.
  func prefetch(_ operations: inout [Execute]) throws {
    guard !operations.isEmpty else { return }
    try shared.withLock { shared throws(Violation) in try shared.machine.prefetch(&operations) }
  }

  /// Handles a message.
  func receive(_ message: CoordinatorMessage) throws {
    switch message {
    case .welcome(let welcome): try accept(welcome)
    case .execute: preconditionFailure("the decoder returns operations in a list")
    case .cancel(let reference, let sequence): try cancel(reference, sequence)
    case .recall(let reference):
      try send { shared in
        guard shared.machine.recall(reference) else { return false }
        shared.output.append(.returned(reference))
        return true
      }
    case .release(let reference): release(reference)
    case .tail(let reference, let request): tail(reference, request)
    case .ping(let number): try send(.pong(number))
    case .renewed(let number): lease?.note(answerTo: number)
    case .grant(let byteCount): window?.grant(byteCount)
    case .stop(let milliseconds):
      lease?.stop(LeaseTerms(length: .milliseconds(milliseconds)))
    case .proceed: try lease?.proceed(on: self)
    case .drain: shared.withLock { $0.machine.drain() }
    // A newer coordinator may say more than this version understands.
    case .unknown: break
    }
  }

  private func accept(_ welcome: Welcome) throws {
    try shared.withLock { shared throws(Violation) in try shared.machine.accept(welcome) }
    // If the memory cannot be opened, each operation's beginning is sent at once instead.
    let outbox = welcome.outbox.flatMap(open)
    // A coordinator of this machine offers an outbox, or needs no checksums.
    let isBehindLink = outbox == nil && welcome.isSealed
    if isBehindLink { GroupCleanup.obeyOthers() }
    let borders = errorDescriptor.map { PrintBoundaries($0, welcome.printMark, outbox) }
    shared.withLock { shared in
      if let outbox { shared.output.use(outbox) }
      if outbox == nil, !isHosted { shared.machine.ignoreRepetitions() }
      if isBehindLink { shared.machine.noteLink() }
      // It has written its greeting, and nothing since.
      if welcome.isSealed { sealer = SealedStream.Sealer() }
      window = welcome.window.map { SendWindow($0) }
      shared.printBoundaries = borders
    }
    if outbox == nil, let milliseconds = welcome.lease { try beginLease(of: milliseconds) }
  }

  /// Lets this worker live only as long as the coordinator answers it.
  private func beginLease(of milliseconds: Int) throws(SystemFailure) {
    let terms = LeaseTerms(length: .milliseconds(milliseconds))
    let lease = try LeaseKeeper(terms, greetedAt: shared.withLock { $0.greetedAt })
    shared.withLock { $0.lease = lease }
    let thread = try SystemThread.start(name: "opool-lease", mask: .full) { lease.run(on: self) }
    thread.detach()
  }

  /// Opens the memory of an outbox, and repeats the number in it.
  ///
  /// Nil if this process cannot open it, or if it is other memory, of another machine's processes.
  private func open(_ place: OutboxPlace) -> Outbox? {
    guard
      let memory = try? SharedMemory(place.descriptor, of: place.pid, count: place.bytes),
      let outbox = Outbox(memory), place.number == nil || place.number == outbox.number
    else { return nil }
    outbox.echo = outbox.number
    return outbox
  }

  /// The object that marks the ends of operations' text; nil if the coordinator wants no marks.
  ///
  /// It belongs to the main thread from the first operation on, which comes after the `welcome`.
  func takePrintBoundaries() -> PrintBoundaries? { shared.withLock { $0.printBoundaries.take() } }

  /// Asks an operation to stop, prefetched or executing; for an executing one, this waits for no
  /// write.
  private func cancel(
    _ reference: DispatchReference,
    _ sequence: PoolTeardownSequence
  ) throws(SystemFailure) {
    let (handle, waiting) = shared.wait(
      while: { $0.output.isWriting && $0.machine.executing != reference },
      then: { shared -> (CancelHandle?, JSONWriter?) in
        switch shared.machine.cancel(reference, sequence, at: MonotonicClock.now) {
        case .nothing: return (nil, nil)
        case .executing(let handle):
          cancelled.store(reference.dispatch.rawValue, ordering: .relaxed)
          return (handle, nil)
        case .prefetched:
          shared.output.append(.cancelled(reference, Answer(), step: nil))
          return (nil, shared.output.beginWriting())
        }
      }
    )
    handle?.ask(sequence)
    if let waiting { try write(waiting) }
  }

  /// Stops the worker, and its executing operation.
  func fail(_ failure: PoolWorkerError) {
    let execution = shared.withLock { $0.machine.fail(failure, at: MonotonicClock.now) }
    shared.broadcast()
    if let execution { stop(execution) }
  }

  func stop(_ execution: WorkerMachine.Execution) {
    cancelled.store(execution.reference.dispatch.rawValue, ordering: .relaxed)
    execution.handle?.ask(.immediate)
  }
}
