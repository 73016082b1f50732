import PoolModel

// Exits of workers, and their consequences for the configuration.

extension Supervisor {
  /// The handles of all workers that are not gone, in order.
  var living: [WorkerHandle] { workers.living }

  /// Forgets a worker; returns the consequences for its first operation.
  mutating func remove(
    _ worker: WorkerHandle,
    _ shortage: WorkerShortage?,
    isCancelled: Bool,
    _ detail: DetailID
  ) -> WorkerExit {
    let life = workers[worker]
    let isShortage = mayPass(shortage, of: life.configuration)
    let fleet = fleet(of: worker)
    configurations[life.configuration].live -= 1
    configurations[life.configuration].answeredByGone += life.answered
    if life.isStarting { configurations[life.configuration].starting -= 1 }
    workers.remove(worker)
    if !fleets[fleet].isOpen { consequences.append(.emptied(fleet)) }
    let mayRetry = fleets[fleet].isOpen
    return WorkerExit(life, fleet, mayRetry, isShortage: isShortage, isCancelled, detail)
  }

  /// Whether there is a shortage and waiting may help.
  ///
  /// It does not where this process has too many files open before any worker has greeted, because
  /// then no worker can free some.
  private func mayPass(_ shortage: WorkerShortage?, of configuration: ConfigurationID) -> Bool {
    switch shortage {
    case nil: false
    case .ofSystem: true
    case .ofOwnDescriptors: liveWorkerCount > 1 || configurations[configuration].hasGreeted
    }
  }

  /// Counts a worker's end for its configuration; returns whether the configuration is given up.
  mutating func countExit(_ exit: WorkerExit, _ context: inout EventContext) -> Bool {
    let configuration = exit.life.configuration
    if exit.isShortage {
      delayStarts(afterShortageOf: exit.life, &context)
    } else if exit.isQuarantined {
      // The quarantined operation explains the latest deaths.
      configurations[configuration].discount(policy.quarantineLimit - 1)
    } else if exit.life.hasFinishedNothing {
      countDeath(exit.life, &context)
    }
    // A limit of time may have been reached before, whatever explains this end.
    emitGiveUp(configuration, &context)
    return isBroken(configuration)
  }

  /// Counts the death of a worker that never finished an operation.
  ///
  /// A link that is lost is none: it is tried again as long as the pool lives.
  private mutating func countDeath(_ life: WorkerLife, _ context: inout EventContext) {
    let (configuration, now) = (life.configuration, context.now)
    guard !configurations[configuration].hasLostLink else {
      if configurations[configuration]
        .noteLostLink(of: life.id, policy.restartBackOff, at: now)
      {
        context.effects.append(.meetShortage(configuration))
      }
      return
    }
    let work = answeredCount(of: configuration)
    configurations[configuration].countDeath(life, afterWork: work, policy, at: now)
  }

  /// A worker has ended because of a shortage: delays the next start, while other workers go on.
  ///
  /// Gives the configuration up if nothing has been executed for too long, because waiting frees
  /// nothing then.
  private mutating func delayStarts(afterShortageOf life: WorkerLife, _ context: inout EventContext)
  {
    let configuration = life.configuration
    if configurations[configuration].shortage.note(life.id, policy.shortageBackOff, at: context.now)
    {
      context.effects.append(.meetShortage(configuration))
    }
    let isWorkDone = living.contains { executesForSure($0, at: context.now) }
    guard lasts(isWorkDone: isWorkDone, at: context.now) else { return }
    configurations[configuration].exhaust()
  }

  /// Whether nothing has been executed for too long since the first of an unbroken series of
  /// shortages.
  private mutating func lasts(isWorkDone: Bool, at now: Instant) -> Bool {
    let answered = configurations.indices.reduce(0) { $0 + answeredCount(of: $1) }
    let longestRest = policy.shortageLimit / 2 + policy.shortageDelayLimit
    let isBroken = shortage.map { shortage in
      // After a long gap between two shortages the series is over.
      shortage.answered != answered || shortage.latest.advanced(by: longestRest) < now
    }
    if isBroken ?? true || isWorkDone {
      shortage = Shortage(since: now, latest: now, answered: answered)
    }
    shortage?.latest = now
    guard let since = shortage?.since else { return false }
    return now >= since.advanced(by: policy.shortageLimit)
  }

  /// Whether the worker's operation has certainly begun, and does not wait for resources.
  private func executesForSure(_ worker: WorkerHandle, at now: Instant) -> Bool {
    guard let head = workers[worker].head, head.isExecuting else { return false }
    return workers[worker].group != nil || executesBlocks(worker)
      || head.startedAt.advanced(by: policy.shortageMargin) < now
  }

  /// Whether the worker's operation may not have begun, because a resource is short and the worker
  /// tries again.
  ///
  /// Limited in time: otherwise a worker that keeps saying so would escape the operation's timeout.
  func mayBeDelayed(_ worker: WorkerHandle, at now: Instant) -> Bool {
    let life = workers[worker]
    return life.capabilities.takesSteps && life.group == nil && life.teardown == nil
      && life.head.map { now < $0.since.advanced(by: policy.shortageMargin) } ?? false
  }

  /// Announces that no more workers are started, if that is so and was not announced.
  private mutating func emitGiveUp(_ configuration: ConfigurationID, _ context: inout EventContext)
  {
    guard configurations[configuration].announceExhaustion() else { return }
    let fleet = configurations[configuration].fleet
    if fleets[fleet].isOpen { fleets[fleet].state = .open(hasGivenUp: true) }
    context.effects.append(.giveUp(configuration, serving: servingCount(of: configuration)))
  }

  /// Tries given-up worker configurations of a fleet again; returns whether there were any.
  ///
  /// The user who adds operations to the fleet may have removed the cause.
  mutating func reopen(_ fleet: FleetID, _ context: inout EventContext) -> Bool {
    guard policy.triesAgain, case .open(hasGivenUp: true) = fleets[fleet].state else {
      return false
    }
    fleets[fleet].state = .open(hasGivenUp: false)
    for configuration in fleets[fleet].configurations
    where configurations[configuration].isExhausted {
      configurations[configuration].reopen()
      context.effects.append(.reopen(configuration))
    }
    return true
  }

  /// Number of operations that the configuration's workers have answered; O(workers).
  private func answeredCount(of configuration: ConfigurationID) -> Int {
    workers.living.reduce(configurations[configuration].answeredByGone) { sum, worker in
      workers[worker].configuration == configuration ? sum + workers[worker].answered : sum
    }
  }

  /// Number of the configuration's workers that have greeted and are serving.
  private func servingCount(of configuration: ConfigurationID) -> Int {
    workers.living.count {
      workers[$0].configuration == configuration && workers[$0].isServing
    }
  }
}

/// A worker that is gone, and the consequences for its first operation.
struct WorkerExit {
  let life: WorkerLife
  let fleet: FleetID
  /// Whether attempts that end with it may be retried.
  let mayRetry: Bool
  /// Whether it ended because of a shortage, which does not count as the worker's failure.
  let isShortage: Bool
  /// How the operation ends; nil if it is ready again.
  private(set) var end: OperationEnd?
  /// The operation that may have killed the worker.
  let suspect: OperationID?
  /// Whether the operation is given up, which explains the deaths that it caused.
  private(set) var isQuarantined = false

  /// An operation that has not begun because of a shortage has used up no attempt and no retry; nor
  /// has one that timed out while it waited for resources.
  fileprivate init(
    _ life: WorkerLife,
    _ fleet: FleetID,
    _ mayRetry: Bool,
    isShortage: Bool,
    _ isCancelled: Bool,
    _ detail: DetailID
  ) {
    self.life = life
    self.fleet = fleet
    self.mayRetry = mayRetry
    let isExecuting = life.head?.isExecuting == true
    let torn = isExecuting ? life.teardown?.ending : nil
    self.isShortage = isShortage && life.mayLackSomething(isExecuting: isExecuting)
    let ending = torn ?? (isCancelled ? .cancelled : .lost)
    let isRevoked = self.isShortage && !(isCancelled || torn == .cancelled)
    suspect =
      ending == .lost && !life.endReasons.contains(.spent) && !self.isShortage
      ? life.head?.reference.operation : nil
    if isExecuting, !isRevoked {
      end = OperationEnd(ending, life.cause(of: ending), detail: detail, on: life.id)
    }
  }

  /// Whether a dispatch may have begun, as long as no other answer of the worker came: not where it
  /// says itself that it could not begin.
  func leavesInDoubt(_ assignment: Assignment, upTo sent: DispatchNumber) -> Bool {
    !isShortage && assignment.number.rawValue <= sent.rawValue
  }

  /// How an operation ends that may have begun, or that had begun and has this end.
  func endInDoubt(after end: OperationEnd?, _ detail: DetailID) -> OperationEnd {
    var end = end ?? OperationEnd(.lost, .mayHaveBegun, detail: detail, on: life.id)
    end.isInDoubt = end.ending == .lost && !isQuarantined
    return end
  }

  /// Gives the suspect operation up.
  mutating func quarantine(_ detail: DetailID) {
    isQuarantined = true
    end = OperationEnd(.lost, .quarantined, detail: detail, on: life.id)
  }
}

extension WorkerLife {
  /// Whether its exit may mean that its operation has not begun.
  ///
  /// After it has reported a start, only a worker that starts a process for each operation knows
  /// that; for any other worker, the exit code may come from the operation itself.
  fileprivate func mayLackSomething(isExecuting: Bool) -> Bool {
    !isExecuting || !endReasons.contains(.violation) && capabilities.takesSteps && group == nil
  }

  /// Whether it died before its greeting, or without having finished an operation.
  ///
  /// False if an operation explains the death: an executing operation settles or uses up a retry,
  /// so such deaths are bounded without a count.
  fileprivate var hasFinishedNothing: Bool {
    answered == 0 && head?.isExecuting != true && teardown == nil
      && !(endReasons.contains(.retirement) && head == nil)
  }

  /// The cause of the ending of the operation that it executed when it died.
  fileprivate func cause(of ending: PoolEnding) -> EndingCause {
    switch ending {
    case .cancelled: .request
    case .timedOut: .timeout
    case .succeeded, .failed, .lost, .skipped:
      endReasons.contains(.violation) ? .violation : .workerDied
    }
  }
}
