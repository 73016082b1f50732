import PoolModel

// What workers are needed for.

extension Dispatcher {
  /// What workers of a configuration are needed for; nil for a reserve that is not.
  func demand(for configuration: ConfigurationID) -> WorkerDemand? {
    let service = configurations[configuration]
    guard let kinds = service.kinds else {
      return WorkerDemand(isKnown: false, unclaimed: unclaimedCount(in: service.fleet))
    }
    if service.spec.isReserve, !isReserveNeeded(kinds, in: service.fleet) { return nil }
    let quarantined = quarantinedCount(for: configuration)
    var demand = WorkerDemand(isKnown: true)
    demand.ready = readyCount(for: configuration)
    demand.quarantined = quarantined
    demand.idle = service.idle.count
    demand.fresh = quarantined > 0 ? freshIdleCount(of: configuration) : 0
    demand.width = width(ofFleet: service.fleet)
    return demand
  }

  /// Ready operations whose kind no worker has announced; O(kinds) where none is in quarantine.
  private func unclaimedCount(in fleet: FleetID) -> Int {
    let ready = fleets[fleet].kinds.reduce(0) { sum, entry in
      isServed(entry.key, by: fleet) ? sum : sum + fleetKinds[entry.value].readyCount
    }
    guard hasQuarantined else { return ready }
    // Those in quarantine, too, wait for a worker that serves them.
    return fleets[fleet].queues.reduce(ready) { sum, queue in
      guard queues[queue].isOpen else { return sum }
      return queues[queue].queueOfKind.reduce(sum) { sum, kindQueue in
        guard kindQueue != .none, !isServed(kindQueues[kindQueue].kind, by: fleet) else {
          return sum
        }
        return sum + kindQueues[kindQueue].quarantined.count
      }
    }
  }

  /// Whether a configuration serves the kind that is not broken: a reserve serves only what
  /// everything else was asked for in vain.
  private func isServed(_ kind: KindID, by fleet: FleetID) -> Bool {
    fleets[fleet].configurations.contains {
      configurations[$0].kinds?.contains(kind) == true && !configurations[$0].isBroken
        && !configurations[$0].spec.isReserve
    }
  }

  /// How many operations of a fleet's queues may be with workers at once; at least as many as there
  /// may be workers, where the open queues allow that.
  private func width(ofFleet fleet: FleetID) -> Int {
    guard fleets[fleet].openWidth < fleets[fleet].workerLimit else {
      return fleets[fleet].openWidth
    }
    // What was dispatched from a queue that is closed or narrower by now keeps its workers, and no
    // other queue's are fewer for that.
    return fleets[fleet].queues.reduce(0) { sum, queue in
      sum + max(queues[queue].openWidth, queues[queue].assignedSlots)
    }
  }

  /// Whether all other configurations have said what they serve, and one of these kinds was not
  /// among it.
  ///
  /// One that was given up before it said so might have served anything: its operations fail rather
  /// than be executed where the caller did not ask for it.
  private func isReserveNeeded(_ kinds: [KindID], in fleet: FleetID) -> Bool {
    let others = fleets[fleet].configurations.filter { !configurations[$0].spec.isReserve }
    return kinds.contains { kind in !others.contains { configurations[$0].claims(kind) } }
  }
}
