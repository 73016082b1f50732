import PoolModel

// Ends operations that workers execute, step by step.

extension Supervisor {
  /// Begins the teardown of the worker's operation.
  mutating func beginTeardown(
    _ worker: WorkerHandle,
    as ending: PoolEnding,
    _ context: inout EventContext
  ) {
    workers[worker].head?.patience = nil
    workers[worker].teardown = TeardownProgress(
      ending: ending,
      start: context.now,
      next: 0,
      at: context.now
    )
    takeTeardownStep(worker, &context)
    arm(worker)
  }

  /// Whether a teardown can begin.
  func mayTearDown(_ worker: WorkerHandle) -> Bool {
    workers[worker].head != nil && workers[worker].teardown == nil
      && workers[worker].isServing
  }

  /// The teardown sequence of an operation.
  func sequence(for id: OperationID) -> PoolTeardownSequence {
    if isKilling { return .immediate }
    return (teardowns.isEmpty ? nil : teardowns[id]) ?? policy.teardown
  }

  /// Stores the teardown sequence of an operation that has its own.
  mutating func keepTeardown(_ sequence: PoolTeardownSequence?, of id: OperationID) {
    if let sequence { teardowns[id] = sequence }
  }

  /// Drops the teardown sequence of an operation that was forgotten.
  mutating func forgetTeardown(of id: OperationID) {
    if !teardowns.isEmpty { teardowns[id] = nil }
  }

  /// Asks a worker to cancel an operation that it has not begun.
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
    guard let walk = workers[worker].teardown, let head = workers[worker].head else { return }
    let sequence = sequence(for: head.reference.operation)
    let (capabilities, steps) = (workers[worker].capabilities, sequence.steps)
    guard walk.next < steps.count else {
      // The worker should have taken the steps itself and its time is over; or the last step was
      // SIGKILL and that is under way.
      workers[worker].teardown?.at = .distantFuture
      return terminate(worker, signal: 9, because: .teardown, &context)
    }
    if walk.next == 0, capabilities.contains(.cancel), !walk.isAsked {
      context.requestCancel(workers[worker].id, head.reference, by: sequence)
      workers[worker].teardown?.isAsked = true
      if let deadline = awaitsGroup(worker, head, steps[0], at: context.now) {
        return setTeardown(worker, at: deadline)
      }
    }
    workers[worker].teardown?.next += 1
    if capabilities.takesSteps || (capabilities.contains(.cancel) && workers[worker].group != nil) {
      return awaitOwnSteps(worker, steps[walk.next...], &context)
    }
    let step = steps[walk.next]
    switch step.action {
    case .message where !capabilities.contains(.cancel):
      return takeTeardownStep(worker, &context)
    case .message:
      context.effects.append(.recordStep(head.reference.operation, step.action, at: context.now))
    case .signal(let signal):
      context.effects.append(.recordStep(head.reference.operation, step.action, at: context.now))
      terminate(worker, signal: signal, because: .teardown, &context)
    }
    let grace = Int64.milliseconds(step.graceMilliseconds)
    let isLast = walk.next + 1 == steps.count
    setTeardown(worker, at: isLast ? .distantFuture : context.now.advanced(by: grace))
  }

  private mutating func setTeardown(_ worker: WorkerHandle, at due: Instant) {
    workers[worker].teardown?.at = due
    if due != .distantFuture { timers.arm(worker, at: due) }
  }

  /// Until when to wait for the report of the command's group; nil if there is no need to wait.
  ///
  /// If the worker were signalled before the report, it would die, and its command would get
  /// SIGKILL instead of the sequence's first signal.
  private func awaitsGroup(
    _ worker: WorkerHandle,
    _ head: HeadOperation,
    _ first: PoolTeardownSequence.Step,
    at now: Instant
  ) -> Instant? {
    guard head.isExecuting, workers[worker].group == nil, !workers[worker].capabilities.takesSteps,
      case .signal(let signal) = first.action, signal != 9
    else { return nil }
    let deadline = head.startedAt.advanced(by: policy.groupMargin)
    return now < deadline ? deadline : nil
  }

  /// Lets the worker take the remaining steps itself, and waits for the sum of their graces.
  private mutating func awaitOwnSteps(
    _ worker: WorkerHandle,
    _ steps: ArraySlice<PoolTeardownSequence.Step>,
    _ context: inout EventContext
  ) {
    let margin = context.now.advanced(by: policy.teardownMargin)
    let due = steps.reduce(margin) { $0.advanced(by: .milliseconds($1.graceMilliseconds)) }
    workers[worker].teardown?.next = steps.endIndex
    setTeardown(worker, at: due)
  }

  /// The operation has ended; a worker that was signalled for it must still end.
  @inline(__always)
  mutating func endTeardown(_ worker: WorkerHandle, at now: Instant) {
    if workers[worker].teardown != nil { concludeTeardown(worker, at: now) }
  }

  private mutating func concludeTeardown(_ worker: WorkerHandle, at now: Instant) {
    workers[worker].teardown = nil
    guard workers[worker].isEnding else { return }
    workers[worker].note(.spent)
    setEndLimit(worker, at: now)
  }

  /// Kills all workers and their operations at once.
  ///
  /// Those that cannot be reached are not waited for.
  mutating func killWorkers(_ context: inout EventContext) {
    for worker in workers.living { kill(worker, &context) }
  }

  /// Kills at once, except that workers which can end their operations themselves, and have begun
  /// to, do so.
  mutating func killOperations(_ context: inout EventContext) {
    isKilling = true
    for worker in workers.living { killOperation(worker, &context) }
  }

  /// Kills a worker, unless it is tearing its own operation down: such a worker lives, to deliver
  /// the output of its command.
  private mutating func killOperation(_ worker: WorkerHandle, _ context: inout EventContext) {
    let life = workers[worker]
    guard life.teardown != nil, life.isServing, life.capabilities.takesSteps,
      let head = life.head
    else {
      return kill(worker, &context)
    }
    context.requestCancel(life.id, head.reference, by: .immediate)
    workers[worker].teardown?.next = PoolTeardownSequence.immediate.steps.count
    setTeardown(worker, at: context.now.advanced(by: policy.killMargin))
  }

  /// Kills a worker and its operation.
  private mutating func kill(_ worker: WorkerHandle, _ context: inout EventContext) {
    guard workers[worker].doubt == nil else { return endDoubt(of: worker, &context) }
    terminate(worker, signal: 9, because: .shutdown, &context)
    workers[worker].note(.spent)
  }
}

// MARK: - The end of a worker

extension Supervisor {
  /// Signals a worker, and gives it nothing more.
  mutating func terminate(
    _ worker: WorkerHandle,
    signal: Int32,
    because reason: SignalReason,
    _ context: inout EventContext
  ) {
    close(worker)
    context.effects.append(.signal(workers[worker].id, signal, reason))
  }

  /// Kills a worker that has broken the protocol.
  mutating func violated(_ worker: WorkerHandle, _ context: inout EventContext) {
    guard !workers[worker].endReasons.contains(.violation) else { return }
    terminate(worker, signal: 9, because: .violation, &context)
    workers[worker].note(.violation)
  }

  /// Gives a worker nothing more, and kills it unless it ends soon.
  mutating func expectEnd(_ worker: WorkerHandle, at now: Instant) {
    guard !workers[worker].isEnding else { return }
    close(worker)
    setEndLimit(worker, at: now)
  }

  /// Sets the time at which a worker is killed unless it has ended.
  private mutating func setEndLimit(_ worker: WorkerHandle, at now: Instant) {
    let due = min(workers[worker].deadline, now.advanced(by: policy.endTimeout))
    workers[worker].deadline = due
    if due != .distantFuture { timers.arm(worker, at: due) }
  }

  private mutating func close(_ worker: WorkerHandle) {
    guard !workers[worker].isEnding else { return }
    if workers[worker].isStarting {
      configurations[workers[worker].configuration].starting -= 1
    }
    workers[worker].deadline = .distantFuture
    workers[worker].state = .ending([])
    consequences.append(.closed(worker))
  }
}
