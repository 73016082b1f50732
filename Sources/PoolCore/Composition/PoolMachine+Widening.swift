package import PoolModel

// Worker configurations get more workers, or no more.

extension PoolMachine {
  /// Lets a worker configuration have at least that many workers; those that it has stay.
  package mutating func widen(_ configuration: ConfigurationID, to count: Int) {
    widen(configuration, by: count - supervisor.declaredCount(of: configuration))
  }

  /// Lets a worker configuration have so many workers more; ignores a number below 1.
  package mutating func widen(_ configuration: ConfigurationID, by count: Int) {
    guard count > 0 else { return }
    dispatcher.widen(configuration, by: supervisor.widen(configuration, by: count))
  }

  /// Lets a worker configuration have that many workers from now on: fewer than it has, of which
  /// the others end after the operations that they have; or more; with nil as many as there could
  /// be.
  ///
  /// With 0 it is withdrawn: operations that no other configuration serves fail once its last
  /// worker is gone. Workers that are behind a relay are not more before it has greeted.
  package mutating func limitWorkers(
    of configuration: ConfigurationID,
    to count: Int?,
    at now: Instant
  ) {
    context.now = now
    let change = supervisor.limit(configuration, to: count, &context)
    dispatcher.widen(configuration, by: change)
    reviewService(of: supervisor.fleet(of: configuration))
    finish()
  }

  /// Number of operations that workers have and have not begun; O(workers).
  package var unstartedCount: Int { dispatcher.assignedCount - graph.executingCount }
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
