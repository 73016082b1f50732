import PoolCore
package import PoolModel

// Fleets, queues and resources: what operations are executed by, wait in and claim.

extension PoolEngine {
  /// Makes a fleet of these workers, which are started when there is work for them.
  package func addFleet(_ workers: [PoolWorkerConfiguration]) -> FleetID {
    update { transaction in
      let fleet = transaction.machine.addFleet()
      for workers in workers {
        var spec = ConfigurationSpec(
          count: workers.count,
          kinds: workers.kinds?.map { transaction.kind($0) }
        )
        spec.isReserve = workers.isReserve
        spec.isEager = workers.isEager
        spec.isInProcess = workers.isInProcess
        spec.recycling = workers.recycling.spec
        let id = transaction.machine.addConfiguration(spec, to: fleet)
        transaction.kinds.begin(id)
        transaction.newPrograms[id] = workers
      }
      return fleet
    }
  }

  /// Ends the workers of a fleet; nothing that is still in its queues would be executed.
  package func closeFleet(_ fleet: FleetID) {
    update { $0.machine.supervise(.closeFleet(fleet), at: $0.now) }
  }

  /// Closes a fleet that stays known, unless the closure objects; returns a queue that keeps the
  /// fleet's number from being given to another one, and that the caller drops.
  func closeFleet(_ fleet: FleetID, unless objects: () -> Bool) -> QueueID? {
    update { transaction in
      guard !objects() else { return nil }
      let keeper = transaction.machine.addQueue(to: fleet)
      transaction.machine.supervise(.closeFleet(fleet), at: transaction.now)
      return keeper
    }
  }

  /// Whether a closed fleet's last worker is gone.
  func isGone(_ fleet: FleetID) -> Bool { read { $0.machine.supervisor.isGone(fleet) } }

  /// Whether every worker configuration of a fleet has said what it serves, or was given up.
  package func isKnown(_ fleet: FleetID) -> Bool {
    read { $0.machine.dispatcher.isKnown(fleet) }
  }

  /// The kinds among these that no worker of the fleet serves.
  package func unservedKinds(among names: [String], by fleet: FleetID) -> Set<String> {
    update { transaction in
      var unserved: Set<String> = []
      for name in names
      where transaction.machine.dispatcher.isUnserved(transaction.kind(name), by: fleet) {
        unserved.insert(name)
      }
      return unserved
    }
  }

  /// The fleet of a worker configuration, and its place there.
  func place(of configuration: ConfigurationID) -> (fleet: FleetID, index: Int)? {
    read { $0.machine.supervisor.place(of: configuration) }
  }

  /// What is known of a fleet's worker configurations, in their order, to say why an operation was
  /// not executed: rare enough for a look under the lock.
  func workers(
    of fleet: FleetID,
    _ programs: [ConfigurationID: PoolWorkerConfiguration],
    _ deaths: [ConfigurationID: PoolWorkerDeath]
  ) -> [WorkerAbsence.Workers] {
    read { transaction in
      let places = programs.compactMap { id, workers -> (Int, WorkerAbsence.Workers)? in
        guard !workers.isInProcess, let place = transaction.machine.supervisor.place(of: id),
          place.fleet == fleet
        else { return nil }
        let served = workers.kinds.map { Set($0) } ?? transaction.kinds.served(by: id)
        return (
          place.index,
          WorkerAbsence.Workers(
            areThisExecutable: workers.areThisExecutable,
            served: served,
            death: deaths[id]
          )
        )
      }
      return places.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  /// Makes a queue, whose operations the fleet executes.
  package func addQueue(to fleet: FleetID) -> QueueID {
    update { $0.machine.addQueue(to: fleet) }
  }

  /// Lets a queue come to its end though no owner can resume or widen it any more.
  func abandon(_ queue: QueueID) {
    update { transaction in
      transaction.setSuspended(false, queue)
      transaction.setWidth(max(transaction.width(of: queue), 1), of: queue)
    }
  }

  /// Removes a queue when its last operation has settled.
  func dropQueue(_ queue: QueueID) {
    _ = update { $0.machine.change(.dropQueue(queue), at: $0.now) }
  }

  /// Makes a resource of so many units, which operations claim.
  package func addResource(capacity: Int) -> ResourceID {
    update { $0.machine.dispatcher.addResource(capacity: capacity) }
  }

  /// Removes a resource, which no operation names any more.
  func removeResource(_ resource: ResourceID) {
    update { $0.machine.dispatcher.removeResource(resource) }
  }

  /// Changes how many units a resource has.
  func setCapacity(_ capacity: Int, of resource: ResourceID) {
    update { $0.machine.change(.capacity(capacity, of: resource)) }
  }
}
