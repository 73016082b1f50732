package import PoolModel

// What workers say, and what becomes of them. Each event names the worker; what does not fit what
// that worker was given is either stale, and changes nothing, or a violation, which the caller is
// told of.

extension PoolMachine {
  /// What a report turned out to be.
  package enum Reception: Hashable, Sendable {
    /// It was expected.
    case accepted
    /// It is about a dispatch that has ended: ignored.
    case stale
    /// No worker that keeps to the protocol sends it now.
    case violation(String)
  }

  /// A worker has sent its greeting.
  package mutating func workerGreeted(
    _ id: WorkerID,
    kinds: [KindID],
    abilities: WorkerAbilities,
    at now: Instant
  ) -> Reception {
    turn.now = now
    guard let worker = supervisor.worker(id) else { return .stale }
    let state = supervisor.state(of: worker)
    guard state == .starting else {
      return state == .ending ? .stale : .violation("a second 'hello'")
    }
    let configuration = supervisor.configuration(of: worker)
    let known = dispatcher.kinds(of: configuration)
    if let known, !known.allSatisfy(kinds.contains) {
      return .violation("a 'hello' that lacks kinds which its worker configuration serves")
    }
    let isFirst = supervisor.greet(worker, abilities, &turn)
    dispatcher.open(worker, abilities, allowance: supervisor.allowance(of: worker))
    if known == nil { dispatcher.setKinds(kinds, of: configuration) }
    turn.effects.append(.welcome(id))
    if isFirst {
      turn.effects.append(.announce(configuration))
      reviewService(of: supervisor.fleet(of: worker))
    }
    return .accepted
  }

  /// A worker has begun an operation, tells the process group that executes it, or tries again to
  /// begin it.
  package mutating func workerStarted(
    _ id: WorkerID,
    _ reference: DispatchReference,
    group: Int32?,
    at now: Instant
  ) -> Reception {
    turn.now = now
    guard let worker = supervisor.worker(id) else { return .stale }
    guard let handle = first(of: worker, as: reference) else {
      return objection(to: reference, from: worker, named: "executing")
    }
    if let group { supervisor.named(group, by: worker, &turn) }
    guard !graph.operations[handle].state.isExecuting else {
      if group == nil, supervisor.mayBeDelayed(worker, at: now) {
        // Its time begins now.
        graph.operations[handle].delayStart(to: now)
        armFront(worker, handle)
      }
      return .accepted
    }
    graph.execute(handle, &turn)
    spread()
    if tellsEveryStart || graph.isObserved(handle) {
      let attempt = Int(graph.operations[handle].attempt)
      turn.effects.append(.start(reference.operation, id, attempt: attempt))
    }
    if graph.operations[handle].state.isCancelled { beginTeardown(worker, as: .cancelled) }
    armFront(worker, handle)
    return .accepted
  }

  /// A worker has answered an operation that it executed.
  ///
  /// - Parameters:
  ///   - id: The worker.
  ///   - reference: The dispatch that it answers.
  ///   - ending: `succeeded`, `failed` or `cancelled`, as the worker says.
  ///   - failure: Why it has failed, if it has.
  ///   - detail: Where the shell keeps the rest of the answer.
  ///   - now: The time.
  /// - Returns: Whether the answer was expected.
  package mutating func workerAnswered(
    _ id: WorkerID,
    _ reference: DispatchReference,
    _ ending: PoolEnding,
    saying failure: PoolRetryCause = .error,
    detail: DetailID,
    at now: Instant
  ) -> Reception {
    turn.now = now
    guard let worker = supervisor.worker(id) else { return .stale }
    if ending == .cancelled, let held = takeCancelledHeld(worker, reference) {
      settleUnstarted(held, as: .cancelled, because: .request)
      spread()
      return .accepted
    }
    guard let handle = first(of: worker, as: reference) else {
      let name = ending == .cancelled ? "cancelled" : "finished"
      return objection(to: reference, from: worker, named: name)
    }
    let kindQueue = graph.operations[handle].kindQueue
    let torn = supervisor.teardownEnding(of: worker)
    guard ending != .cancelled || torn != nil || isAsked(handle, of: worker) else {
      return .violation("a 'cancelled' that nobody asked for")
    }
    if graph.operations[handle].state.isExecuting {
      let isLate = torn == .timedOut
      endAttempt(
        handle,
        as: isLate ? .timedOut : ending,
        because: isLate ? .timeout : ending == .cancelled ? .request : .answer,
        saying: failure,
        detail: detail,
        worker: id
      )
    } else if ending == .cancelled {
      settleUnstarted(handle, as: .cancelled, because: .request, detail: detail)
    } else {
      return .violation("an answer to an operation that it never reported as executing")
    }
    endFirst(of: worker, answered: kindQueue)
    spread()
    return .accepted
  }

  /// A worker has given back an operation that it had not started.
  package mutating func workerReturned(
    _ id: WorkerID,
    _ reference: DispatchReference,
    at now: Instant
  ) -> Reception {
    turn.now = now
    guard let worker = supervisor.worker(id) else { return .stale }
    guard let handle = dispatcher.operation(of: reference.dispatch, on: worker) else {
      return dispatcher.wasGiven(reference.dispatch)
        ? .stale : .violation("a 'returned' for a dispatch that was never made")
    }
    guard dispatcher.hasRecalled(worker) else {
      return .violation("a 'returned' that nobody asked for")
    }
    guard graph.operations.id(of: handle) == reference.operation else {
      return .violation("'returned' with an operation that does not belong to its dispatch")
    }
    if graph.operations[handle].state.isExecuting {
      return .violation("a 'returned' for what it executes")
    }
    takeBack(handle)
    endUnstarted(reference.dispatch, of: worker)
    spread()
    return .accepted
  }

  /// An operation that was dispatched could not be sent: it fails.
  ///
  /// Its worker has never heard of it, and goes on. Ignored where the operation is not the worker's
  /// any more.
  package mutating func dispatchFailed(
    _ id: WorkerID,
    _ reference: DispatchReference,
    because cause: EndingCause,
    detail: DetailID,
    at now: Instant
  ) {
    turn.now = now
    guard let worker = supervisor.worker(id),
      let handle = dispatcher.operation(of: reference.dispatch, on: worker),
      graph.operations.id(of: handle) == reference.operation,
      !graph.operations[handle].state.isExecuting
    else { return }
    if graph.operations[handle].state.isCancelled {
      settleUnstarted(handle, as: .cancelled, because: .request)
    } else {
      settleUnstarted(handle, as: .failed, because: cause, detail: detail)
    }
    endUnstarted(reference.dispatch, of: worker)
    spread()
  }

  /// A worker has said something about an operation that it executes: its progress, or a line.
  package mutating func workerRemarked(
    _ id: WorkerID,
    _ reference: DispatchReference,
    detail: DetailID
  ) -> Reception {
    guard let worker = supervisor.worker(id) else { return .stale }
    guard first(of: worker, as: reference) != nil else {
      return objection(to: reference, from: worker, named: "progress")
    }
    turn.effects.append(.relay(reference.operation, detail))
    return .accepted
  }

  /// All that a worker had sent so far was reported, but for a frame that is not whole: a bunch of
  /// answers ends here.
  package mutating func workerPaused(
    _ id: WorkerID,
    within frame: PartialFrame? = nil,
    at now: Instant
  ) {
    guard let worker = supervisor.worker(id) else { return }
    if supervisor.heard(worker, within: frame, at: now) { arm(worker) }
    dispatcher.endBunch(of: worker, at: now)
  }

  /// So many bytes of memory are a worker's; told of those that have a limit, now and then.
  package mutating func workerWeighed(_ id: WorkerID, bytes: Int, at now: Instant) {
    turn.now = now
    guard let worker = supervisor.worker(id) else { return }
    supervisor.weighed(worker, bytes: bytes, isIdle: !dispatcher.isBusy(worker), &turn)
    dispatcher.setAllowance(supervisor.allowance(of: worker), of: worker)
    closeLines()
  }

  /// From now on nothing of what the worker says is read; see ``Supervisor/unread(_:at:)``.
  package mutating func workerUnread(_ id: WorkerID, at now: Instant) {
    guard let worker = supervisor.worker(id) else { return }
    supervisor.unread(worker, at: now)
  }

  /// The worker is read again.
  package mutating func workerReadAgain(_ id: WorkerID, at now: Instant) {
    guard let worker = supervisor.worker(id) else { return }
    supervisor.readAgain(worker, front(of: worker), at: now)
    arm(worker)
  }

  /// A worker has broken the protocol: it is killed, and its exit will follow.
  package mutating func workerViolated(_ id: WorkerID, at now: Instant) {
    turn.now = now
    guard let worker = supervisor.worker(id) else { return }
    supervisor.violated(worker, &turn)
    closeLines()
  }

  /// A worker will send nothing more, but has not ended; soon it is killed.
  package mutating func workerHungUp(_ id: WorkerID, at now: Instant) {
    guard let worker = supervisor.worker(id) else { return }
    supervisor.expectEnd(worker, at: now)
    closeLines()
  }

  /// A worker is gone, or could not be started; everything that it had sent was reported before.
  ///
  /// Only the operation that it had started, or was to start next, is suspect; what it merely held
  /// is ready again. Where it could not be started, or could not begin its operation, because the
  /// system had too little of something, that is no failure, and tried again with fewer workers.
  package mutating func workerExited(
    _ id: WorkerID,
    forWant isShortage: Bool = false,
    detail: DetailID,
    at now: Instant
  ) {
    turn.now = now
    guard let worker = supervisor.worker(id) else { return }
    let front = front(of: worker)
    let life = supervisor.remove(worker)
    let line = dispatcher.remove(worker)
    let isExecuting = front?.isExecuting == true
    if isShortage, life.mayLackSomething(isExecuting: isExecuting) {
      if let first = line.first { putBack(first.slot, life, detail) }
      takeBack(line.held)
      supervisor.wait(forWantBy: life, isWorkDone: executesForSure, &turn)
    } else {
      let isQuarantined = line.first.map { lose($0.slot, life, detail) } ?? false
      if isQuarantined { supervisor.excuse(life.configuration) }
      takeBack(line.held)
      if !isQuarantined, life.hasFinishedNothing(front) { supervisor.charge(life, &turn) }
    }
    let fleet = dispatcher.configurations[life.configuration].fleet
    if supervisor.isBroken(life.configuration) { reviewService(of: fleet) }
    spread()
    forgetFleet(fleet)
  }
}

// MARK: - What a worker has

extension PoolMachine {
  /// What a worker is at.
  func front(of worker: WorkerHandle) -> WorkFront? {
    guard let first = dispatcher.first(of: worker) else { return nil }
    let operation = graph.operations.id(of: first.slot)
    return WorkFront(
      reference: DispatchReference(operation: operation, dispatch: first.number),
      isExecuting: graph.operations[first.slot].state.isExecuting,
      startedAt: graph.operations[first.slot].startedAt,
      limit: dispatcher.executionLimit(own: graph.operations[first.slot].timeout),
      hasFollowers: dispatcher.hasFollowers(worker)
    )
  }

  /// The first operation of the worker's line, if a report is about that.
  private func first(of worker: WorkerHandle, as reference: DispatchReference) -> OperationHandle? {
    guard let first = dispatcher.first(of: worker),
      first.number.rawValue == reference.dispatch.rawValue,
      graph.operations.id(of: first.slot).rawValue == reference.operation.rawValue
    else { return nil }
    return first.slot
  }

  /// What a report turned out to be that is not about the first operation of the worker's line.
  private func objection(
    to reference: DispatchReference,
    from worker: WorkerHandle,
    named name: String
  ) -> Reception {
    guard dispatcher.wasGiven(reference.dispatch) else {
      return .violation("'\(name)' for a dispatch that was never made")
    }
    guard dispatcher.first(of: worker)?.number != reference.dispatch else {
      return .violation("'\(name)' with an operation that does not belong to its dispatch")
    }
    let isHeld = dispatcher.operation(of: reference.dispatch, on: worker) != nil
    return isHeld ? .violation("'\(name)' out of the order of dispatch") : .stale
  }

  /// Whether an operation may have been asked to stop: one of this process sees its cancellation
  /// before the machine is told.
  private func isAsked(_ handle: OperationHandle, of worker: WorkerHandle) -> Bool {
    graph.operations[handle].state.isCancelled || supervisor.isInProcess(worker)
  }

  /// Takes a held operation that was cancelled out of the worker's line.
  private mutating func takeCancelledHeld(
    _ worker: WorkerHandle,
    _ reference: DispatchReference
  ) -> OperationHandle? {
    guard let handle = dispatcher.operation(of: reference.dispatch, on: worker),
      graph.operations.id(of: handle) == reference.operation,
      graph.operations[handle].state.isCancelled,
      dispatcher.first(of: worker)?.number != reference.dispatch,
      dispatcher.removeHeld(reference.dispatch, from: worker)
    else { return nil }
    return handle
  }

  /// A dispatch that was never begun is not the worker's any more.
  private mutating func endUnstarted(_ number: DispatchNumber, of worker: WorkerHandle) {
    if dispatcher.first(of: worker)?.number == number {
      endFirst(of: worker, answered: nil)
    } else {
      _ = dispatcher.removeHeld(number, from: worker)
    }
  }

  /// The first of a worker's line was answered, from a kind queue, or given back.
  @inline(__always)
  private mutating func endFirst(of worker: WorkerHandle, answered kindQueue: KindQueueHandle?) {
    supervisor.endFront(worker, hasAnswered: kindQueue != nil, &turn)
    let allowance = supervisor.allowance(of: worker)
    if let next = dispatcher.endFirst(of: worker, answered: kindQueue, allowance: allowance) {
      supervisor.beginFront(worker, at: turn.now)
      armFront(worker, next)
    } else if supervisor.state(of: worker) == .serving {
      supervisor.rest(worker, &turn)
      closeLines()
    }
  }

  /// An operation that a worker has had, and has not begun, has its outcome.
  private mutating func settleUnstarted(
    _ handle: OperationHandle,
    as ending: PoolEnding,
    because cause: EndingCause,
    detail: DetailID = .none,
    worker: WorkerID? = nil
  ) {
    dispatcher.vacate(handle, &graph.operations)
    graph.settle(handle, as: ending, because: cause, detail: detail, worker: worker, &turn)
  }

  /// An operation that was dispatched and not started is ready again, at no charge.
  private mutating func takeBack(_ handle: OperationHandle) {
    dispatcher.vacate(handle, &graph.operations)
    if graph.operations[handle].state.isCancelled {
      graph.settle(handle, as: .cancelled, because: .request, &turn)
    } else {
      let queuedAt = graph.operations[handle].queuedAt
      makeReady(handle)
      graph.operations[handle].queuedAt = queuedAt
    }
  }

  private mutating func takeBack(_ held: ArraySlice<Assignment>) {
    for assignment in held { takeBack(assignment.slot) }
  }

  /// Takes back what a worker that met a shortage was to begin: that has not begun, which is no
  /// attempt, and costs no retry.
  ///
  /// That holds where its time was over, too, as it was spent waiting; what was cancelled has its
  /// outcome.
  private mutating func putBack(
    _ handle: OperationHandle,
    _ life: WorkerLife,
    _ detail: DetailID
  ) {
    guard graph.operations[handle].state.isExecuting else { return takeBack(handle) }
    if graph.operations[handle].state.isCancelled || life.teardown?.ending == .cancelled {
      _ = lose(handle, life, detail)
    } else {
      graph.revokeAttempt(of: handle)
      takeBack(handle)
    }
  }

  /// Ends the attempt of what a worker that died executed, or was to begin next, which may be why;
  /// returns whether the operation is set aside, which explains the deaths under it.
  private mutating func lose(
    _ handle: OperationHandle,
    _ life: WorkerLife,
    _ detail: DetailID
  ) -> Bool {
    let isExecuting = graph.operations[handle].state.isExecuting
    let isCancelled = graph.operations[handle].state.isCancelled
    let ending =
      (isExecuting ? life.teardown?.ending : nil) ?? (isCancelled ? .cancelled : .lost)
    let isQuarantined = ending == .lost && !life.isSpent && blame(handle, life.id, detail)
    if isExecuting {
      endAttempt(
        handle,
        as: ending,
        because: isQuarantined ? .quarantined : life.cause(of: ending),
        detail: detail,
        worker: life.id
      )
    } else if isQuarantined {
      settleUnstarted(
        handle,
        as: .lost,
        because: .quarantined,
        detail: detail,
        worker: life.id
      )
    } else {
      takeBack(handle)
    }
    return isQuarantined
  }

  /// A worker's death is held against the operation that it executed, or was about to; returns
  /// whether that was one too many.
  private mutating func blame(
    _ handle: OperationHandle,
    _ worker: WorkerID,
    _ detail: DetailID
  ) -> Bool {
    turn.effects.append(.blame(graph.operations.id(of: handle), worker, detail))
    return dispatcher.blame(handle)
  }
}

extension WorkerLife {
  /// Why what it executed has ended so, where it has died.
  fileprivate func cause(of ending: PoolEnding) -> EndingCause {
    switch ending {
    case .cancelled: .request
    case .timedOut: .timeout
    case .succeeded, .failed, .lost, .skipped: isViolator ? .violation : .workerDied
    }
  }
}
