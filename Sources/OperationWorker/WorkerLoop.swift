import PoolModel
import PoolSystem
import PoolWire
import Synchronization

/// The executor: takes one operation after the other, on the thread that called it.
///
/// A class, because what a value refers to is counted anew for each call that may change it; and
/// its accesses are not checked at run time, because no other thread has it.
final class WorkerLoop {
  let kinds: [String: WorkerKind]
  let session: WorkerSession
  /// The kind of the operation that executes, or did last: most are followed by another of the
  /// same, and comparing two names is cheaper than hashing one.
  @exclusivity(unchecked) private var kind: WorkerKind?
  /// What the last operation came to: said together with what follows it.
  @exclusivity(unchecked) private var answered: Answered?

  init(kinds: [String: WorkerKind], session: WorkerSession) {
    self.kinds = kinds
    self.session = session
  }

  /// Works until the input ends or the worker was asked to end.
  func run() throws(PoolWorkerError) {
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
  private func step() throws(SystemFailure) -> Bool {
    switch session.inbox.withLock({ $0.next() }) {
    case .execute(let operation, let held):
      try execute(operation, held: held)
      return true
    case .read:
      try session.output.flush(&answered)
      read()
      return true
    case .wait:
      try session.output.flush(&answered)
      session.inbox.wait(while: { $0.isIdle }, then: { _ in })
      return true
    case .end:
      // Nobody listens behind the end of the input; and what that ended has no answer.
      if !session.inbox.withLock({ $0.hasEnded }) { try session.output.flush(&answered) }
      return false
    }
  }

  /// Executes an operation, behind which so many are held.
  private func execute(_ operation: Execute, held: Int) throws(SystemFailure) {
    findKind(operation.kind)
    let startsProcess = kind?.startsProcesses ?? false
    session.startsProcesses.store(startsProcess, ordering: .relaxed)
    let hasSent = try session.output.begin(
      operation.reference,
      after: &answered,
      startsProcess: startsProcess,
      held: held
    )
    if hasSent, !glance() { return }
    answered = Answered(reference: operation.reference, conclusion: conclusion(of: operation))
  }

  /// Reads what there is for the executor to do next.
  private func read() {
    if session.read() { endReading() }
  }

  /// Reads what is already there, so that the I/O thread need not be woken for it; false where that
  /// was the end.
  private func glance() -> Bool {
    guard session.inbox.withLock({ $0.turns.beginGlance() }) else { return true }
    guard session.glance() else { return false }
    endReading()
    return true
  }

  private func endReading() {
    if session.inbox.withLock({ $0.endReading() }) { session.callIOThread() }
  }

  private func findKind(_ name: String) {
    if kind?.name != name { kind = kinds[name] }
  }

  /// Executes an operation, on a thread that is given up where it must be niced; a process lowers
  /// itself.
  private func conclusion(of operation: Execute) -> WorkerKind.Conclusion {
    guard let kind, operation.surroundings?.flaw == nil else {
      let message = operation.surroundings?.flaw ?? "this worker does not serve '\(operation.kind)'"
      let failure = Failure(cause: .error, message: message)
      return .answer(.finished(operation.reference, Answer(failure: failure)))
    }
    let context = WorkerContext(operation, session: session)
    let conclusion =
      operation.qualityOfService.niceIncrement > 0 && !kind.startsProcesses
      ? executeNiced(operation, kind, context) : kind.execute(operation, context)
    return limited(conclusion, of: operation.reference)
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
      if !ThreadPriority.raise(from: operation.qualityOfService) {
        TaskThreads.areNeeded.store(true, ordering: .relaxed)
      }
    }
    thread?.join()
    // Without a thread to give up, the operation is executed at the usual class.
    return conclusion.withLock { $0 } ?? kind.execute(operation, context)
  }

  /// A result, or a failure in its place where no frame can hold it.
  private func limited(
    _ conclusion: consuming WorkerKind.Conclusion,
    of reference: DispatchReference
  ) -> WorkerKind.Conclusion {
    guard case .result(let result) = conclusion, result.count > AnswerLimit.inlineOutput,
      let limit = session.inbox.withLock({ $0.welcome?.frameLimit }),
      result.count > limit - AnswerLimit.surroundings
    else { return conclusion }
    let message = "the result's \(result.count) bytes are over the frame limit of \(limit)"
    let answer = Answer(failure: Failure(cause: .error, message: message))
    return .answer(.finished(reference, answer))
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
