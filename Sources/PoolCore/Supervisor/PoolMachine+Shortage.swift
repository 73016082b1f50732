package import PoolModel

// The system has too little of something: processes, memory, descriptors. No operation is charged
// for that.

extension PoolMachine {
  /// Whether a worker of the worker configuration has ever greeted.
  package func hasGreeted(_ configuration: ConfigurationID) -> Bool {
    configurations[configuration].hasGreeted
  }

  /// What a worker executes had not begun, for want of something, and is tried again: its time
  /// begins now.
  ///
  /// Not for long: a worker that went on saying so would escape the operation's timeout.
  mutating func noteDelay(_ worker: WorkerHandle, _ slot: OperationHandle, at now: Instant) {
    let life = workers[worker]
    guard life.abilities.takesSteps, life.group == nil, life.teardown == nil,
      now < life.frontSince.advanced(by: policy.shortageMargin)
    else { return }
    operations[slot].delayStart(to: now)
    armFront(worker, slot, at: now)
  }

  /// Takes back all that a worker had which met a shortage: what it was to begin has not begun,
  /// which is no attempt, and costs no retry.
  ///
  /// That holds where its time was over, too, as it was spent waiting; what was cancelled has its
  /// outcome.
  mutating func putBack(_ life: WorkerLife, _ detail: DetailID, at now: Instant) {
    guard let first = life.line.first else { return }
    if !life.isExecuting {
      takeBack(first.slot, at: now)
    } else if operations[first.slot].state.isCancelled || life.teardown?.ending == .cancelled {
      _ = loseAttempt(first.slot, life, detail, at: now)
    } else {
      executingCount -= 1
      operations[first.slot].revokeAttempt()
      takeBack(first.slot, at: now)
    }
    for held in life.line.held { takeBack(held.slot, at: now) }
  }

  /// Others go on without the worker, and another one is tried for later; where nothing was
  /// executed for too long, nothing is given back by waiting.
  mutating func wait(forWantBy life: WorkerLife, at now: Instant) {
    let configuration = life.configuration
    if configurations[configuration].shortage.note(life.id, policy.shortageBackOff, at: now) {
      effects.append(.goOn(life.configuration))
    }
    guard lasts(at: now) else { return }
    configurations[configuration].isExhausted = true
    tellGivingUp(life.configuration)
  }

  /// Whether nothing was executed since the first of an unbroken series of shortages, for too long.
  private mutating func lasts(at now: Instant) -> Bool {
    let answered = configurations.indices.reduce(0) { sum, configuration in
      sum + answeredCount(of: configuration)
    }
    let longestRest = policy.shortageLimit / 2 + policy.shortageDelayLimit
    let isBroken = shortage.map { shortage in
      shortage.answered != answered
        // Nothing was asked for meanwhile.
        || shortage.latest.advanced(by: longestRest) < now
    }
    if isBroken ?? true || executesSomething(at: now) {
      shortage = Shortage(since: now, latest: now, answered: answered)
    }
    shortage?.latest = now
    guard let since = shortage?.since else { return false }
    return now >= since.advanced(by: policy.shortageLimit)
  }

  /// Whether a worker executes what has begun for sure, rather than waits for what it lacks;
  /// O(workers).
  private func executesSomething(at now: Instant) -> Bool {
    workers.living.contains { worker in
      let life = workers[worker]
      guard life.isExecuting, let first = life.line.first else { return false }
      return life.group != nil || configurations[configuration(of: worker)].spec.isInProcess
        || operations[first.slot].startedAt.advanced(by: policy.shortageMargin) < now
    }
  }
}

extension WorkerLife {
  /// Whether it may say that what it was to execute has not begun.
  ///
  /// Only a worker that starts a process for each operation knows that once it has said that it
  /// executes one; of any other, the exit code may be the operation's own.
  var mayLackSomething: Bool {
    !isExecuting || !isViolator && abilities.takesSteps && group == nil
  }
}
