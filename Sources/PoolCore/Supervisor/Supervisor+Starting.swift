import PoolModel

// Workers are started where there is work for them.

extension Supervisor {
  /// Whether the configuration may have one more worker, now or later.
  func mayGrow(_ configuration: ConfigurationID) -> Bool {
    !fleets[configurations[configuration].fleet].isClosing
      && configurations[configuration].live < configurations[configuration].spec.count
      && !configurations[configuration].isExhausted
  }

  /// Whether one more worker of a configuration is needed.
  func needsWorker(_ configuration: ConfigurationID, for demand: WorkerDemand) -> Bool {
    let starting = configurations[configuration].starting
    guard demand.isKnown else {
      return configurations[configuration].spec.isEager || demand.unclaimed > starting
    }
    if demand.quarantined > 0, demand.quarantined > starting + demand.fresh { return true }
    return demand.ready + demand.quarantined > starting + demand.idle
      && configurations[configuration].live < demand.width
  }

  /// Starts a worker; nil where it must not be started before a later time.
  mutating func start(_ configuration: ConfigurationID, _ turn: inout Turn) -> WorkerHandle? {
    let restartAt = configurations[configuration].mayStartAt
    guard restartAt <= turn.now else {
      restarts.arm(configuration, at: restartAt)
      return nil
    }
    let isInProcess = configurations[configuration].spec.isInProcess
    let deadline = isInProcess ? .distantFuture : turn.now.advanced(by: policy.greetingTimeout)
    let (worker, id) = workers.add(of: configuration, deadline: deadline)
    configurations[configuration].live += 1
    configurations[configuration].starting += 1
    if deadline != .distantFuture { alarms.arm(worker, at: deadline) }
    configurations[configuration].shortage.noteSpawn(id, policy.shortageBackOff, at: turn.now)
    turn.effects.append(.spawn(id, configuration))
    return worker
  }

  /// Whether workers that have executed nothing yet will come only when others go; `fresh` have
  /// nothing to do, and `quarantined` operations wait for some.
  func lacksFreshWorker(_ configuration: ConfigurationID, quarantined: Int, fresh: Int) -> Bool {
    let life = configurations[configuration]
    guard !life.isExhausted, life.live >= life.spec.count else { return false }
    let departing = workers.living.count {
      workers[$0].configuration == configuration && workers[$0].state == .ending
    }
    return quarantined > departing + life.starting + fresh
  }

  /// Whether no more workers are started.
  func isExhausted(_ configuration: ConfigurationID) -> Bool {
    configurations[configuration].isExhausted
  }

  /// Whether nothing can be expected of the configuration any more.
  func isBroken(_ configuration: ConfigurationID) -> Bool { configurations[configuration].isBroken }
}
