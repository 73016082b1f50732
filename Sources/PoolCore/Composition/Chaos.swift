/// Faults that are made on purpose, so that users see for themselves what a run survives.
///
/// Each rate is the probability of one execution, or of one spawn. What happens follows from the
/// seed and from how many there were before; which operation it hits depends on the order of
/// events.
package struct Chaos: Hashable, Sendable {
  /// What is done to a worker that has begun an execution.
  package enum Fault: String, Hashable, Sendable, CaseIterable {
    /// SIGKILL.
    case kill
    /// SIGSTOP: it falls silent.
    case stop
    /// What it says next is garbled.
    case garble
  }

  /// The probability of each fault, from 0 to 1; together at most 1.
  package var rates: [Fault: Double] = [:]
  /// The probability that a worker cannot be spawned.
  package var spawnFailure = 0.0
  package var seed: UInt64 = 0

  private var executions: UInt64 = 0
  private var spawns: UInt64 = 0

  package init() {}

  /// The fault to inject into the next execution; nil for none.
  package mutating func nextFault() -> Fault? {
    executions += 1
    var chance = Chance.fraction(seed, executions)
    for fault in Fault.allCases {
      let rate = rates[fault] ?? 0
      if chance < rate { return fault }
      chance -= rate
    }
    return nil
  }

  /// Whether the next spawn fails.
  package mutating func failsSpawn() -> Bool {
    spawns += 1
    return spawnFailure > 0 && Chance.fraction(~seed, spawns) < spawnFailure
  }
}
