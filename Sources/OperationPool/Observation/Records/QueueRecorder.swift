import PoolContents
import PoolCore
import PoolEvents
import PoolModel
import Synchronization

/// Makes the records of one target from what happens in a queue.
///
/// Its lock may be taken while the engine's is held, and never while an operation's or that of a
/// queue's observers is: operations are described before.
final class QueueRecorder: Sendable {
  private struct State {
    var numbers = RecordNumbers()
    /// The attempts that others follow, of operations that have not ended.
    var retried: [OperationID: Int] = [:]
    /// The workers that have greeted and live.
    var workers: Set<WorkerID> = []
    var hasFailed = false
  }

  private let target: any RecordTarget
  private let clock: @Sendable () -> Instant
  private let firstEffect: Int
  /// The moment from which times count.
  private let origin: Instant
  private let state = Mutex(State())

  /// Makes a recorder of the events from this one on.
  init(
    _ target: any RecordTarget,
    from firstEffect: Int,
    clock: @escaping @Sendable () -> Instant
  ) {
    (self.target, self.firstEffect, self.clock) = (target, firstEffect, clock)
    origin = clock()
  }

  /// Whether the target takes no records any longer.
  var isOver: Bool { target.isOver }

  /// The records begin, with the operations that have not ended.
  func begin(_ began: RunBegan, with operations: [PoolOperation]) {
    state.withLock { _ in tell(.runBegan(began)) }
    add(operations)
  }

  /// Operations were added.
  func add(_ operations: [PoolOperation]) {
    guard !isOver else { return }
    let submissions = operations.compactMap { Submission($0) }
    state.withLock { add(submissions, to: &$0) }
  }

  /// A worker executes an operation.
  func start(
    _ operation: PoolOperation,
    _ attempt: Int,
    on worker: WorkerID,
    at time: Instant,
    _ effect: Int
  ) {
    with(operation, effect) { number, _, _ in
      let time = moved(time)
      tell(.started(AttemptStarted(number: number, attempt: attempt, worker: worker, time: time)))
    }
  }

  /// An attempt has ended, and another one follows.
  func retry(_ operation: PoolOperation, _ outcome: PoolOutcome, _ effect: Int) {
    let settlement = outcome.settlement
    let rule = operation.options.retryPolicy.rule ?? .standard
    let delay = rule.delay(after: settlement.attempt, of: settlement.operation)
    let due = delay > 0 ? moved(settlement.finished.advanced(by: delay)) : nil
    with(operation, effect) { number, id, state in
      state.retried[id] = outcome.attempts
      tell(.attemptEnded(end(of: outcome, number)))
      let reason = outcome.failure?.sentence ?? outcome.ending.name
      tell(
        .retryPlanned(
          RetryPlanned(number: number, after: outcome.attempts, due: due, because: reason)
        )
      )
    }
  }

  /// An operation has its outcome.
  func settle(_ operation: PoolOperation, _ outcome: PoolOutcome, _ effect: Int) {
    let memberCount = operation.hasMembers ? operation.allMembers.count : nil
    with(operation, effect) { number, id, state in
      let root = state.numbers.root(of: outcome.settlement)
      let record = end(of: outcome, number, root: root, memberCount: memberCount)
      let isAttempt = record.started != nil && record.attempt > 0 && memberCount == nil
      let retried = state.retried.removeValue(forKey: id)
      if isAttempt, retried != record.attempt { tell(.attemptEnded(record)) }
      tell(.settled(record, counts: true))
      state.numbers.end(id, as: outcome.ending)
      if outcome.ending != .succeeded { state.hasFailed = true }
    }
  }

  /// A worker of the queue's fleet has greeted.
  func greet(_ worker: WorkerID, _ known: GreetedWorker, configuration: Int) {
    guard !isOver else { return }
    state.withLock { state in
      state.workers.insert(worker)
      let greeted = WorkerGreeted(
        worker: worker,
        process: known.process,
        configuration: configuration,
        host: known.host
      )
      tell(.workerGreeted(greeted))
    }
  }

  /// A worker is gone; says nothing of one that has not greeted since the records began.
  func end(_ death: PoolWorkerDeath) {
    guard !isOver else { return }
    state.withLock { state in
      guard state.workers.remove(death.worker) != nil else { return }
      let ended = WorkerEnded(
        worker: death.worker,
        process: death.pid,
        manner: death.manner.rawValue,
        status: death.status,
        message: Printable.text(death.fact + death.doubt)
      )
      tell(.workerEnded(ended))
    }
  }

  /// The queue is gone: the records end, with the end of the run if everything has ended.
  func finish() {
    state.withLock { state in
      guard state.numbers.isAllEnded else { return }
      tell(.runEnded(RunEnded(exitCode: state.hasFailed ? 1 : 0)))
    }
    target.finish()
  }

  private func with(
    _ operation: PoolOperation,
    _ effect: Int,
    _ body: (_ number: Int, _ id: OperationID, inout State) -> Void
  ) {
    guard effect >= firstEffect, !isOver, let submission = Submission(operation) else { return }
    state.withLock { state in
      add([submission], to: &state)
      guard let number = state.numbers.number(of: submission.id) else { return }
      body(number, submission.id, &state)
    }
  }

  /// Numbers operations that are new, and tells of them.
  private func add(_ submissions: [Submission], to state: inout State) {
    let new = submissions.filter { state.numbers.begin($0.id) }
    for submission in new {
      guard let record = submission.record({ state.numbers.number(of: $0) }) else { continue }
      tell(.submitted(record))
    }
  }

  private func end(
    of outcome: PoolOutcome,
    _ number: Int,
    root: EndRecord.Root? = nil,
    memberCount: Int? = nil
  ) -> EndRecord {
    let report = outcome.report
    return EndRecord(
      of: outcome,
      number: number,
      root: root,
      memberCount: memberCount,
      byteCounts: (report.standardOutput.byteCount, report.standardError.byteCount),
      at: moved
    )
  }

  /// A time of the pool as a time of the records.
  private func moved(_ time: Instant) -> Instant {
    Instant(nanoseconds: max(time.nanoseconds - origin.nanoseconds, 0))
  }

  /// The lock is held, so times never decrease.
  private func tell(_ record: RunRecord) { target.take(record, at: moved(clock())) }

  /// The time of the records now.
  var now: Instant { moved(clock()) }
}
