package import PoolInputs
package import PoolJournal
package import PoolModel

/// Which operations of a workload keep their outcome from the journal.
package struct ResumePlan: Sendable {
  /// What the run does with an operation.
  private enum Fate: UInt8 {
    case executed
    /// Its outcome is known, and counts.
    case resumed
    /// A dependency did not end as required, and is not executed again.
    case skipped
  }

  private var fates: [Fate] = []
  /// The operations that were named to be executed again, or that failed if those are executed
  /// again, and all that depend on them.
  private var demanded: Set<Int> = []
  private var demandedGroups: Set<Int> = []
  /// The identifiers that named an operation.
  package private(set) var found: Set<[UInt8]> = []

  package init() {}

  /// Whether an operation keeps its outcome from the journal.
  package func isResumed(_ operation: Int) -> Bool {
    operation < fates.count && fates[operation] == .resumed
  }

  /// Whether an operation is executed again although it may have an outcome.
  func isDemanded(_ operation: Int) -> Bool { demanded.contains(operation) }

  /// Whether an operation is executed, unless a dependency does not meet its requirement.
  package func isExecuted(_ operation: Int) -> Bool {
    operation >= fates.count || fates[operation] == .executed
  }

  /// Number of operations that keep their outcome.
  package var resumedCount: Int { fates.count { $0 == .resumed } }

  /// The first of these identifiers that has named no operation.
  package func unknown(of identifiers: Set<[UInt8]>) -> [UInt8]? {
    identifiers.subtracting(found).min { $0.lexicographicallyPrecedes($1) }
  }

  /// Plans the operations that come next in the workload, by the outcomes of a journal.
  package mutating func add(
    _ operations: Range<Int>,
    of workload: any Workload,
    _ keys: WorkloadKeys,
    _ journal: JournalState,
    _ options: JournalOptions
  ) {
    add(operations, of: workload, again: options.reruns, failed: options.resumesFailed) {
      operation in
      journal.outcome(of: keys[operation], in: options.countedFolder)?.ending
    }
  }

  /// Plans the operations that come next in the workload; the closure returns outcomes.
  ///
  /// They are kept, but for operations with these identifiers, those that did not succeed if they
  /// are to be executed again, and what depends on them.
  package mutating func add(
    _ operations: Range<Int>,
    of workload: any Workload,
    again identifiers: Set<[UInt8]> = [],
    failed demandsFailed: Bool = false,
    known: (Int) -> PoolEnding?
  ) {
    fates.append(contentsOf: repeatElement(.executed, count: operations.count))
    let order = workload.dependencyOrder?.map { Int($0) } ?? Array(operations)
    if demandsFailed || !identifiers.isEmpty {
      demand(in: order, of: workload) { operation, found in
        let isNamed = identifiers.contains(workload.id(of: operation))
        if isNamed { found.insert(workload.id(of: operation)) }
        return isNamed || demandsFailed && known(operation).map { $0 != .succeeded } ?? false
      }
    }
    var endings: [Int: PoolEnding] = [:]
    var groups = GroupEndings(workload)
    for operation in order {
      if !demanded.contains(operation), let ending = known(operation) {
        endings[operation] = ending
        fates[operation] = .resumed
      } else if isSkipped(operation, of: workload, endings) {
        endings[operation] = .skipped
        fates[operation] = .skipped
      }
      if let group = workload.group(of: operation), let ending = endings[operation] {
        endings[workload.count + group] = groups.add(ending, to: group)
      }
    }
    if endings.isEmpty { return }
    for operation in order.reversed() where fates[operation] == .executed {
      demandInputs(of: operation, in: workload)
    }
  }

  /// Demands operations, and what depends on them.
  private mutating func demand(
    in order: [Int],
    of workload: any Workload,
    _ isSeed: (Int, inout Set<[UInt8]>) -> Bool
  ) {
    for operation in order {
      var isDemanded = isSeed(operation, &found)
      workload.forEachDependency(of: operation) { other, _ in
        let group = other - workload.count
        isDemanded =
          isDemanded || (group < 0 ? demanded.contains(other) : demandedGroups.contains(group))
      }
      guard isDemanded else { continue }
      demanded.insert(operation)
      if let group = workload.group(of: operation) { demandedGroups.insert(group) }
    }
  }

  private func isSkipped(
    _ operation: Int,
    of workload: any Workload,
    _ endings: [Int: PoolEnding]
  ) -> Bool {
    if endings.isEmpty { return false }
    var isSkipped = false
    workload.forEachDependency(of: operation) { other, requirement in
      if let ending = endings[other], !requirement.isMet(by: ending) { isSkipped = true }
    }
    return isSkipped
  }

  /// The journal keeps an output only until it is printed: an operation whose output is needed as
  /// an input is executed again.
  private mutating func demandInputs(of operation: Int, in workload: any Workload) {
    workload.forEachInput(of: operation) { _, source in
      if fates[source] == .resumed { fates[source] = .executed }
    }
  }
}

/// The endings of groups, from those of their members.
private struct GroupEndings {
  /// The gravest ending of a member so far.
  private var gravest: [PoolEnding]
  /// Number of members without an ending.
  private var missing: [Int]

  init(_ workload: any Workload) {
    gravest = Array(repeating: .succeeded, count: workload.groupCount)
    missing = workload.memberCounts
  }

  /// A member has this ending: returns that of the group, if no other member is missing.
  mutating func add(_ ending: PoolEnding, to group: Int) -> PoolEnding? {
    missing[group] -= 1
    if ending.isGraver(than: gravest[group]) { gravest[group] = ending }
    return missing[group] == 0 ? gravest[group].ofGroup : nil
  }
}
