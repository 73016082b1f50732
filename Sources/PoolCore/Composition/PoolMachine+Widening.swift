package import PoolModel

extension PoolMachine {
  /// Lets a worker configuration have at least that many workers; those that it has stay.
  package mutating func widen(_ configuration: ConfigurationID, to count: Int) {
    let added = supervisor.widen(configuration, to: count)
    if added > 0 { dispatcher.widen(configuration, by: added) }
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

  /// Returns how many more workers there may be.
  fileprivate mutating func widen(_ configuration: ConfigurationID, to count: Int) -> Int {
    configurations[configuration].widen(to: count)
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
