package import PoolModel

extension PoolMachine {
  /// Lets a worker configuration have at least that many workers; those that it has stay.
  package mutating func widen(_ configuration: ConfigurationID, to count: Int) {
    widen(configuration, by: count - supervisor.limit(of: configuration))
  }

  /// Lets a worker configuration have so many workers more; ignores a number below 1.
  package mutating func widen(_ configuration: ConfigurationID, by count: Int) {
    guard count > 0 else { return }
    supervisor.widen(configuration, by: count)
    dispatcher.widen(configuration, by: count)
  }

  /// Number of operations that workers have and have not begun; O(workers).
  package var unstartedCount: Int { dispatcher.assignedCount - graph.executingCount }
}

extension Supervisor {
  /// The worker configuration with that index in its fleet; nil if the fleet has none.
  package func configuration(at index: Int, of fleet: FleetID) -> ConfigurationID? {
    let all = fleets[fleet].configurations
    return all.indices.contains(index) ? all[index] : nil
  }

  /// How many workers there may be.
  fileprivate func limit(of configuration: ConfigurationID) -> Int {
    configurations[configuration].spec.count
  }

  fileprivate mutating func widen(_ configuration: ConfigurationID, by count: Int) {
    configurations[configuration].widen(by: count)
  }
}

extension Dispatcher {
  /// Number of operations that workers have; O(workers).
  fileprivate var assignedCount: Int { assignments.reduce(0) { $0 + $1.queue.count } }

  fileprivate mutating func widen(_ configuration: ConfigurationID, by count: Int) {
    configurations[configuration].spec.count += count
    let fleet = configurations[configuration].fleet
    fleets[fleet].workerLimit += count
    if !configurations[configuration].spec.executesBlocks { fleets[fleet].slots += count }
    markDirty(fleet)
  }
}
