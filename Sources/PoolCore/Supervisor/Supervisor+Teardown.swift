import PoolModel

// What workers execute is made to end, step by step.

extension Supervisor {
  /// Begins to make what the worker executes end.
  mutating func beginTeardown(
    _ worker: WorkerHandle,
    as ending: PoolEnding,
    _ context: inout EventContext
  ) {
    workers[worker].front?.hasFollowers = false
    workers[worker].teardown = TeardownWalk(ending: ending, next: 0, at: context.now)
    takeTeardownStep(worker, &context)
    arm(worker)
  }

  /// Whether a teardown can begin.
  func mayTearDown(_ worker: WorkerHandle) -> Bool {
    workers[worker].front != nil && workers[worker].teardown == nil
      && workers[worker].state == .serving
  }

  /// How an operation is made to end that a worker has.
  func sequence(for id: OperationID) -> PoolTeardownSequence {
    if isKilling { return .immediate }
    return (teardowns.isEmpty ? nil : teardowns[id]) ?? policy.teardown
  }

  /// An operation is known that may have a sequence of its own.
  mutating func keepTeardown(_ sequence: PoolTeardownSequence?, of id: OperationID) {
    if let sequence { teardowns[id] = sequence }
  }

  /// An operation is forgotten.
  mutating func forgetTeardown(of id: OperationID) {
    if !teardowns.isEmpty { teardowns[id] = nil }
  }

  /// Asks a worker to stop an operation that it has not begun.
  mutating func requestCancel(
    _ reference: DispatchReference,
    of worker: WorkerHandle,
    _ context: inout EventContext
  ) {
    let sequence = sequence(for: reference.operation)
    context.requestCancel(workers[worker].id, reference, by: sequence)
  }

  /// Takes the next step of the worker's teardown sequence.
  mutating func takeTeardownStep(_ worker: WorkerHandle, _ context: inout EventContext) {
    guard let walk = workers[worker].teardown, let front = workers[worker].front else { return }
    let sequence = sequence(for: front.reference.operation)
    let (abilities, steps) = (workers[worker].abilities, sequence.steps)
    guard walk.next < steps.count else {
      // A worker that was to take the steps itself has had its time; or SIGKILL is on its way.
      workers[worker].teardown?.at = .distantFuture
      return terminate(worker, signal: 9, because: .teardown, &context)
    }
    if walk.next == 0, abilities.stops, !walk.isAsked {
      context.requestCancel(workers[worker].id, front.reference, by: sequence)
      workers[worker].teardown?.isAsked = true
      if let told = awaitsGroup(worker, front, steps[0], at: context.now) {
        return setTeardown(worker, at: told)
      }
    }
    workers[worker].teardown?.next += 1
    if abilities.takesSteps || (abilities.stops && workers[worker].group != nil) {
      return waitForWalker(worker, steps[walk.next...], &context)
    }
    let step = steps[walk.next]
    switch step.action {
    case .message where !abilities.stops:
      return takeTeardownStep(worker, &context)
    case .message:
      context.effects.append(.recordStep(front.reference.operation, step.action, at: context.now))
    case .signal(let signal):
      context.effects.append(.recordStep(front.reference.operation, step.action, at: context.now))
      terminate(worker, signal: signal, because: .teardown, &context)
    }
    let grace = Int64.milliseconds(step.graceMilliseconds)
    let isLast = walk.next + 1 == steps.count
    setTeardown(worker, at: isLast ? .distantFuture : context.now.advanced(by: grace))
  }

  private mutating func setTeardown(_ worker: WorkerHandle, at due: Instant) {
    workers[worker].teardown?.at = due
    if due != .distantFuture { alarms.arm(worker, at: due) }
  }

  /// Until when the worker may be about to tell its command's group; nil where it need not be
  /// awaited.
  ///
  /// Signalled before, it would die, and its command by SIGKILL instead of the sequence's first
  /// signal.
  private func awaitsGroup(
    _ worker: WorkerHandle,
    _ front: WorkFront,
    _ first: PoolTeardownSequence.Step,
    at now: Instant
  ) -> Instant? {
    guard front.isExecuting, workers[worker].group == nil, !workers[worker].abilities.takesSteps,
      case .signal(let signal) = first.action, signal != 9
    else { return nil }
    let told = front.startedAt.advanced(by: policy.groupMargin)
    return now < told ? told : nil
  }

  /// The worker takes the steps itself; it has the time that its steps are given.
  private mutating func waitForWalker(
    _ worker: WorkerHandle,
    _ steps: ArraySlice<PoolTeardownSequence.Step>,
    _ context: inout EventContext
  ) {
    let rest = steps.reduce(policy.teardownMargin) { $0 + Int64.milliseconds($1.graceMilliseconds) }
    workers[worker].teardown?.next = steps.endIndex
    setTeardown(worker, at: context.now.advanced(by: rest))
  }

  /// The operation has come to its end; a worker that was signalled for it must still do so.
  @inline(__always)
  mutating func endTeardown(_ worker: WorkerHandle, at now: Instant) {
    if workers[worker].teardown != nil { concludeTeardown(worker, at: now) }
  }

  private mutating func concludeTeardown(_ worker: WorkerHandle, at now: Instant) {
    workers[worker].teardown = nil
    guard workers[worker].state == .ending else { return }
    workers[worker].isSpent = true
    setEndLimit(worker, at: now)
  }

  /// Ends all workers at once, with what they execute.
  mutating func killWorkers(_ context: inout EventContext) {
    for worker in workers.living { kill(worker, &context) }
  }

  /// Ends at once what is being ended, and all workers but those that can do that themselves.
  mutating func killOperations(_ context: inout EventContext) {
    isKilling = true
    for worker in workers.living { killOperation(worker, &context) }
  }

  /// Ends a worker at once, unless it can end what it executes itself and is about to: such a one
  /// lives to hand over what its command has written.
  private mutating func killOperation(_ worker: WorkerHandle, _ context: inout EventContext) {
    let life = workers[worker]
    guard life.teardown != nil, life.state == .serving, life.abilities.takesSteps,
      let front = life.front
    else {
      return kill(worker, &context)
    }
    context.requestCancel(life.id, front.reference, by: .immediate)
    workers[worker].teardown?.next = PoolTeardownSequence.immediate.steps.count
    setTeardown(worker, at: context.now.advanced(by: policy.killMargin))
  }

  /// Ends a worker for good, with what it executes.
  private mutating func kill(_ worker: WorkerHandle, _ context: inout EventContext) {
    workers[worker].isSpent = true
    terminate(worker, signal: 9, because: .shutdown, &context)
  }
}

// MARK: - The end of a worker

extension Supervisor {
  /// Signals a worker; it gets nothing more.
  mutating func terminate(
    _ worker: WorkerHandle,
    signal: Int32,
    because reason: SignalReason,
    _ context: inout EventContext
  ) {
    close(worker)
    context.effects.append(.signal(workers[worker].id, signal, reason))
  }

  /// A worker has broken the protocol: it is killed, and its exit will follow.
  mutating func violated(_ worker: WorkerHandle, _ context: inout EventContext) {
    guard !workers[worker].isViolator else { return }
    workers[worker].isViolator = true
    terminate(worker, signal: 9, because: .violation, &context)
  }

  /// A worker gets nothing more, and is killed unless it ends soon.
  mutating func expectEnd(_ worker: WorkerHandle, at now: Instant) {
    guard workers[worker].state != .ending else { return }
    close(worker)
    setEndLimit(worker, at: now)
  }

  /// A worker is killed unless it ends soon.
  private mutating func setEndLimit(_ worker: WorkerHandle, at now: Instant) {
    let due = min(workers[worker].deadline, now.advanced(by: policy.endTimeout))
    workers[worker].deadline = due
    if due != .distantFuture { alarms.arm(worker, at: due) }
  }

  private mutating func close(_ worker: WorkerHandle) {
    guard workers[worker].state != .ending else { return }
    if workers[worker].state == .starting {
      configurations[workers[worker].configuration].starting -= 1
    }
    workers[worker].deadline = .distantFuture
    workers[worker].state = .ending
    news.append(.closed(worker))
  }
}
