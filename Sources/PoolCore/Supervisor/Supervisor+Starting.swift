package import PoolModel

// Starts workers where operations need them.

extension Supervisor {
  /// Whether the configuration may get one more worker, now or later.
  func mayGrow(_ configuration: ConfigurationID) -> Bool {
    fleets[configurations[configuration].fleet].isOpen
      && configurations[configuration].live < configurations[configuration].limit
      && !configurations[configuration].isExhausted
  }

  /// Whether one more worker of a configuration is needed.
  private func needsWorker(_ configuration: ConfigurationID, for demand: WorkerDemand) -> Bool {
    let starting = configurations[configuration].starting
    switch demand {
    case .ofUnknownKinds(let unannounced):
      return configurations[configuration].spec.isEager || unannounced > starting
    case .ofKnownKinds(let demand):
      if demand.suspects > 0, demand.suspects > starting + demand.fresh { return true }
      return demand.ready + demand.suspects > starting + demand.idle
        && configurations[configuration].live < demand.width
    }
  }

  /// Starts a worker if one is needed; nil also if the start must wait.
  mutating func start(
    _ configuration: ConfigurationID,
    for demand: WorkerDemand,
    _ context: inout EventContext
  ) -> (worker: WorkerHandle, id: WorkerID)? {
    guard needsWorker(configuration, for: demand) else { return nil }
    let restartAt = configurations[configuration].mayStartAt
    guard restartAt <= context.now else {
      restarts.arm(configuration, at: restartAt)
      return nil
    }
    let spec = configurations[configuration].spec
    let deadline =
      spec.executesBlocks
      ? .distantFuture : context.now.advanced(by: greetingTimeout(of: configuration))
    let (worker, id) = workers.add(of: configuration, deadline: deadline)
    configurations[configuration].live += 1
    configurations[configuration].starting += 1
    if deadline != .distantFuture { timers.arm(worker, at: deadline) }
    configurations[configuration].shortage.noteSpawn(id, policy.shortageBackOff, at: context.now)
    context.effects.append(.spawn(id, configuration))
    return (worker, id)
  }

  /// How long a worker of a configuration may take to greet.
  package func greetingTimeout(of configuration: ConfigurationID) -> Int64 {
    configurations[configuration].spec.greetingTimeout ?? policy.greetingTimeout
  }

  /// The supply of a configuration's workers that have executed nothing; O(all workers).
  func freshSupply(of configuration: ConfigurationID) -> FreshSupply {
    let life = configurations[configuration]
    let departing = workers.living.count {
      workers[$0].configuration == configuration && workers[$0].isEnding
    }
    // Of more than there may be, the end of another one brings none.
    let isUnlimited = life.startsNone || life.live != life.limit
    return FreshSupply(
      configuration: configuration,
      isClosing: !fleets[life.fleet].isOpen,
      acceptsAny: life.startsNone,
      coming: isUnlimited ? .max : departing + life.starting
    )
  }

  /// The broken configurations of a fleet: they have no worker and will start none.
  func broken(of fleet: FleetID) -> [ConfigurationID] {
    fleets[fleet].configurations.filter { configurations[$0].isBroken }
  }

  /// Whether the configuration has no worker and will start none.
  func isBroken(_ configuration: ConfigurationID) -> Bool { configurations[configuration].isBroken }
}
