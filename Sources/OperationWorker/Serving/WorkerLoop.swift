import PoolModel
import PoolSystem
import PoolWire
import Synchronization

/// The loop of the thread that executes: one operation after the other, on the calling thread.
///
/// A class, because as a value it would be copied by a closure that uses some properties while
/// others change; accesses are not checked at run time, because no other thread has it.
final class WorkerLoop {
  private let kinds: [String: WorkerKind]
  private let connection: CoordinatorConnection
  /// The kind of the last operation: most are followed by another one of the same kind, and
  /// comparing two names is cheaper than hashing one.
  @exclusivity(unchecked) private var kind: WorkerKind?
  /// The answer of the last operation, which is sent together with the next message.
  @exclusivity(unchecked) private var answered: Answered?
  /// Marks the ends of operations' text; set with the first operation.
  @exclusivity(unchecked) private var printBoundaries: PrintBoundaries?
  @exclusivity(unchecked) private var hasBegun = false
  /// Whether the coordinator may be on another machine; known with the first operation.
  @exclusivity(unchecked) private var isBehindLink = false
  /// What says whether an operation may begin, if that is not always so; known then, too.
  @exclusivity(unchecked) private var lease: LeaseKeeper?

  init(kinds: [String: WorkerKind], connection: CoordinatorConnection) {
    self.kinds = kinds
    self.connection = connection
  }

  /// Greets, and works until the input ends or the worker was asked to end.
  func run(after hello: Hello) throws(PoolWorkerError) {
    do throws(SystemFailure) {
      try connection.open(hello)
    } catch {
      throw .cannotStart(error)
    }
    try run()
  }

  /// Works until the input ends or the worker was asked to end.
  func run() throws(PoolWorkerError) {
    let ending: WorkerMachine.Ending
    do throws(SystemFailure) {
      ending = try execute()
    } catch {
      // A coordinator that is gone ends the loop, like the end of the input.
      if error.isBrokenPipe { return }
      throw PoolWorkerError(.system, "cannot write to the coordinator: \(error)")
    }
    if let failure = ending.failure { throw failure }
  }

  /// Executes operations until the end.
  private func execute() throws(SystemFailure) -> WorkerMachine.Ending {
    while true {
      // An operation that has come meanwhile spares a command's answer a write of its own.
      let glances = answered != nil && kind?.startsProcesses ?? false
      switch try connection.next(after: &answered, glances: glances, startsProcess: startsProcess) {
      case .execute(let operation):
        if !hasBegun { begin() }
        lease?.awaitTime()
        let conclusion = conclusion(of: operation)
        answered = Answered(
          reference: operation.reference,
          conclusion: conclusion,
          hasPrinted: endPrinting(of: operation.reference)
        )
      case .read: connection.read()
      case .wait: break
      case .end(let ending): return ending
      }
    }
  }

  /// The first operation has come, and before it the coordinator's `welcome`.
  private func begin() {
    hasBegun = true
    printBoundaries = connection.takePrintBoundaries()
    isBehindLink = connection.isBehindLink
    lease = connection.lease
  }

  /// Returns whether the operation has printed text, whose end is then marked.
  @inline(__always)
  private func endPrinting(of reference: DispatchReference) -> Bool {
    printBoundaries?.end(reference) ?? false
  }

  private func startsProcess(_ operation: Execute) -> Bool {
    findKind(operation.kind)
    return kind?.startsProcesses ?? false
  }

  private func findKind(_ name: String) {
    if kind?.name != name { kind = kinds[name] }
  }

  /// Executes an operation, on its own thread if it must be niced; a command lowers its own
  /// process.
  private func conclusion(of operation: Execute) -> Conclusion {
    guard let kind, operation.surroundings?.flaw == nil else {
      let message = operation.surroundings?.flaw ?? "this worker does not serve '\(operation.kind)'"
      let failure = Failure(cause: .error, message: message)
      return .answer(.finished(operation.reference, Answer(failure: failure)))
    }
    let context = WorkerContext(operation, connection: connection)
    return kind.startsProcesses
      ? execute(operation, kind, context) : measured(operation, kind, context)
  }

  /// Executes an operation of a kind that does not measure itself, as commands do.
  private func measured(
    _ operation: Execute,
    _ kind: WorkerKind,
    _ context: WorkerContext
  ) -> Conclusion {
    // The threads of a process with other workers cannot be told apart.
    let meter = kind.measuresUsage && !connection.isHosted ? UsageMeter() : nil
    let start = MonotonicClock.now
    let conclusion = execute(operation, kind, context)
    let elapsed = (MonotonicClock.now - start) / 1_000
    guard meter != nil || elapsed >= Self.leastElapsed || isBehindLink else { return conclusion }
    return conclusion.adding(meter?.usage, elapsed, to: operation.reference)
  }

  /// Microseconds from which on an elapsed time is told: for less, each answer would cost more.
  ///
  /// Behind a link any time is told, because there the coordinator sees the link's delay instead.
  private static let leastElapsed: Int64 = 1_000

  private func execute(
    _ operation: Execute,
    _ kind: WorkerKind,
    _ context: WorkerContext
  ) -> Conclusion {
    let conclusion =
      operation.qualityOfService.niceIncrement > 0 && !kind.startsProcesses
      ? executeNiced(operation, kind, context) : kind.execute(operation, context)
    return limited(conclusion, of: operation.reference)
  }

  private func executeNiced(
    _ operation: Execute,
    _ kind: WorkerKind,
    _ context: WorkerContext
  ) -> Conclusion {
    let conclusion = Monitor<Conclusion?>(nil)
    let thread = try? SystemThread.start(name: "opool-niced", mask: .empty) {
      ThreadPriority.lower(to: operation.qualityOfService)
      let outcome = kind.execute(operation, context)
      conclusion.withLock { $0 = outcome }
      if !ThreadPriority.raise(from: operation.qualityOfService) {
        ThreadPoolExecutor.areNeeded.store(true, ordering: .relaxed)
      }
    }
    thread?.join()
    // If no other thread can be started, the operation is executed at the usual class.
    guard thread != nil else { return kind.execute(operation, context) }
    // An operation that has ended its own thread would have ended this one.
    guard let conclusion = conclusion.withLock({ $0 }) else { SystemThread.exit() }
    return conclusion
  }

  /// A result, or a failure if no frame can hold the result.
  private func limited(
    _ conclusion: consuming Conclusion,
    of reference: DispatchReference
  ) -> Conclusion {
    guard case .result(let result) = conclusion, result.count > AnswerLimit.inlineOutput,
      let welcome = connection.welcome,
      case let isPacked = PackedValue.isPacked(result),
      let limit = isPacked ? welcome.attachmentLimit : welcome.frameLimit,
      result.count > (isPacked ? limit : limit - AnswerLimit.surroundings)
    else { return conclusion }
    let kind = isPacked ? "attachment" : "frame"
    let message = "the result's \(result.count) bytes are over the \(kind) limit of \(limit)"
    let answer = Answer(failure: Failure(cause: .error, message: message))
    return .answer(.finished(reference, answer))
  }
}
