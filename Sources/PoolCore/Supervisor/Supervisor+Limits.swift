package import PoolModel

// How many workers a configuration may have.

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

  func fleet(of configuration: ConfigurationID) -> FleetID { configurations[configuration].fleet }

  /// How many workers there could be, if the user allows them.
  func declaredCount(of configuration: ConfigurationID) -> Int {
    configurations[configuration].spec.count
  }

  /// The most workers of a configuration: sums of such numbers do not overflow.
  static let mostWorkers = 1 << 32

  /// The configuration of a worker that is not gone.
  func configuration(of worker: WorkerHandle) -> ConfigurationID { workers[worker].configuration }

  /// How many workers a configuration may have, and how many slots it fills at most: also those of
  /// workers that are too many, until they are gone.
  package func room(of configuration: ConfigurationID) -> (limit: Int, room: Int) {
    let life = configurations[configuration]
    return (life.limit, life.limit < life.spec.count ? max(life.limit, life.live) : life.limit)
  }

  /// Lets there be so many workers more, if the user allows them.
  mutating func widen(_ configuration: ConfigurationID, by count: Int) {
    configurations[configuration].widen(by: count)
  }

  /// Lets a configuration have that many workers, or as many as there could be, and ends those that
  /// are too many; returns those of them that end only after what they execute.
  mutating func limit(
    _ configuration: ConfigurationID,
    to count: Int?,
    _ context: inout EventContext
  ) -> [WorkerHandle] {
    if count != 0, configurations[configuration].cap == 0 { readmit(configuration, &context) }
    configurations[configuration].limit(to: count.map { min(max($0, 0), Self.mostWorkers) })
    return shrink(configuration, &context)
  }

  /// A configuration that was withdrawn may have workers again, whatever became of those before.
  private mutating func readmit(_ configuration: ConfigurationID, _ context: inout EventContext) {
    if configurations[configuration].isExhausted { context.effects.append(.reopen(configuration)) }
    configurations[configuration].reopen()
  }

  /// Lets workers of a configuration end until there are no more than it may have: those first that
  /// have nothing to do; returns the others.
  private mutating func shrink(
    _ configuration: ConfigurationID,
    _ context: inout EventContext
  ) -> [WorkerHandle] {
    let lasting = living.filter { worker in
      workers[worker].configuration == configuration
        && (workers[worker].isStarting || workers[worker].isServing && workers[worker].quota > 0)
    }
    let surplus = max(lasting.count - configurations[configuration].limit, 0)
    let busy = lasting.filter { workers[$0].head != nil }
    let idle = lasting.filter { workers[$0].head == nil }
    for worker in (idle + busy.reversed()).prefix(surplus) {
      if workers[worker].isServing { recycle(worker, &context) } else { retire(worker, &context) }
    }
    return busy.suffix(max(surplus - idle.count, 0))
  }
}
