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

  /// Lets there be so many workers more; returns how many more there may be, if the user allows
  /// fewer.
  mutating func widen(_ configuration: ConfigurationID, by count: Int) -> Int {
    let before = configurations[configuration].limit
    configurations[configuration].widen(by: count)
    return configurations[configuration].limit - before
  }

  /// The most workers of a configuration: sums of such numbers do not overflow.
  private static let most = 1 << 32

  /// Lets a configuration have that many workers, or as many as there could be, and ends those that
  /// are too many; returns how many more there may be than before.
  mutating func limit(
    _ configuration: ConfigurationID,
    to count: Int?,
    _ context: inout EventContext
  ) -> Int {
    let before = configurations[configuration].limit
    let count = count.map { min(max($0, 0), Self.most) }
    if count != 0 { readmit(configuration, &context) }
    configurations[configuration].cap = count ?? .max
    if let count, configurations[configuration].hasGreeted {
      let more = count - configurations[configuration].spec.count
      configurations[configuration].widen(by: max(more, 0))
    }
    shrink(configuration, &context)
    return configurations[configuration].limit - before
  }

  /// A configuration that was withdrawn may have workers again, whatever became of those before.
  private mutating func readmit(_ configuration: ConfigurationID, _ context: inout EventContext) {
    guard configurations[configuration].cap == 0, configurations[configuration].isExhausted else {
      return
    }
    configurations[configuration].reopen()
    context.effects.append(.reopen(configuration))
  }

  /// Lets workers of a configuration end until there are no more than it may have: those first that
  /// have nothing to do, and others after the operations that they have.
  private mutating func shrink(_ configuration: ConfigurationID, _ context: inout EventContext) {
    let lasting = living.filter { worker in
      workers[worker].configuration == configuration
        && (workers[worker].isStarting || workers[worker].isServing && workers[worker].quota > 0)
    }
    let surplus = lasting.count - configurations[configuration].limit
    guard surplus > 0 else { return }
    let busy = lasting.filter { workers[$0].head != nil }
    let idle = lasting.filter { workers[$0].head == nil }
    for worker in (idle + busy.reversed()).prefix(surplus) {
      if workers[worker].isServing { recycle(worker, &context) } else { retire(worker, &context) }
    }
  }
}
