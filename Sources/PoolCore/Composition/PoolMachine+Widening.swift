package import PoolModel

// Worker configurations get more workers, or no more.

extension PoolMachine {
  /// Lets a worker configuration have at least that many workers; those that it has stay.
  package mutating func widen(_ configuration: ConfigurationID, to count: Int) {
    widen(configuration, by: count - supervisor.limit(of: configuration))
  }

  /// Lets a worker configuration have so many workers more; ignores a number below 1.
  package mutating func widen(_ configuration: ConfigurationID, by count: Int) {
    guard count > 0 else { return }
    change(configuration) { $0.widen(by: count) }
  }

  /// Lets a worker configuration have that many workers from now on: fewer than it has, of which
  /// the others end after the operations that they have; or more.
  ///
  /// With 0 it is withdrawn: operations that no other configuration serves fail once its last
  /// worker is gone. Workers that are behind a relay are not more before it has greeted.
  package mutating func limitWorkers(
    of configuration: ConfigurationID,
    to count: Int,
    at now: Instant
  ) {
    context.now = now
    if count > 0 { supervisor.readmit(configuration, &context) }
    change(configuration) { life in
      life.cap = max(count, 0)
      if life.hasGreeted { life.widen(by: max(count - life.spec.count, 0)) }
    }
    supervisor.shrink(configuration, &context)
    reviewService(of: supervisor.configurations[configuration].fleet)
    finish()
  }

  /// Changes how many workers a configuration may have.
  private mutating func change(
    _ configuration: ConfigurationID,
    _ body: (inout ConfigurationLife) -> Void
  ) {
    let before = supervisor.configurations[configuration].limit
    body(&supervisor.configurations[configuration])
    let after = supervisor.configurations[configuration].limit
    dispatcher.widen(configuration, by: after - before)
  }

  /// Number of operations that workers have and have not begun; O(workers).
  package var unstartedCount: Int { dispatcher.assignedCount - graph.executingCount }
}

extension Supervisor {
  /// The worker configuration with that index in its fleet, not counting the one whose workers are
  /// in this process; nil if the fleet has none.
  package func configuration(at index: Int, of fleet: FleetID) -> ConfigurationID? {
    let all = processConfigurations(of: fleet)
    return all.indices.contains(index) ? all[index] : nil
  }

  /// The worker configurations of a fleet whose workers are processes, in the order in which they
  /// were declared.
  func processConfigurations(of fleet: FleetID) -> [ConfigurationID] {
    fleets[fleet].configurations.filter { !configurations[$0].spec.executesBlocks }
  }

  /// How many workers there could be, if the user allows them.
  fileprivate func limit(of configuration: ConfigurationID) -> Int {
    configurations[configuration].spec.count
  }
}

extension Dispatcher {
  /// Number of operations that workers have; O(workers).
  fileprivate var assignedCount: Int { assignments.reduce(0) { $0 + $1.queue.count } }

  /// Changes how many workers a configuration may have.
  fileprivate mutating func widen(_ configuration: ConfigurationID, by count: Int) {
    configurations[configuration].spec.count += count
    let fleet = configurations[configuration].fleet
    fleets[fleet].workerLimit += count
    if !configurations[configuration].spec.executesBlocks { fleets[fleet].slots += count }
    markDirty(fleet)
  }
}
