package import PoolModel

// Ready operations meet workers, time passes, and a run is held up or ended from outside.

extension PoolMachine {
  /// Hands ready operations to workers, and asks for workers where some are missing.
  ///
  /// Workers that have nothing to do come first, in the order of their slots; then those that may
  /// hold some behind what they execute, evenly. O(1) for each operation dispatched, whatever the
  /// number of workers and of operations that wait.
  package mutating func dispatch(at now: Instant) {
    turn.now = now
    defer { dispatcher.hasReadyChanged = false }
    startWorkers()
    guard dispatcher.readyCount > 0 else { return }
    if dispatcher.hasQuarantined { feedQuarantined() }
    for fleet in dispatcher.fleets.indices {
      dispatcher.feedIdle(of: fleet, &graph.operations, &turn)
    }
    for configuration in dispatcher.configurations.indices
    where !lacksFreshWorker(configuration) {
      dispatcher.feedListed(configuration, &graph.operations, &turn)
    }
    watchFed()
  }

  /// Asks for as many workers as there is work for, within each configuration's count.
  private mutating func startWorkers() {
    for configuration in dispatcher.configurations.indices {
      while supervisor.mayGrow(configuration), let demand = dispatcher.demand(for: configuration),
        supervisor.needsWorker(configuration, for: demand),
        let worker = supervisor.start(configuration, &turn)
      {
        dispatcher.add(worker, supervisor.id(of: worker), of: configuration)
      }
    }
  }

  /// Gives operations in quarantine to fresh workers, and lets others go to make room for fresh
  /// ones.
  private mutating func feedQuarantined() {
    for configuration in dispatcher.configurations.indices
    where !supervisor.isClosing(dispatcher.configurations[configuration].fleet) {
      let acceptsAny = supervisor.isExhausted(configuration)
      while dispatcher.feedQuarantined(
        configuration,
        acceptsAny: acceptsAny,
        &graph.operations,
        &turn
      ) {}
      while lacksFreshWorker(configuration), let worker = dispatcher.firstIdle(of: configuration) {
        supervisor.retire(worker, &turn)
        closeLines()
      }
    }
  }

  /// Whether an operation in quarantine is next, and waits until a fresh worker takes another's
  /// place.
  private func lacksFreshWorker(_ configuration: ConfigurationID) -> Bool {
    dispatcher.isQuarantinedNext(for: configuration)
      && supervisor.lacksFreshWorker(
        configuration,
        quarantined: dispatcher.quarantinedCount(for: configuration),
        fresh: dispatcher.freshIdleCount(of: configuration)
      )
  }

  /// Watches the workers that were given something.
  private mutating func watchFed() {
    guard !dispatcher.begun.isEmpty || !dispatcher.filled.isEmpty else { return }
    for place in 0..<dispatcher.begun.count {
      supervisor.beginFront(dispatcher.begun[place], at: turn.now)
      arm(dispatcher.begun[place])
    }
    for place in 0..<dispatcher.filled.count { arm(dispatcher.filled[place]) }
    dispatcher.begun.removeAll(keepingCapacity: true)
    dispatcher.filled.removeAll(keepingCapacity: true)
  }

  /// Workers that get nothing more have lines that are closed.
  mutating func closeLines() {
    guard !supervisor.closed.isEmpty else { return }
    for worker in supervisor.closed { dispatcher.close(worker) }
    supervisor.closed.removeAll(keepingCapacity: true)
  }

  /// The time has come for whatever was due by now.
  package mutating func ring(at now: Instant) {
    turn.now = now
    let lateness = nextDeadline.map { now.nanoseconds - $0.nanoseconds } ?? 0
    if supervisor.forgiveAbsence(of: lateness, at: now) { armAll() }
    while let worker = supervisor.popDue(at: now) {
      look(at: worker)
      arm(worker)
    }
    while graph.endDelay(&turn) { spread() }
    if let runDeadline, runDeadline <= now {
      self.runDeadline = nil
      turn.effects.append(.runDeadline)
    }
    supervisor.ringHalt(&turn)
    // What may be started again is, by `dispatch`.
    while supervisor.restarts.popDue(at: now) != nil {}
  }

  /// Does what is due for one worker.
  private mutating func look(at worker: WorkerHandle) {
    let front = front(of: worker)
    switch supervisor.look(at: worker, front, &turn) {
    case .nothing: break
    case .teardownStep:
      if let front {
        supervisor.takeTeardownStep(worker, front, sequence(for: front.reference.operation), &turn)
      }
    case .timeout: beginTeardown(worker, as: .timedOut)
    case .working(let isLong):
      if isLong { dispatcher.recall(from: worker, graph.operations, &turn) }
      if let front { supervisor.checkHeartbeat(worker, front, &turn) }
    }
    dispatcher.setAllowance(supervisor.allowance(of: worker), of: worker)
    closeLines()
  }

  /// Begins to make the first of the worker's line end; what is behind it is asked back.
  mutating func beginTeardown(_ worker: WorkerHandle, as ending: PoolEnding) {
    guard supervisor.mayTearDown(worker), let front = front(of: worker) else { return }
    dispatcher.recall(from: worker, graph.operations, &turn)
    dispatcher.beginTeardown(of: worker)
    let sequence = sequence(for: front.reference.operation)
    supervisor.beginTeardown(worker, front, ending: ending, by: sequence, &turn)
    closeLines()
  }

  /// How an operation is made to end that a worker has.
  func sequence(for id: OperationID) -> PoolTeardownSequence {
    supervisor.sequence(graph.teardown(of: id))
  }

  /// Makes sure that the worker is looked at when something is due for it.
  mutating func arm(_ worker: WorkerHandle) {
    supervisor.arm(worker, front(of: worker))
  }

  /// As ``arm(_:)``, for a worker that has just begun its first operation, or come to it.
  @inline(__always)
  mutating func armFront(_ worker: WorkerHandle, _ handle: OperationHandle) {
    let timeout = graph.operations[handle].timeout
    if !supervisor.isWatched(worker, timeout: timeout, at: turn.now) { arm(worker) }
  }

  private mutating func armAll() {
    for worker in supervisor.living { arm(worker) }
  }

  /// An execution has succeeded, which may have made others too long.
  @inline(__always)
  mutating func noteSuccess(_ handle: OperationHandle) {
    let length = turn.now.nanoseconds - graph.operations[handle].startedAt.nanoseconds
    if dispatcher.noteSuccess(length) { armAll() }
  }

  /// Whether a worker executes what has begun for sure, rather than waits for what it lacks;
  /// O(workers).
  var executesForSure: Bool {
    supervisor.living.contains { supervisor.executesForSure($0, front(of: $0), at: turn.now) }
  }
}

// MARK: - Service

extension PoolMachine {
  /// Whether the fleet of an operation in a queue is closed.
  func isClosing(_ handle: OperationHandle) -> Bool {
    supervisor.isClosing(dispatcher.fleet(of: handle, graph.operations))
  }

  /// Worker configurations of a fleet are tried again that were given up.
  mutating func tryAgain(_ fleet: FleetID) {
    guard supervisor.tryAgain(fleet, &turn) else { return }
    passBroken(of: fleet)
    _ = dispatcher.reviewService(of: fleet)
  }

  private mutating func passBroken(of fleet: FleetID) {
    for configuration in dispatcher.fleets[fleet].configurations {
      dispatcher.setBroken(supervisor.isBroken(configuration), configuration)
    }
  }

  /// Finds out anew which kinds the workers of a fleet can serve, and settles what none can.
  mutating func reviewService(of fleet: FleetID) {
    passBroken(of: fleet)
    for queue in dispatcher.reviewService(of: fleet) {
      for handle in graph.handles(in: queue) where graph.operations[handle].state.isReady {
        let service = dispatcher.service(of: graph.operations[handle].kindQueue)
        guard let cause = service.failure else { continue }
        dispatcher.removeReady(handle, &graph.operations)
        graph.settle(handle, as: .failed, because: cause, &turn)
      }
    }
    spread()
  }
}

// MARK: - From outside

extension PoolMachine {
  /// Nothing more of a queue is started: what a worker is about is finished, without retries, and
  /// all else is cancelled.
  package mutating func drain(_ queue: QueueID, at now: Instant) {
    turn.now = now
    for handle in graph.handles(in: queue) {
      if isUnderWay(handle) {
        graph.operations[handle].retriesLeft = 0
      } else {
        cancel(handle)
      }
    }
    spread()
  }

  /// Whether it executes, or may by now: its worker has it, and nothing before it.
  private func isUnderWay(_ handle: OperationHandle) -> Bool {
    guard let dispatch = graph.operations[handle].state.dispatch,
      let worker = supervisor.worker(dispatch.worker)
    else { return false }
    return dispatcher.first(of: worker)?.number == dispatch.number
  }

  /// Ends all workers at once, with what they execute.
  package mutating func killWorkers() {
    supervisor.killWorkers(&turn)
    closeLines()
  }

  /// Ends at once what is being ended, and all workers but those that can do that themselves: these
  /// live to hand over what their commands have written.
  package mutating func killOperations(at now: Instant) {
    turn.now = now
    supervisor.isKilling = true
    for worker in supervisor.living {
      supervisor.killOperation(worker, front(of: worker), &turn)
    }
    closeLines()
  }

  /// Stops all workers and the commands that they execute, and then this process.
  package mutating func stopAll(by signal: Int32, at now: Instant) {
    guard supervisor.beginHalt(by: signal, at: now) else { return }
    for worker in supervisor.living {
      supervisor.stop(worker, isBusy: dispatcher.isBusy(worker), &turn)
    }
    supervisor.haltWhenStopped(&turn)
  }

  /// Lets all workers, and the commands that they execute, go on.
  package mutating func continueAll(by signal: Int32) {
    supervisor.continueAll(by: signal, &turn)
  }

  /// Has the shell told when a time has come; a later call takes the place of an earlier one.
  package mutating func setRunDeadline(_ runDeadline: Instant) {
    self.runDeadline = runDeadline
  }
}

extension KindQueue.Service {
  /// Why an operation fails that waits for it; nil where it need not.
  var failure: EndingCause? {
    switch self {
    case .possible: nil
    case .unserved: .unservedKind
    case .broken: .noWorker
    }
  }
}
