import PoolAnalysis
import PoolModel

/// The operations that had an attempt which took longer than it was allowed to.
struct Timeouts {
  private let facts: PageFacts
  /// Their places in the history.
  let operations: [Int]

  /// Collects them; linear in attempts.
  init(_ facts: PageFacts) {
    self.facts = facts
    let operations = facts.history.operations
    self.operations = operations.indices.filter { place in
      operations[place].attempts.contains { $0.ending == .timedOut }
    }
  }

  /// The median of what has succeeded in an operation's group; nil if nothing has.
  func typical(inGroupOf place: Int) -> Int64? {
    let group = facts.analysis.groups[facts.groupPlaces[place]]
    let succeeded = group.members.lazy.filter { facts.history.operations[$0].ending == .succeeded }
    return Distribution(
      succeeded.compactMap { facts.history.operations[$0].attempts.last?.duration }
    )?
    .median
  }
}
