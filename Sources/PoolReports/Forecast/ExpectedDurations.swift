import PoolCore
package import PoolInputs
package import PoolJournal
package import PoolModel
import PoolSystem
import PoolWire

/// Expected durations of operations, and the ranks that follow from them.
package struct ExpectedDurations: Sendable {
  /// Microseconds by key, from the journal of an earlier run.
  private let history: [ContentDigest: Int64]
  private let policy: PoolSchedulingPolicy
  /// The keys by the version of the history.
  private var keys: WorkloadKeys

  /// Uses only the durations that workloads state.
  package init(for policy: PoolSchedulingPolicy) {
    history = [:]
    keys = WorkloadKeys(.latest)
    self.policy = policy
  }

  /// Uses measured durations of a journal, too.
  package init(for policy: PoolSchedulingPolicy, history state: JournalState) throws(JournalError) {
    self.policy = policy
    history = state.outcomes.compactMapValues(\.duration)
    keys = WorkloadKeys(try state.knownKeyVersion())
  }

  /// The ranks of operations by the policy; nil if it has none.
  ///
  /// The operations come next in the workload. Linear in operations and dependencies.
  package mutating func ranks(
    of operations: Range<Int>,
    of workload: any Workload,
    _ journal: RunJournal? = nil
  ) -> [Int64]? {
    if !history.isEmpty { keys.add(operations, of: workload) }
    let graph = workload.graph
    let isWhole = graph == nil || operations.lowerBound == 0
    precondition(isWhole, "a workload with dependencies is known as a whole")
    let durations = operations.map { duration(of: $0, of: workload, journal) }
    return policy.ranks(of: graph, durations: durations)
  }

  /// A measured duration counts before a stated one; an operation that is resumed takes no time.
  private func duration(of operation: Int, of workload: any Workload, _ journal: RunJournal?)
    -> Int64?
  {
    if let journal, journal.resumption(of: operation) != nil { return 0 }
    return measured(operation, journal).map { .microseconds(max($0, 1)) }
      ?? workload.expected(of: operation)
  }

  private func measured(_ operation: Int, _ journal: RunJournal?) -> Int64? {
    if !history.isEmpty, let duration = history[keys[operation]] { return duration }
    return journal.flatMap { $0.duration(of: $0.key(of: operation)) }
  }
}
