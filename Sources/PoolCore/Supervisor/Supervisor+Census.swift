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

  /// No worker.
  package init() {}
}

extension Supervisor {
  /// The workers of a fleet by worker configuration, without those in this process.
  ///
  /// In the fleet's order; empty if the fleet is gone. O(all workers).
  package func census(of fleet: FleetID) -> [WorkerCensus] {
    let counted = fleets[fleet].configurations.filter { !configurations[$0].spec.executesBlocks }
    var censuses = counted.map { _ in WorkerCensus() }
    guard counted.contains(where: { configurations[$0].live > 0 }) else { return censuses }
    for worker in workers.living {
      let life = workers[worker]
      guard let index = counted.firstIndex(of: life.configuration) else { continue }
      switch life.state {
      case .starting: censuses[index].starting += 1
      case .serving where life.head == nil: censuses[index].idle += 1
      case .serving: censuses[index].busy += 1
      case .ending: censuses[index].ending += 1
      }
    }
    return censuses
  }
}
