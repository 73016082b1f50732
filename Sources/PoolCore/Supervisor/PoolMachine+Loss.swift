package import PoolModel

// Workers go: they break the protocol, cannot be started, or die.

extension PoolMachine {
  /// A worker has broken the protocol: it is killed, and its exit will follow.
  package mutating func workerViolated(_ id: WorkerID, at now: Instant) {
    guard let worker = workers.slot(of: id), !workers[worker].isViolator else { return }
    workers[worker].isViolator = true
    terminate(worker, signal: 9, because: .violation)
  }

  /// A worker will send nothing more, but has not ended; soon it is killed.
  package mutating func workerHungUp(_ id: WorkerID, at now: Instant) {
    guard let worker = workers.slot(of: id) else { return }
    expectEnd(worker, at: now)
  }

  /// Ends all workers at once, with what they execute.
  package mutating func killWorkers() {
    for worker in workers.living { kill(worker) }
  }

  /// Ends a worker for good, with what it executes.
  mutating func kill(_ worker: WorkerHandle) {
    workers[worker].isSpent = true
    terminate(worker, signal: 9, because: .shutdown)
  }

  /// Lets a worker that has nothing to do end.
  mutating func retire(_ worker: WorkerHandle, at now: Instant) {
    let life = workers[worker]
    guard life.state != .ending else { return }
    workers[worker].isRetired = true
    effects.append(.retire(life.id))
    expectEnd(worker, at: now)
  }

  /// Signals a worker; it gets nothing more.
  mutating func terminate(_ worker: WorkerHandle, signal: Int32, because reason: SignalReason) {
    let life = workers[worker]
    stopFeeding(worker)
    effects.append(.signal(life.id, signal, reason))
  }

  /// A worker gets nothing more, and is killed unless it ends soon.
  private mutating func expectEnd(_ worker: WorkerHandle, at now: Instant) {
    guard workers[worker].state != .ending else { return }
    stopFeeding(worker)
    limitEnd(worker, at: now)
  }

  /// A worker is killed unless it ends soon.
  mutating func limitEnd(_ worker: WorkerHandle, at now: Instant) {
    workers[worker].deadline = min(workers[worker].deadline, now.advanced(by: policy.endTimeout))
    arm(worker)
  }

  private mutating func stopFeeding(_ worker: WorkerHandle) {
    let life = workers[worker]
    if life.state == .starting { configurations[configuration(of: worker)].starting -= 1 }
    if life.isIdle { configurations[configuration(of: worker)].idle.remove(worker) }
    if life.state != .ending { workers[worker].deadline = .distantFuture }
    workers[worker].state = .ending
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
    guard let worker = workers.slot(of: id) else { return }
    let life = workers[worker]
    remove(worker, life)
    if isShortage, life.mayLackSomething {
      putBack(life, detail, at: now)
      wait(forWantBy: life, at: now)
    } else if !abandon(life, detail, at: now), life.hasFinishedNothing {
      charge(life, at: now)
    }
    let configuration = configurations[life.configuration]
    if configuration.isBroken { reviewService(of: configuration.fleet, at: now) }
    settleAftermath(at: now)
    forgetFleet(configuration.fleet)
  }

  /// Ends the attempt of what the worker executed, and takes back what it held; returns whether the
  /// operation is set aside, which explains the deaths under it.
  private mutating func abandon(
    _ life: WorkerLife,
    _ detail: DetailID,
    at now: Instant
  ) -> Bool {
    guard let first = life.line.first else { return false }
    let isQuarantined =
      life.isExecuting
      ? loseAttempt(first.slot, life, detail, at: now)
      : loseUnstarted(first.slot, life, detail, at: now)
    if isQuarantined { configurations[life.configuration].excuse(policy.quarantineLimit - 1) }
    for held in life.line.held { takeBack(held.slot, at: now) }
    return isQuarantined
  }

  mutating func loseAttempt(
    _ slot: OperationHandle,
    _ life: WorkerLife,
    _ detail: DetailID,
    at now: Instant
  ) -> Bool {
    let ending = life.teardown?.ending ?? (operations[slot].state.isCancelled ? .cancelled : .lost)
    let isQuarantined = ending == .lost && !life.isSpent && blame(slot, life.id, detail)
    endAttempt(
      slot,
      as: ending,
      because: isQuarantined ? .quarantined : cause(of: life, ending),
      detail: detail,
      worker: life.id,
      at: now
    )
    return isQuarantined
  }

  /// What was first in line and not begun may be why the worker died: it is not tried for ever.
  private mutating func loseUnstarted(
    _ slot: OperationHandle,
    _ life: WorkerLife,
    _ detail: DetailID,
    at now: Instant
  ) -> Bool {
    guard !operations[slot].state.isCancelled, !life.isSpent, blame(slot, life.id, detail) else {
      takeBack(slot, at: now)
      return false
    }
    vacate(slot)
    settle(slot, as: .lost, because: .quarantined, detail: detail, worker: life.id, at: now)
    return true
  }

  private func cause(of life: WorkerLife, _ ending: PoolEnding) -> EndingCause {
    switch ending {
    case .cancelled: .request
    case .timedOut: .timeout
    case .succeeded, .failed, .lost, .skipped: life.isViolator ? .violation : .workerDied
    }
  }

  /// Forgets a worker.
  private mutating func remove(_ worker: WorkerHandle, _ life: WorkerLife) {
    let configuration = life.configuration
    configurations[configuration].live -= 1
    configurations[configuration].answeredByGone += life.answered
    if life.state == .starting { configurations[configuration].starting -= 1 }
    if life.isIdle { configurations[configuration].idle.remove(worker) }
    if !life.line.isEmpty { countIdle(configuration) }
    if life.isListed { configurations[configuration].listed.removeAll { $0 == worker } }
    workers.remove(worker)
  }

  /// Counts the death of a worker that never finished anything.
  private mutating func charge(_ life: WorkerLife, at now: Instant) {
    let configuration = life.configuration
    if !configurations[configuration].hasGreeted { configurations[configuration].failedStarts += 1 }
    if !configurations[configuration].budget.allowsRestart(
      afterWork: answeredCount(of: life.configuration)
    )
      || configurations[configuration].failedStarts > policy.firstStartLimit
      // As one that does not begin at all: its twins, too, would take long to do nothing.
      || life.hasStalled && !configurations[configuration].hasFinished
    {
      configurations[configuration].isExhausted = true
    }
    configurations[configuration].failures += 1
    if configurations[configuration].failures > 1 {
      let failures = configurations[configuration].failures - 1
      let delay = policy.restartBackOff.length(after: failures, of: UInt64(life.id.rawValue))
      configurations[configuration].restartAt = now.advanced(by: delay)
    }
    if configurations[configuration].isExhausted { tellGivingUp(life.configuration) }
  }

  mutating func tellGivingUp(_ id: ConfigurationID) {
    let configuration = id
    guard !configurations[configuration].hasGivenUp else { return }
    configurations[configuration].hasGivenUp = true
    fleets[configurations[configuration].fleet].hasGivenUp = true
    effects.append(.giveUp(id, serving: servingCount(of: id)))
  }

  /// Operations that workers of a worker configuration have answered; O(workers).
  func answeredCount(of configuration: ConfigurationID) -> Int {
    workers.living.reduce(configurations[configuration].answeredByGone) { sum, worker in
      workers[worker].configuration == configuration ? sum + workers[worker].answered : sum
    }
  }

  /// Something is added to a fleet of which worker configurations were given up: they may have been
  /// mended.
  mutating func tryAgain(_ fleet: FleetID, at now: Instant) {
    fleets[fleet].hasGivenUp = false
    for configuration in fleets[fleet].configurations
    where configurations[configuration].isExhausted {
      configurations[configuration].reopen()
      effects.append(.tryAgain(configuration))
    }
    for queue in fleets[fleet].queues {
      for kindQueue in queues[queue].queueOfKind where kindQueue != .none {
        review(kindQueue, fleet)
      }
    }
  }

  /// Workers of a worker configuration that have greeted, and go on.
  private func servingCount(of configuration: ConfigurationID) -> Int {
    workers.living.filter {
      workers[$0].configuration == configuration && workers[$0].state == .serving
    }.count
  }

  /// Finds out anew which kinds anybody of a fleet can serve, and settles what nobody can.
  mutating func reviewService(of fleet: FleetID, at now: Instant) {
    for queue in fleets[fleet].queues {
      for kindQueue in queues[queue].queueOfKind where kindQueue != .none {
        review(kindQueue, fleet)
      }
      let hasClosed = queues[queue].queueOfKind.contains { isClosed($0) }
      guard hasClosed else { continue }
      forEachOperation(in: queue) { $0.failUnlessServed($1, at: now) }
    }
    settleAftermath(at: now)
  }

  private mutating func review(_ kindQueue: KindQueueHandle, _ fleet: FleetID) {
    kindQueues[kindQueue].service = service(of: kindQueues[kindQueue].kind, by: fleet)
  }

  private func isClosed(_ kindQueue: KindQueueHandle) -> Bool {
    kindQueue != .none && kindQueues[kindQueue].service != .possible
  }

  /// Settles an operation that is ready, and that nobody can execute.
  private mutating func failUnlessServed(_ slot: OperationHandle, at now: Instant) {
    guard operations[slot].state.isReady, isClosed(operations[slot].kindQueue) else { return }
    let isUnserved = kindQueues[operations[slot].kindQueue].service == .unserved
    settle(slot, as: .failed, because: isUnserved ? .unservedKind : .noWorker, at: now)
  }

  /// Who serves a kind: a reserve, where the kind is not that of any other worker configuration.
  func service(of kind: KindID, by fleet: FleetID) -> KindQueue.Service {
    guard !fleets[fleet].configurations.isEmpty else { return .possible }
    let claimants = fleets[fleet].configurations.map { configurations[$0] }.filter {
      $0.claims(kind)
    }
    let owners = claimants.filter { !$0.spec.isReserve }
    let servers = owners.isEmpty ? claimants : owners
    if servers.contains(where: { $0.mayServe(kind) }) { return .possible }
    return servers.isEmpty ? .unserved : .broken
  }
}

extension WorkerLife {
  /// Whether it died before its greeting, or without having finished anything.
  ///
  /// Not where an operation explains the death: what executed settles or spends a retry, so that
  /// such deaths are bounded without a count.
  fileprivate var hasFinishedNothing: Bool {
    answered == 0 && !isExecuting && teardown == nil && !(isRetired && line.isEmpty)
  }
}
