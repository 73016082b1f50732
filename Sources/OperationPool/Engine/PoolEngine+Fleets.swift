package import PoolCore
package import PoolModel

// Fleets, queues and resources.

extension PoolEngine {
  /// Adds a fleet of these workers, which start when there are operations for them.
  package func addFleet(_ workers: [PoolWorkerConfiguration]) -> FleetID {
    update { transaction in
      let fleet = transaction.machine.addFleet()
      for workers in workers { _ = transaction.add(workers, to: fleet) }
      return fleet
    }
  }

  /// Adds a worker configuration to a fleet; returns its index there, or nil if the fleet is
  /// closed.
  ///
  /// Operations that have failed because no worker served their kind stay so.
  package func addWorkers(_ workers: PoolWorkerConfiguration, to fleet: FleetID) -> Int? {
    // The loop starts them, and would not wake for a change that has no effects yet.
    defer { performOnLoop {} }
    return update { transaction in
      guard transaction.machine.supervisor.isOpen(fleet) else { return nil }
      let id = transaction.add(workers, to: fleet)
      return transaction.machine.supervisor.position(of: id)?.index
    }
  }

  /// Lets the worker configuration with that index in its fleet have so many workers from now on.
  ///
  /// With 0 it is withdrawn, with nil it may have as many as there could be. Workers that are too
  /// many end after what they execute.
  package func limitWorkers(ofConfigurationAt index: Int, of fleet: FleetID, to count: Int?) {
    defer { performOnLoop {} }
    update { transaction in
      guard
        let configuration = transaction.machine.supervisor.configuration(at: index, of: fleet)
      else { return }
      transaction.machine.limitWorkers(of: configuration, to: count, at: transaction.now)
    }
  }

  /// Ends the workers of a fleet; operations that are still in its queues will not be executed.
  package func closeFleet(_ fleet: FleetID) {
    update { $0.machine.supervise(.closeFleet(fleet), at: $0.now) }
  }

  /// Closes a fleet whose `FleetID` stays in use, unless the closure objects; returns a queue that
  /// prevents the reuse of the fleet's number until the caller drops it.
  func closeFleet(
    _ fleet: FleetID,
    unless objects: (borrowing Transaction) -> Bool
  ) -> QueueID? {
    update { transaction in
      guard !objects(transaction) else { return nil }
      let keeper = transaction.machine.addQueue(to: fleet)
      transaction.machine.supervise(.closeFleet(fleet), at: transaction.now)
      return keeper
    }
  }

  /// Whether the last worker of a closed fleet is gone.
  func isGone(_ fleet: FleetID) -> Bool { read { $0.machine.supervisor.isGone(fleet) } }

  /// How long a worker of a configuration has to greet, for a message about one that did not.
  func greetingTimeout(of configuration: ConfigurationID) -> Int64 {
    read { $0.machine.supervisor.greetingTimeout(of: configuration) }
  }

  /// The workers of each configuration of a fleet with workers of its own.
  package func census(of fleet: FleetID) -> [WorkerCensus] {
    read { $0.machine.supervisor.census(of: fleet) }
  }

  /// Whether every worker configuration of a fleet has announced its kinds, or was given up and has
  /// no worker left.
  package func isKnown(_ fleet: FleetID) -> Bool {
    read { $0.machine.dispatcher.isKnown(fleet) }
  }

  /// Whether each of these kinds is served by workers that have greeted, or whose kinds are known.
  package func areServed(_ kinds: [ConstrainedKind], by fleet: FleetID) -> Bool {
    update { transaction in
      kinds.allSatisfy {
        transaction.machine.dispatcher.isServed(transaction.kind($0), by: fleet)
      }
    }
  }

  /// The kinds among these that no worker of the fleet serves.
  package func unservedKinds(
    among kinds: [ConstrainedKind],
    by fleet: FleetID
  ) -> Set<ConstrainedKind> {
    update { transaction in
      var unserved: Set<ConstrainedKind> = []
      for kind in kinds
      where transaction.machine.dispatcher.isUnserved(transaction.kind(kind), by: fleet) {
        unserved.insert(kind)
      }
      return unserved
    }
  }

  /// The fleet of a worker configuration, and its index there.
  func position(of configuration: ConfigurationID) -> (fleet: FleetID, index: Int)? {
    read { $0.machine.supervisor.position(of: configuration) }
  }

  /// The state of a fleet's worker configurations, in their order, to explain why an operation was
  /// not executed; rare enough to be read under the lock.
  func workers(
    of fleet: FleetID,
    _ programs: [ConfigurationID: PoolWorkerConfiguration],
    _ deaths: [ConfigurationID: PoolWorkerDeath]
  ) -> [WorkerAbsence.Workers] {
    read { transaction in
      let absences = programs.compactMap { id, workers -> (Int, WorkerAbsence.Workers)? in
        guard !workers.executesBlocks,
          let position = transaction.machine.supervisor.position(of: id),
          position.fleet == fleet
        else { return nil }
        return (
          position.index,
          WorkerAbsence.Workers(
            areThisExecutable: workers.areThisExecutable,
            served: transaction.kinds.served(by: id),
            features: workers.features,
            areWithdrawn: transaction.machine.supervisor.room(of: id).limit == 0,
            death: deaths[id],
            greetingAdvice: workers.greetingAdvice
          )
        )
      }
      return absences.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  /// Adds a queue whose operations the fleet executes.
  package func addQueue(to fleet: FleetID) -> QueueID {
    update { $0.machine.addQueue(to: fleet) }
  }

  /// Resumes and widens a queue that has no owner any more, so that its operations can end.
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

  /// Adds a resource with this number of units, which operations claim.
  package func addResource(capacity: Int) -> ResourceID {
    update { $0.machine.dispatcher.addResource(capacity: capacity) }
  }

  /// Removes a resource that no operation claims any longer.
  func removeResource(_ resource: ResourceID) {
    update { $0.machine.dispatcher.removeResource(resource) }
  }

  /// Changes the number of a resource's units.
  func setCapacity(_ capacity: Int, of resource: ResourceID) {
    update { $0.setCapacity(capacity, of: resource) }
  }
}

extension PoolEngine.Transaction {
  /// Adds a worker configuration to a fleet.
  fileprivate mutating func add(
    _ workers: PoolWorkerConfiguration,
    to fleet: FleetID
  ) -> ConfigurationID {
    var spec = ConfigurationSpec(count: workers.count)
    spec.cap = workers.cap
    spec.isReserve = workers.isReserve
    spec.isEager = workers.isEager
    spec.isFar = workers.launcherToUse?.place == .unproved
    spec.lease = workers.lease
    spec.executesBlocks = workers.executesBlocks
    spec.recycling = workers.recycling.spec
    spec.greetingTimeout = workers.greetingTimeout(by: machine.supervisor.policy)
    spec.kinds = workers.kinds.map { names in
      for name in names { _ = kind(name) }
      return kinds.numbers(of: Set(names), on: workers.features)
    }
    let id = machine.addConfiguration(spec, to: fleet)
    kinds.begin(id, serving: workers.kinds, on: workers.features)
    newPrograms[id] = workers
    return id
  }
}
