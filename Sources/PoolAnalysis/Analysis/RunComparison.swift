package import PoolModel

/// What is different in a run from an earlier one.
///
/// Operations of both runs are the same if their identifiers are.
package struct RunComparison: Sendable {
  /// Nanoseconds of both runs.
  package struct Change: Hashable, Sendable {
    package let before: Int64
    package let after: Int64

    /// Nanoseconds more than before.
    package var difference: Int64 { after - before }

    /// Whether it is more than a tenth, and 20 ms: what else a machine does explains less.
    package var isNotable: Bool {
      let least = max(min(before, after) / 10, .milliseconds(20))
      return difference.magnitude >= least.magnitude
    }
  }

  /// A group, or an operation, whose attempts took another time.
  package struct Part: Hashable, Sendable {
    /// Its name, UTF-8; nil for the operations that are in no group.
    package let name: [UInt8]?
    package let change: Change
  }

  /// An operation that ended in another way.
  package struct Outcome: Hashable, Sendable {
    /// Its identifier, UTF-8.
    package let id: [UInt8]
    package let before: PoolEnding?
    package let after: PoolEnding?
  }

  /// From the beginning of each run to its end.
  package let elapsed: Change
  /// Groups with a notable change of all attempts together, the largest first.
  package let groups: [Part]
  /// Operations with a notable change, the largest first.
  package let operations: [Part]
  /// Operations with another outcome, in the order of the later run.
  package let outcomes: [Outcome]
  /// Number of operations that only one of the runs has.
  package let addedCount: Int
  package let removedCount: Int

  /// Compares a run with an earlier one; linear, but for sorting.
  package init(of run: RunAnalysis, with old: RunAnalysis) {
    elapsed = Change(before: old.elapsed, after: run.elapsed)
    groups = Self.groups(of: run, old)
    let earlier = Dictionary(
      old.history.operations.map { ($0.id, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    var parts: [Part] = []
    var outcomes: [Outcome] = []
    var sharedCount = 0
    for operation in run.history.operations {
      guard let before = earlier[operation.id] else { continue }
      sharedCount += 1
      let change = Change(before: before.executionTime, after: operation.executionTime)
      if change.isNotable { parts.append(Part(name: operation.id, change: change)) }
      guard before.ending != operation.ending else { continue }
      outcomes.append(Outcome(id: operation.id, before: before.ending, after: operation.ending))
    }
    operations = Self.sorted(parts)
    self.outcomes = outcomes
    addedCount = run.history.operations.count - sharedCount
    removedCount = max(earlier.count - sharedCount, 0)
  }

  private static func groups(of run: RunAnalysis, _ old: RunAnalysis) -> [Part] {
    let earlier = Dictionary(
      old.groups.map { ($0.name, $0.executionTime) },
      uniquingKeysWith: { first, _ in first }
    )
    let parts = run.groups.compactMap { group -> Part? in
      guard let before = earlier[group.name] else { return nil }
      let change = Change(before: before, after: group.executionTime)
      return change.isNotable ? Part(name: group.name, change: change) : nil
    }
    return sorted(parts)
  }

  private static func sorted(_ parts: [Part]) -> [Part] {
    parts.sorted { $1.change.difference.magnitude < $0.change.difference.magnitude }
  }
}
