import PoolModel

// Deadlines of workers: greetings, starts, frames, heartbeats, timeouts and teardown steps.

extension Supervisor {
  /// What a check has found that the other machines must handle.
  enum Finding {
    case nothing
    /// The operation has exceeded its timeout.
    case timeout
    /// The operation takes so long that those behind it must be recalled; the supervisor counts
    /// them as recalled.
    case long
  }

  /// The next worker to check; the caller must check it and arm it again.
  mutating func popDue(at now: Instant) -> WorkerHandle? {
    while let worker = timers.popDue(at: now) {
      // The handle may be free by now, or belong to another worker; checking that one does no harm.
      if workers.isLiving(worker) { return worker }
    }
    return nil
  }

  /// Does what is due for one worker.
  mutating func check(_ worker: WorkerHandle, _ context: inout EventContext) -> Finding {
    if let due = retirement(of: worker), due <= context.now { recycle(worker, &context) }
    let life = workers[worker]
    if let doubt = life.doubt {
      if doubt.until <= context.now { endDoubt(of: worker, &context) }
      return .nothing
    }
    if life.isExempt { return .nothing }
    if let walk = life.teardown {
      if walk.at <= context.now { takeTeardownStep(worker, &context) }
    } else if !life.isServing {
      checkGreetingAndEnd(worker, life, &context)
    } else if !checkLease(worker, &context), !checkFrame(worker, &context), let head = life.head {
      return check(worker, head, &context)
    }
    return .nothing
  }

  private mutating func check(
    _ worker: WorkerHandle,
    _ head: HeadOperation,
    _ context: inout EventContext
  )
    -> Finding
  {
    if !head.isExecuting {
      if !executesBlocks(worker) { checkStart(worker, head, &context) }
    } else if head.startedAt.advanced(by: limit(of: head)) <= context.now {
      return .timeout
    } else if head.recallAt <= context.now {
      endRecall(of: worker, &context)
      return .long
    } else {
      checkHeartbeat(worker, head, &context)
    }
    return .nothing
  }

  /// The operations behind the worker's first one were recalled; the worker itself goes on.
  mutating func endRecall(of worker: WorkerHandle, _ context: inout EventContext) {
    workers[worker].head?.patience = nil
    if let head = workers[worker].head { checkHeartbeat(worker, head, &context) }
  }

  /// Kills a worker that does not greet, or does not end.
  private mutating func checkGreetingAndEnd(
    _ worker: WorkerHandle,
    _ life: WorkerLife,
    _ context: inout EventContext
  ) {
    guard life.deadline <= context.now, !mayStillGreet(worker, life, at: context.now)
    else { return }
    if life.isStarting, !configurations[life.configuration].hasGreeted {
      configurations[life.configuration].exhaust()
    }
    workers[worker].deadline = .distantFuture
    let reason = life.isStarting ? SignalReason.greeting : .end
    terminate(worker, signal: 9, because: reason, &context)
  }

  /// Whether a worker has more time for its greeting, because one that was started before it has
  /// greeted not long ago; sets its new deadline.
  ///
  /// Workers are started one after the other, so that the last of many may not even exist when its
  /// time is over. The workers before it are finitely many, and each of them greets once.
  private mutating func mayStillGreet(
    _ worker: WorkerHandle,
    _ life: WorkerLife,
    at now: Instant
  ) -> Bool {
    guard life.isStarting else { return false }
    var deadline = life.deadline
    let timeout = greetingTimeout(of: life.configuration)
    for other in workers.living where workers[other].id.rawValue < life.id.rawValue {
      guard let greetedAt = workers[other].greetedAt else { continue }
      deadline = max(deadline, greetedAt.advanced(by: timeout))
    }
    workers[worker].deadline = deadline
    return deadline > now
  }

  /// Kills a worker that does not begin its operation.
  ///
  /// If no worker of the configuration has ever finished one, no more are started.
  private mutating func checkStart(
    _ worker: WorkerHandle,
    _ head: HeadOperation,
    _ context: inout EventContext
  ) {
    guard startDue(worker, head) <= context.now else {
      return checkHeartbeat(worker, head, &context)
    }
    let configuration = workers[worker].configuration
    if configurations[configuration].achievement != .work {
      configurations[configuration].exhaust()
    }
    terminate(worker, signal: 9, because: .start, &context)
  }

  /// When the worker must have begun its operation.
  private func startDue(_ worker: WorkerHandle, _ head: HeadOperation) -> Instant {
    patient(head.since.advanced(by: policy.startTimeout), for: worker)
  }

  /// Arms the worker's timer for its next deadline.
  mutating func arm(_ worker: WorkerHandle) {
    guard let due = deadline(of: worker), due.nanoseconds != Instant.never else { return }
    timers.arm(worker, at: due)
  }

  mutating func armAll() {
    for worker in workers.living { arm(worker) }
  }

  /// Like ``arm(_:)``, for a worker whose first operation, with this timeout, is new or has just
  /// begun.
  @inline(__always)
  mutating func armHead(_ worker: WorkerHandle, _ timeout: Int64, at now: Instant) {
    if !isWatched(worker, timeout: timeout, at: now) { arm(worker) }
  }

  /// Whether the worker will be checked before its next deadline anyway.
  ///
  /// A worker usually has no deadline earlier than ``PrefetchPolicy/patience`` from now. If its
  /// timer fires by then, the hot path need not compute the deadline.
  @inline(__always)
  private func isWatched(_ worker: WorkerHandle, timeout: Int64, at now: Instant) -> Bool {
    let soon = now.nanoseconds + PrefetchPolicy.patience
    return timers.fires(worker, by: soon) && isPatient && timeout >= PrefetchPolicy.patience
      && workers[worker].isUsual
  }

  /// The worker's next deadline, if any.
  func deadline(of worker: WorkerHandle) -> Instant? {
    if let doubt = workers[worker].doubt { return doubt.until }
    if let at = workers[worker].teardown?.at { return at }
    if workers[worker].isExempt { return nil }
    guard workers[worker].isServing else { return workers[worker].deadline }
    let due = earlier(
      earlier(retirement(of: worker), frameDue(worker)),
      workers[worker].leasedUntil
    )
    return earlier(workers[worker].head.flatMap { workDeadline(of: worker, $0) }, due)
  }

  private func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  /// The next deadline that follows from the worker's first operation.
  private func workDeadline(of worker: WorkerHandle, _ head: HeadOperation) -> Instant? {
    let heartbeat = heartbeatDue(worker, head)
    guard head.isExecuting else {
      // A thread of this process that waits to execute has not failed.
      guard !executesBlocks(worker) else { return nil }
      return earlier(heartbeat, startDue(worker, head))
    }
    let end = head.startedAt.advanced(by: limit(of: head))
    let timeout = heartbeat.map { min($0, end) } ?? end
    return head.patience == nil ? timeout : min(timeout, head.recallAt)
  }
}
