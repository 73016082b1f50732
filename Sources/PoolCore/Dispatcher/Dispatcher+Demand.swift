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

  /// Ready operations whose kind no worker has announced.
  private func unclaimedCount(in fleet: FleetID) -> Int {
    fleets[fleet].queues.reduce(0) { sum, queue in
      guard queues[queue].isOpen else { return sum }
      return queues[queue].queueOfKind.reduce(sum) { sum, kindQueue in
        guard kindQueue != .none else { return sum }
        // Those in quarantine, too, wait for a worker that serves them.
        let count = kindQueues[kindQueue].ready.count + kindQueues[kindQueue].quarantined.count
        guard count > 0 else { return sum }
        let kind = kindQueues[kindQueue].kind
        // A reserve serves only what everything else was asked for in vain.
        let isServed = fleets[fleet].configurations.contains {
          configurations[$0].kinds?.contains(kind) == true && !configurations[$0].isBroken
            && !configurations[$0].spec.isReserve
        }
        return isServed ? sum : sum + count
      }
    }
  }

  /// How many operations of a fleet's queues may be with workers at once.
  private func width(ofFleet fleet: FleetID) -> Int {
    fleets[fleet].queues.reduce(0) { sum, queue in
      // Most queues have no limit, and their sum must not overflow. What was dispatched from a
      // queue that is closed by now keeps its workers, and no other queue's are fewer for that.
      let width = queues[queue].isOpen ? min(queues[queue].width, 1 << 32) : 0
      return sum + max(width, queues[queue].assignedSlots)
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
