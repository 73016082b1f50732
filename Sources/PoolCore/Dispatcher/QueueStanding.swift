package import PoolModel

/// How the slots of a queue are used, and what its ready operations lack.
package struct QueueStanding: Hashable, Sendable {
  /// A resource of which ready operations lack units.
  package struct Lack: Hashable, Sendable {
    package let resource: ResourceID
    /// Number of its units.
    package let units: Int
    /// Number of ready operations that wait for some.
    package let waiting: Int
  }

  /// Number of operations that may execute at once.
  package let slots: Int
  /// Slots of workers that have an operation, with those that it takes beyond one.
  package let taken: Int
  /// Workers that could take an operation at once.
  package let idleWorkers: Int
  /// Operations of all queues that are ready, and that no worker has.
  package let ready: Int
  /// Operations that workers have, and that take a slot of the queue each; also prefetched ones.
  package let assigned: Int
  /// The resources of which ready operations lack units.
  package let lacks: [Lack]
  /// Ready operations that need more slots than are free.
  package let wide: Int
}

extension Dispatcher {
  /// How the slots of a queue are used now; linear in resources and worker configurations.
  ///
  /// What ready operations lack is counted for all queues of the fleet together.
  package func standing(of queue: QueueID) -> QueueStanding {
    let fleet = queues[queue].fleet
    let workers = fleets[fleet].configurations.filter { counts($0, of: fleet) }
    let slots = workers.reduce(0) { $0 + min(configurations[$1].spec.count, 1 << 32) }
    return QueueStanding(
      slots: min(slots, queues[queue].width),
      taken: fleets[fleet].busyCount + fleets[fleet].extraSlots,
      idleWorkers: workers.reduce(0) { $0 + configurations[$1].idle.count },
      ready: readyCount,
      assigned: queues[queue].assignedSlots,
      lacks: resources.indices.compactMap { index in
        let id = ResourceID(rawValue: UInt32(index))
        let waiting = resources[id].waiting.count
        guard waiting > 0 else { return nil }
        return QueueStanding.Lack(resource: id, units: resources[id].capacity, waiting: waiting)
      },
      wide: fleets[fleet].waiting.count
    )
  }

  /// Whether operations may find a slot at the workers of a configuration: a reserve has none while
  /// others serve all kinds that are wanted.
  private func counts(_ configuration: ConfigurationID, of fleet: FleetID) -> Bool {
    let workers = configurations[configuration]
    guard !workers.isBroken, !workers.spec.executesBlocks else { return false }
    guard workers.spec.isReserve else { return true }
    let others = fleets[fleet].configurations.filter { !configurations[$0].spec.isReserve }
    return fleets[fleet].kinds.keys.contains { kind in
      workers.mayServe(kind) && !others.contains { configurations[$0].mayServe(kind) }
    }
  }
}
