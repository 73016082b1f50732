import PoolModel
import PoolSystem
import PoolWire

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
      try session.output.begin(operation.reference)
      session.output.conclude(fitting(answer(to: operation)))
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
    guard session.read() else { return }
    let calls = session.inbox.withLock { inbox in
      _ = inbox.turns.endReading(isExecutorIdle: inbox.isIdle)
      return !inbox.isIdle && inbox.turns.callsAttendant()
    }
    if calls { session.callAttendant() }
  }

  /// Executes an operation, on a thread that is given up where it must be niced.
  private mutating func answer(to operation: Execute) -> WorkerMessage {
    guard let kind = kind(named: operation.kind) else {
      let message = "this worker does not serve '\(operation.kind)'"
      return .finished(
        operation.reference,
        Answer(failure: Failure(cause: .error, message: message))
      )
    }
    let context = WorkerContext(operation, session: session)
    guard operation.qualityOfService.niceIncrement > 0 else {
      return kind.execute(operation, context)
    }
    return answerNiced(operation, kind, context)
  }

  private mutating func kind(named name: String) -> WorkerKind? {
    if let recent, recent.name == name { return recent }
    recent = kinds[name]
    return recent
  }

  private func answerNiced(
    _ operation: Execute,
    _ kind: WorkerKind,
    _ context: WorkerContext
  ) -> WorkerMessage {
    let answer = Monitor<WorkerMessage?>(nil)
    let thread = try? SystemThread.start(name: "opool-niced", mask: .empty) {
      ThreadPriority.lower(to: operation.qualityOfService)
      let message = kind.execute(operation, context)
      answer.withLock { $0 = message }
    }
    thread?.join()
    // Without a thread to give up, the operation is executed at the usual class.
    return answer.withLock { $0 } ?? kind.execute(operation, context)
  }

  /// The answer, or a failure in its place where its result is over the frame limit.
  private func fitting(_ answer: WorkerMessage) -> WorkerMessage {
    guard case .finished(let reference, let content) = answer, let result = content.result,
      result.count > AnswerLimit.inlineOutput,
      let limit = session.inbox.withLock({ $0.welcome?.frameLimit }),
      result.count > limit - AnswerLimit.surroundings
    else { return answer }
    let message = "the result's \(result.count) bytes are over the frame limit of \(limit)"
    return .finished(reference, Answer(failure: Failure(cause: .error, message: message)))
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
