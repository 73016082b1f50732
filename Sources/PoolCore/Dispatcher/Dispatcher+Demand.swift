package import PoolModel

// The demand for workers.

extension Dispatcher {
  /// The demand for workers of a configuration; nil for a reserve that is not needed.
  func demand(for configuration: ConfigurationID) -> WorkerDemand? {
    let service = configurations[configuration]
    guard let kinds = service.kinds else {
      return .ofUnknownKinds(unannounced: unannouncedCount(in: service.fleet))
    }
    if service.spec.isReserve, !isReserveNeeded(kinds, in: service.fleet) { return nil }
    let suspects = suspectCount(for: configuration)
    var demand = WorkerDemand.Counts()
    demand.ready = readyCount(for: configuration)
    demand.suspects = suspects
    demand.idle = service.idle.count
    demand.fresh = suspects > 0 ? freshIdleCount(of: configuration) : 0
    demand.width = width(ofFleet: service.fleet)
    return .ofKnownKinds(demand)
  }

  /// Ready operations whose kind no worker has announced; O(kinds) where none is a suspect.
  private func unannouncedCount(in fleet: FleetID) -> Int {
    let ready = fleets[fleet].kinds.reduce(0) { sum, entry in
      isServed(entry.key, by: fleet) ? sum : sum + fleetKinds[entry.value].readyCount
    }
    guard hasSuspects else { return ready }
    // Suspects wait for a worker that serves their kind, too.
    return fleets[fleet].queues.reduce(ready) { sum, queue in
      guard queues[queue].isOpen else { return sum }
      return queues[queue].queueOfKind.reduce(sum) { sum, kindQueue in
        guard kindQueue != .none, !isServed(kindQueues[kindQueue].kind, by: fleet) else {
          return sum
        }
        return sum + kindQueues[kindQueue].suspects.count
      }
    }
  }

  /// Whether a configuration that is neither broken nor a reserve serves the kind: a reserve serves
  /// only kinds that no other configuration serves.
  package func isServed(_ kind: KindID, by fleet: FleetID) -> Bool {
    fleets[fleet].configurations.contains {
      configurations[$0].kinds?.contains(kind) == true && !configurations[$0].isBroken
        && !configurations[$0].spec.isReserve
    }
  }

  /// How many operations of a fleet's queues workers may have at once; at least the fleet's number
  /// of workers, if the open queues allow that.
  private func width(ofFleet fleet: FleetID) -> Int {
    guard fleets[fleet].openWidth < fleets[fleet].workerLimit else {
      return fleets[fleet].openWidth
    }
    // Operations dispatched from a queue that has been closed or narrowed keep their workers, and
    // do not reduce those of other queues.
    return fleets[fleet].queues.reduce(0) { sum, queue in
      sum + max(queues[queue].openWidth, queues[queue].assignedSlots)
    }
  }

  /// Whether all other configurations have announced their kinds, and one of these kinds was not
  /// among them.
  ///
  /// A configuration that was given up before its first greeting might have served any kind: its
  /// operations fail, because the caller did not ask for them to be executed elsewhere.
  private func isReserveNeeded(_ kinds: [KindID], in fleet: FleetID) -> Bool {
    let others = fleets[fleet].configurations.filter { !configurations[$0].spec.isReserve }
    return kinds.contains { kind in !others.contains { configurations[$0].mayServe(kind) } }
  }
}
