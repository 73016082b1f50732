package import PoolModel

/// Numbers of living workers of one worker configuration, by what they do.
package struct WorkerCensus: Hashable, Sendable {
  /// Spawned, without a greeting yet.
  package var starting = 0
  /// Without an operation.
  package var idle = 0
  /// With an operation, which executes or will execute next.
  package var busy = 0
  /// Signalled, or without input: only the exit follows.
  package var ending = 0
  /// Maximum number of them.
  package var limit = 0
  /// Whether they may take as long as they need to greet.
  package var mayPend = false
  /// Out of reach, and perhaps executing what they were sent.
  package var inDoubt = 0
  /// When one is started again; nil unless all are gone, or out of reach, that there were.
  package var restartAt: Instant?

  /// Whose processes live, or may live where they cannot be reached.
  package var alive: Int { starting + idle + busy + ending + inDoubt }

  /// No worker.
  package init() {}
}

extension Supervisor {
  /// The workers of a fleet by worker configuration, without those in this process.
  ///
  /// In the fleet's order; empty if the fleet is gone. O(all workers).
  package func census(of fleet: FleetID) -> [WorkerCensus] { censuses(of: [fleet])[0] }

  /// The same for each of several fleets; O(all workers and these fleets).
  package func censuses(of wanted: [FleetID]) -> [[WorkerCensus]] {
    var censuses: [[WorkerCensus]] = []
    var places: [ConfigurationID: (fleet: Int, index: Int)] = [:]
    for (place, fleet) in wanted.enumerated() {
      let counted = processConfigurations(of: fleet)
      censuses.append(counted.map { WorkerCensus(of: configurations[$0]) })
      for (index, configuration) in counted.enumerated()
      where configurations[configuration].live > 0 {
        places[configuration] = (place, index)
      }
    }
    guard !places.isEmpty else { return censuses }
    for worker in workers.living {
      guard let (place, index) = places[workers[worker].configuration] else { continue }
      censuses[place][index].count(workers[worker])
    }
    for (place, index) in places.values { censuses[place][index].endCount() }
    return censuses
  }
}

extension WorkerCensus {
  fileprivate init(of life: ConfigurationLife) {
    limit = life.limit
    mayPend = life.spec.greetingTimeout == .max
    if life.live == 0, life.hasGreeted, !life.startsNone, life.mayStartAt > .zero {
      restartAt = life.mayStartAt
    }
  }

  fileprivate mutating func count(_ life: WorkerLife) {
    if let doubt = life.doubt {
      inDoubt += 1
      restartAt = min(restartAt ?? .distantFuture, doubt.until)
      return
    }
    switch life.state {
    case .starting: starting += 1
    case .serving where life.head == nil: idle += 1
    case .serving: busy += 1
    case .ending: ending += 1
    }
  }

  fileprivate mutating func endCount() {
    if starting + idle + busy + ending > 0 { restartAt = nil }
  }
}
