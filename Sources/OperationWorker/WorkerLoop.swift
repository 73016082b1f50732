import PoolModel
import PoolSystem
import PoolWire
import Synchronization

/// The executor: takes one operation after the other, on the thread that called it.
struct WorkerLoop {
  let kinds: [String: WorkerKind]
  let session: WorkerSession
  /// The kind that was executed last: most are followed by another of the same, and comparing two
  /// names is cheaper than hashing one.
  private var recent: WorkerKind?

  init(kinds: [String: WorkerKind], session: WorkerSession) {
    self.kinds = kinds
    self.session = session
  }

  /// Works until the input ends or the worker was asked to end.
  mutating func run() throws(PoolWorkerError) {
    do throws(SystemFailure) {
      while try step() {}
    } catch {
      // Nobody is left to listen: that is the end, as the end of the input is.
      if error.isBrokenPipe { return }
      throw PoolWorkerError(.system, "the coordinator cannot be told: \(error)")
    }
    if let failure = session.inbox.withLock({ $0.failure }) { throw failure }
  }

  /// Does one thing; false at the end.
  private mutating func step() throws(SystemFailure) -> Bool {
    switch session.inbox.withLock({ $0.next() }) {
    case .execute(let operation):
      let kind = kind(named: operation.kind)
      let startsProcess = kind?.startsProcesses ?? false
      session.startsProcesses.store(startsProcess, ordering: .relaxed)
      if try session.output.begin(operation.reference, startsProcess: startsProcess), !glance() {
        return true
      }
      switch conclusion(of: operation, kind) {
      case .result(let result):
        conclude(operation.reference, result)
      case .answer(let message):
        session.output.conclude(message)
      }
      return true
    case .read:
      try session.output.flush()
      read()
      return true
    case .wait:
      try session.output.flush()
      session.inbox.wait(while: { $0.isIdle }, then: { _ in })
      return true
    case .end:
      // Nobody listens behind the end of the input; and what that ended has no answer.
      if !session.inbox.withLock({ $0.hasEnded }) { try session.output.flush() }
      return false
    }
  }

  /// Reads what there is for the executor to do next.
  private func read() {
    if session.read() { endReading() }
  }

  /// Reads what is already there, so that the attendant need not be woken for it; false where that
  /// was the end.
  private func glance() -> Bool {
    guard session.inbox.withLock({ $0.turns.beginGlance() }) else { return true }
    guard session.glance() else { return false }
    endReading()
    return true
  }

  private func endReading() {
    if session.inbox.withLock({ $0.endReading() }) { session.callAttendant() }
  }

  /// Executes an operation, on a thread that is given up where it must be niced.
  private func conclusion(of operation: Execute, _ kind: WorkerKind?) -> WorkerKind.Conclusion {
    guard let kind else {
      let message = "this worker does not serve '\(operation.kind)'"
      let failure = Failure(cause: .error, message: message)
      return .answer(.finished(operation.reference, Answer(failure: failure)))
    }
    let context = WorkerContext(operation, session: session)
    guard operation.qualityOfService.niceIncrement > 0 else {
      return kind.execute(operation, context)
    }
    return executeNiced(operation, kind, context)
  }

  private mutating func kind(named name: String) -> WorkerKind? {
    if let recent, recent.name == name { return recent }
    recent = kinds[name]
    return recent
  }

  private func executeNiced(
    _ operation: Execute,
    _ kind: WorkerKind,
    _ context: WorkerContext
  ) -> WorkerKind.Conclusion {
    let conclusion = Monitor<WorkerKind.Conclusion?>(nil)
    let thread = try? SystemThread.start(name: "opool-niced", mask: .empty) {
      ThreadPriority.lower(to: operation.qualityOfService)
      let outcome = kind.execute(operation, context)
      conclusion.withLock { $0 = outcome }
    }
    thread?.join()
    // Without a thread to give up, the operation is executed at the usual class.
    return conclusion.withLock { $0 } ?? kind.execute(operation, context)
  }

  /// Hands a result on, or a failure in its place where no frame can hold it.
  private func conclude(_ reference: DispatchReference, _ result: [UInt8]) {
    guard result.count > AnswerLimit.inlineOutput,
      let limit = session.inbox.withLock({ $0.welcome?.frameLimit }),
      result.count > limit - AnswerLimit.surroundings
    else { return session.output.conclude(reference, result) }
    let message = "the result's \(result.count) bytes are over the frame limit of \(limit)"
    let answer = Answer(failure: Failure(cause: .error, message: message))
    session.output.conclude(.finished(reference, answer))
  }
}

/// How much goes into an answer.
enum AnswerLimit {
  /// The largest output that is sent within an answer: 16 KiB.
  static let inlineOutput = 16 << 10
  /// The size of a piece of output: 32 KiB.
  static let outputChunk = 32 << 10
  /// What may surround a result in its frame: identifiers, names, usage.
  static let surroundings = 4 << 10
}
