import PoolModel

// Workers are gone: what that says of their configuration, and of the system.

extension Supervisor {
  /// The places of all workers that are not gone, in order.
  var living: [WorkerHandle] { workers.living }

  /// Forgets a worker; returns what it was.
  mutating func remove(_ worker: WorkerHandle) -> WorkerLife {
    let life = workers[worker]
    configurations[life.configuration].live -= 1
    configurations[life.configuration].answeredByGone += life.answered
    if life.state == .starting { configurations[life.configuration].starting -= 1 }
    workers.remove(worker)
    return life
  }

  /// An operation that is set aside explains the latest deaths of a configuration's workers.
  mutating func excuse(_ configuration: ConfigurationID) {
    configurations[configuration].excuse(policy.quarantineLimit - 1)
  }

  /// Counts the death of a worker that never finished anything.
  mutating func charge(_ life: WorkerLife, _ turn: inout Turn) {
    let work = answeredCount(of: life.configuration)
    configurations[life.configuration].charge(life, afterWork: work, policy, at: turn.now)
    if configurations[life.configuration].isExhausted { tellGivingUp(life.configuration, &turn) }
  }

  /// Others go on without a worker that has met a shortage, and another one is tried for later;
  /// where nothing was executed for too long, nothing is given back by waiting.
  mutating func wait(forWantBy life: WorkerLife, isWorkDone: Bool, _ turn: inout Turn) {
    let configuration = life.configuration
    if configurations[configuration].shortage.note(life.id, policy.shortageBackOff, at: turn.now) {
      turn.effects.append(.goOn(configuration))
    }
    guard lasts(isWorkDone: isWorkDone, at: turn.now) else { return }
    configurations[configuration].isExhausted = true
    tellGivingUp(configuration, &turn)
  }

  /// Whether nothing was executed since the first of an unbroken series of shortages, for too long.
  private mutating func lasts(isWorkDone: Bool, at now: Instant) -> Bool {
    let answered = configurations.indices.reduce(0) { $0 + answeredCount(of: $1) }
    let longestRest = policy.shortageLimit / 2 + policy.shortageDelayLimit
    let isBroken = shortage.map { shortage in
      // Or nothing was asked for meanwhile.
      shortage.answered != answered || shortage.latest.advanced(by: longestRest) < now
    }
    if isBroken ?? true || isWorkDone {
      shortage = Shortage(since: now, latest: now, answered: answered)
    }
    shortage?.latest = now
    guard let since = shortage?.since else { return false }
    return now >= since.advanced(by: policy.shortageLimit)
  }

  /// Whether a worker executes what has begun for sure, rather than waits for what it lacks.
  func executesForSure(_ worker: WorkerHandle, _ front: WorkFront?, at now: Instant) -> Bool {
    guard let front, front.isExecuting else { return false }
    return workers[worker].group != nil || isInProcess(worker)
      || front.startedAt.advanced(by: policy.shortageMargin) < now
  }

  /// Whether what a worker executes may not have begun, for want of something, and is tried again.
  ///
  /// Not for long: a worker that went on saying so would escape the operation's timeout.
  func mayBeDelayed(_ worker: WorkerHandle, at now: Instant) -> Bool {
    let life = workers[worker]
    return life.abilities.takesSteps && life.group == nil && life.teardown == nil
      && now < life.frontSince.advanced(by: policy.shortageMargin)
  }

  private mutating func tellGivingUp(_ configuration: ConfigurationID, _ turn: inout Turn) {
    guard !configurations[configuration].hasGivenUp else { return }
    configurations[configuration].hasGivenUp = true
    fleets[configurations[configuration].fleet].hasGivenUp = true
    turn.effects.append(.giveUp(configuration, serving: servingCount(of: configuration)))
  }

  /// Tries worker configurations of a fleet again that were given up; returns whether some were.
  ///
  /// They may have been mended by the time that something is added to the fleet.
  mutating func tryAgain(_ fleet: FleetID, _ turn: inout Turn) -> Bool {
    guard policy.triesAgain, fleets[fleet].hasGivenUp, !fleets[fleet].isClosing else {
      return false
    }
    fleets[fleet].hasGivenUp = false
    for configuration in fleets[fleet].configurations
    where configurations[configuration].isExhausted {
      configurations[configuration].reopen()
      turn.effects.append(.tryAgain(configuration))
    }
    return true
  }

  /// Operations that workers of a worker configuration have answered; O(workers).
  private func answeredCount(of configuration: ConfigurationID) -> Int {
    workers.living.reduce(configurations[configuration].answeredByGone) { sum, worker in
      workers[worker].configuration == configuration ? sum + workers[worker].answered : sum
    }
  }

  /// Workers of a worker configuration that have greeted, and go on.
  private func servingCount(of configuration: ConfigurationID) -> Int {
    workers.living.count {
      workers[$0].configuration == configuration && workers[$0].state == .serving
    }
  }
}

extension WorkerLife {
  /// Whether it may say that what it was to execute has not begun.
  ///
  /// Only a worker that starts a process for each operation knows that once it has said that it
  /// executes one; of any other, the exit code may be the operation's own.
  func mayLackSomething(isExecuting: Bool) -> Bool {
    !isExecuting || !isViolator && abilities.takesSteps && group == nil
  }

  /// Whether it died before its greeting, or without having finished anything.
  ///
  /// Not where an operation explains the death: what executed settles or spends a retry, so that
  /// such deaths are bounded without a count.
  func hasFinishedNothing(_ front: WorkFront?) -> Bool {
    answered == 0 && front?.isExecuting != true && teardown == nil && !(isRetired && front == nil)
  }
}
