import PoolModel

// Time passes: greetings that do not come, silences, and the steps of teardown sequences.

extension Supervisor {
  /// What a look at a worker has found that others must do something about.
  enum Finding {
    case nothing
    /// What it executes takes too long.
    case timeout
    /// It has executed for so long that what waits behind it must be recalled; the supervisor
    /// counts that as done.
    case long
  }

  /// The next worker that is to be looked at; it must be looked at, and armed again.
  mutating func popDue(at now: Instant) -> WorkerHandle? {
    while let worker = alarms.popDue(at: now) {
      // Its place may be empty by now, or belong to another worker, which is looked at for nothing.
      if workers.isLiving(worker) { return worker }
    }
    return nil
  }

  /// Does what is due for one worker.
  mutating func check(_ worker: WorkerHandle, _ context: inout EventContext) -> Finding {
    if let due = retirement(of: worker), due <= context.now { drain(worker, &context) }
    let life = workers[worker]
    if life.isExempt { return .nothing }
    if let walk = life.teardown {
      if walk.at <= context.now { takeTeardownStep(worker, &context) }
    } else if life.state != .serving {
      checkGreetingAndEnd(worker, life, &context)
    } else if !checkFrame(worker, &context), let front = life.front {
      return check(worker, front, &context)
    }
    return .nothing
  }

  private mutating func check(
    _ worker: WorkerHandle,
    _ front: WorkFront,
    _ context: inout EventContext
  )
    -> Finding
  {
    if !front.isExecuting {
      if !isInProcess(worker) { checkStart(worker, front, &context) }
    } else if front.startedAt.advanced(by: limit(of: front)) <= context.now {
      return .timeout
    } else if front.recallAt <= context.now {
      endRecall(of: worker, &context)
      return .long
    } else {
      checkHeartbeat(worker, front, &context)
    }
    return .nothing
  }

  /// What waited behind a worker's operation was asked back; the worker itself goes on.
  mutating func endRecall(of worker: WorkerHandle, _ context: inout EventContext) {
    workers[worker].front?.hasFollowers = false
    if let front = workers[worker].front { checkHeartbeat(worker, front, &context) }
  }

  /// A worker that does not greet, or does not end, is killed.
  private mutating func checkGreetingAndEnd(
    _ worker: WorkerHandle,
    _ life: WorkerLife,
    _ context: inout EventContext
  ) {
    guard life.deadline <= context.now else { return }
    if life.state == .starting, !configurations[life.configuration].hasGreeted {
      configurations[life.configuration].isExhausted = true
    }
    workers[worker].deadline = .distantFuture
    let reason = life.state == .starting ? SignalReason.greeting : .end
    terminate(worker, signal: 9, because: reason, &context)
  }

  /// A worker that does not begin what it was given is killed; where none of its sort has ever
  /// finished anything, its twins are not expected to either.
  private mutating func checkStart(
    _ worker: WorkerHandle,
    _ front: WorkFront,
    _ context: inout EventContext
  ) {
    guard front.since.advanced(by: policy.startTimeout) <= context.now else {
      return checkHeartbeat(worker, front, &context)
    }
    let configuration = workers[worker].configuration
    if !configurations[configuration].hasFinished {
      configurations[configuration].isExhausted = true
    }
    terminate(worker, signal: 9, because: .start, &context)
  }

  /// Makes sure that the worker is looked at when something is due for it.
  mutating func arm(_ worker: WorkerHandle) {
    guard let due = deadline(of: worker), due.nanoseconds != Instant.never else { return }
    alarms.arm(worker, at: due)
  }

  mutating func armAll() {
    for worker in workers.living { arm(worker) }
  }

  /// As ``arm(_:)``, for a worker that has just come to an operation with this timeout, or begun
  /// it.
  @inline(__always)
  mutating func armFront(_ worker: WorkerHandle, _ timeout: Int64, at now: Instant) {
    if !isWatched(worker, timeout: timeout, at: now) { arm(worker) }
  }

  /// Whether nothing is due for a worker that has just come to an operation with this timeout
  /// before it is looked at anyway.
  ///
  /// Nothing is usually due for it sooner than ``PrefetchPolicy/patience`` from now, and where it
  /// is looked at by then, no more need be known: the hot path does not look for what is due.
  @inline(__always)
  private func isWatched(_ worker: WorkerHandle, timeout: Int64, at now: Instant) -> Bool {
    let soon = now.nanoseconds + PrefetchPolicy.patience
    return alarms.rings(worker, by: soon) && isPatient && timeout >= PrefetchPolicy.patience
      && workers[worker].isUsual
  }

  /// When something is due for the worker, if ever.
  func deadline(of worker: WorkerHandle) -> Instant? {
    if let at = workers[worker].teardown?.at { return at }
    if workers[worker].isExempt { return nil }
    guard workers[worker].state == .serving else { return workers[worker].deadline }
    let due = earlier(retirement(of: worker), frameDue(worker))
    return earlier(workers[worker].front.flatMap { workDeadline(of: worker, $0) }, due)
  }

  private func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  /// When something is due because of what the worker has.
  private func workDeadline(of worker: WorkerHandle, _ front: WorkFront) -> Instant? {
    let heartbeat = heartbeatDue(worker, front)
    guard front.isExecuting else {
      // A thread of this process that waits for its turn is neither dead nor deaf.
      guard !isInProcess(worker) else { return nil }
      return earlier(heartbeat, front.since.advanced(by: policy.startTimeout))
    }
    let end = front.startedAt.advanced(by: limit(of: front))
    let timeout = heartbeat.map { min($0, end) } ?? end
    guard front.hasFollowers else { return timeout }
    return min(timeout, front.recallAt)
  }
}
