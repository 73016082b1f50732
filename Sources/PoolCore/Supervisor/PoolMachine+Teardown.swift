package import PoolModel

// Time passes: greetings that do not come, timeouts, and the steps of teardown sequences.

extension PoolMachine {
  /// The time has come for whatever was due by now.
  package mutating func ring(at now: Instant) {
    forgiveAbsence(at: now)
    while let worker = alarms.popDue(at: now) {
      // Its slot may be empty by now, or belong to another worker, which is looked at for nothing.
      guard workers.isLiving(worker) else { continue }
      look(at: worker, now)
      arm(worker)
    }
    endDelays(at: now)
    passRunDeadline(at: now)
    ringHalt(at: now)
    // What may be started again is, by `dispatch`.
    while restarts.popDue(at: now) != nil {}
  }

  /// An operation that a worker has is cancelled.
  mutating func cancelDispatched(
    _ slot: OperationHandle,
    _ id: WorkerID,
    _ number: DispatchNumber,
    at now: Instant
  ) {
    guard let worker = workers.slot(of: id) else { return }
    if workers[worker].line.first?.number == number {
      beginTeardown(worker, ending: .cancelled, at: now)
      arm(worker)
    } else {
      let operation = operations.id(of: slot)
      let reference = DispatchReference(operation: operation, dispatch: number)
      effects.append(.requestCancel(id, reference))
    }
  }

  /// How an operation is made to end that a worker has.
  package func teardown(of id: OperationID) -> PoolTeardownSequence {
    operations.slot(of: id).map { teardown(of: $0) } ?? policy.teardown
  }

  /// How an operation is made to end: by its own teardown sequence, or by everybody's.
  private func teardown(of slot: OperationHandle) -> PoolTeardownSequence {
    if isKilling { return .immediate }
    return teardowns.isEmpty ? policy.teardown : teardowns[slot] ?? policy.teardown
  }

  /// Begins to make the first of the worker's line end; what is behind it is asked back.
  mutating func beginTeardown(_ worker: WorkerHandle, ending: PoolEnding, at now: Instant) {
    let life = workers[worker]
    guard life.teardown == nil, life.state == .serving else { return }
    recallHeld(worker)
    workers[worker].teardown = TeardownWalk(ending: ending, next: 0, at: now)
    takeTeardownStep(worker, at: now)
  }

  /// Asks back everything behind the first of the worker's line.
  private mutating func recallHeld(_ worker: WorkerHandle) {
    let life = workers[worker]
    guard life.abilities.returns, !life.hasRecalled else { return }
    for held in life.line.held {
      let operation = operations.id(of: held.slot)
      effects.append(
        .recall(life.id, DispatchReference(operation: operation, dispatch: held.number))
      )
    }
    workers[worker].hasRecalled = !life.line.held.isEmpty
  }

  /// Takes the next step of the worker's teardown sequence.
  private mutating func takeTeardownStep(_ worker: WorkerHandle, at now: Instant) {
    let life = workers[worker]
    guard let walk = life.teardown, let first = life.line.first else {
      return
    }
    let steps = teardown(of: first.slot).steps
    guard walk.next < steps.count else {
      // A worker that was to take the steps itself has had its time; or SIGKILL is on its way.
      workers[worker].teardown?.at = .distantFuture
      return terminate(worker, signal: 9, because: .teardown)
    }
    if walk.next == 0, life.abilities.stops, !walk.isAsked {
      let operation = operations.id(of: first.slot)
      let reference = DispatchReference(operation: operation, dispatch: first.number)
      effects.append(.requestCancel(life.id, reference))
      workers[worker].teardown?.isAsked = true
      if let told = awaitsGroup(worker, first.slot, steps, at: now) {
        workers[worker].teardown?.at = told
        return
      }
    }
    workers[worker].teardown?.next += 1
    if life.abilities.takesSteps || (life.abilities.stops && life.group != nil) {
      return waitForWalker(worker, first.slot, after: walk.next, at: now)
    }
    let step = steps[walk.next]
    switch step.action {
    case .message where !life.abilities.stops:
      return takeTeardownStep(worker, at: now)
    case .message:
      effects.append(.noteStep(operations.id(of: first.slot), step.action, at: now))
    case .signal(let signal):
      effects.append(.noteStep(operations.id(of: first.slot), step.action, at: now))
      terminate(worker, signal: signal, because: .teardown)
    }
    let grace = Int64.milliseconds(step.graceMilliseconds)
    workers[worker].teardown?.at =
      walk.next + 1 < steps.count ? now.advanced(by: grace) : .distantFuture
  }

  /// Ends at once what is being ended, and all workers but those that can do that themselves: these
  /// live to hand over what their commands have written.
  package mutating func killOperations(at now: Instant) {
    isKilling = true
    for worker in workers.living {
      let life = workers[worker]
      guard life.teardown != nil, life.state == .serving, life.abilities.takesSteps,
        let first = life.line.first
      else {
        kill(worker)
        continue
      }
      let operation = operations.id(of: first.slot)
      let reference = DispatchReference(operation: operation, dispatch: first.number)
      effects.append(.requestCancel(life.id, reference))
      workers[worker].teardown?.next = PoolTeardownSequence.immediate.steps.count
      workers[worker].teardown?.at = now.advanced(by: policy.killMargin)
      arm(worker)
    }
  }

  /// Until when the worker may be about to tell its command's group; nil where it need not be
  /// awaited.
  ///
  /// Signalled before, it would die, and its command by SIGKILL instead of the teardown sequence's
  /// first signal.
  private func awaitsGroup(
    _ worker: WorkerHandle,
    _ slot: OperationHandle,
    _ steps: [PoolTeardownSequence.Step],
    at now: Instant
  ) -> Instant? {
    guard workers[worker].isExecuting, workers[worker].group == nil,
      !workers[worker].abilities.takesSteps,
      case .signal(let signal) = steps[0].action, signal != 9
    else { return nil }
    let told = operations[slot].startedAt.advanced(by: policy.groupMargin)
    return now < told ? told : nil
  }

  /// The worker takes the steps itself; it has the time that its steps are given.
  private mutating func waitForWalker(
    _ worker: WorkerHandle,
    _ slot: OperationHandle,
    after step: Int,
    at now: Instant
  ) {
    let steps = teardown(of: slot).steps
    let rest = steps[step...].reduce(policy.teardownMargin) {
      $0 + Int64.milliseconds($1.graceMilliseconds)
    }
    workers[worker].teardown?.next = steps.count
    workers[worker].teardown?.at = now.advanced(by: rest)
  }

  /// The operation has come to its end; a worker that was signalled for it must still do so.
  mutating func endTeardown(_ worker: WorkerHandle, at now: Instant) {
    guard workers[worker].teardown != nil else { return }
    workers[worker].teardown = nil
    guard workers[worker].state == .ending else { return }
    workers[worker].isSpent = true
    limitEnd(worker, at: now)
  }

  /// Does what is due for one worker.
  private mutating func look(at worker: WorkerHandle, _ now: Instant) {
    checkAge(worker, at: now)
    let life = workers[worker]
    if life.isExempt { return }
    if life.state != .serving, life.teardown == nil {
      guard life.deadline <= now else { return }
      if life.state == .starting, !configurations[configuration(of: worker)].hasGreeted {
        configurations[configuration(of: worker)].isExhausted = true
      }
      workers[worker].deadline = .distantFuture
      return terminate(worker, signal: 9, because: life.state == .starting ? .greeting : .end)
    }
    if let walk = life.teardown {
      if walk.at <= now { takeTeardownStep(worker, at: now) }
      return
    }
    if demandFrame(worker, at: now) { return }
    guard let first = life.line.first else { return }
    guard life.isExecuting else {
      if !configurations[configuration(of: worker)].spec.isInProcess {
        demandStart(worker, life, now)
      }
      return
    }
    let started = operations[first.slot].startedAt
    if started.advanced(by: executionLimit(of: first.slot, on: worker)) <= now {
      beginTeardown(worker, ending: .timedOut, at: now)
    } else {
      if started.advanced(by: PrefetchPolicy.patience) <= now { recallHeld(worker) }
      checkHeartbeat(worker, at: now)
    }
  }

  /// A worker that does not begin what it was given is killed; where none of its sort has ever
  /// finished anything, its twins are not expected to either.
  private mutating func demandStart(_ worker: WorkerHandle, _ life: WorkerLife, _ now: Instant) {
    guard life.frontSince.advanced(by: policy.startTimeout) <= now else {
      return checkHeartbeat(worker, at: now)
    }
    if !configurations[configuration(of: worker)].hasFinished {
      configurations[configuration(of: worker)].isExhausted = true
    }
    terminate(worker, signal: 9, because: .start)
  }

  /// Makes sure that the worker is looked at when something is due for it.
  mutating func arm(_ worker: WorkerHandle) {
    guard let deadline = deadline(of: worker), deadline.nanoseconds != Instant.never else { return }
    alarms.arm(worker, at: deadline)
  }

  /// As ``arm(_:)``, for a worker that has just begun its first operation, or come to it.
  ///
  /// Nothing is usually due for it sooner than ``PrefetchPolicy/patience`` from now, and where it
  /// is looked at by then anyway, no more need be known: the hot path does not look for what is
  /// due.
  mutating func armFront(_ worker: WorkerHandle, _ first: OperationHandle, at now: Instant) {
    let soon = now.nanoseconds + PrefetchPolicy.patience
    if alarms.rings(worker, by: soon), isPatient,
      operations[first].timeout >= PrefetchPolicy.patience,
      workers[worker].isUsual
    {
      return
    }
    arm(worker)
  }

  /// When something is due for the worker, if ever.
  func deadline(of worker: WorkerHandle) -> Instant? {
    if let at = workers[worker].teardown?.at { return at }
    if workers[worker].isExempt { return nil }
    guard workers[worker].state == .serving else { return workers[worker].deadline }
    let due = earlier(retirement(of: worker), frameDue(worker))
    return earlier(workDeadline(of: worker), due)
  }

  private func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  /// When something is due because of what the worker has.
  private func workDeadline(of worker: WorkerHandle) -> Instant? {
    guard let first = workers[worker].line.first else { return nil }
    guard workers[worker].isExecuting else {
      // A thread of this process that waits for its turn is neither dead nor deaf.
      guard !configurations[configuration(of: worker)].spec.isInProcess else { return nil }
      let start = workers[worker].frontSince.advanced(by: policy.startTimeout)
      return earlier(heartbeatDue(worker), start)
    }
    let started = operations[first.slot].startedAt
    let end = started.advanced(by: executionLimit(of: first.slot, on: worker))
    let timeout = heartbeatDue(worker).map { min($0, end) } ?? end
    guard workers[worker].line.count > 1, !workers[worker].hasRecalled else { return timeout }
    return min(timeout, started.advanced(by: PrefetchPolicy.patience))
  }
}
