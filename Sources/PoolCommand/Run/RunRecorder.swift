import OperationPool
import PoolContents
import PoolCore
import PoolEvents
import PoolInputs
import PoolJournal
import PoolModel
import PoolReports
import PoolWire
import Synchronization

/// Makes the records of operations from what the engine tells.
final class RunRecorder: Sendable {
  private struct State {
    /// The ending of each operation, or group, by number; 255 before it has ended.
    var endings: [UInt8] = []
    /// The last attempts, of operations that were to be tried again, behind which that was so.
    var retried: [Int: Int] = [:]
  }

  private let workload: any Workload
  private let journal: RunJournal?
  private let state = Mutex(State())

  init(_ workload: any Workload, _ journal: RunJournal?) {
    (self.workload, self.journal) = (workload, journal)
  }

  /// More operations are known, with all groups.
  func expect(_ operations: Range<Int>) {
    let missing = operations.upperBound + workload.groupCount
    state.withLock { state in
      let count = missing - state.endings.count
      if count > 0 { state.endings += repeatElement(UInt8.max, count: count) }
    }
  }

  /// Whether an operation with that number was submitted.
  func knows(_ number: Int) -> Bool { state.withLock { number < $0.endings.count } }

  /// How an operation, or a group, has ended; nil before.
  func ending(of number: Int) -> PoolEnding? {
    state.withLock { number < $0.endings.count ? PoolEnding(rawValue: $0.endings[number]) : nil }
  }

  /// How operations have ended; nil for those that have not.
  func endings(of numbers: [Int]) -> [PoolEnding?] {
    state.withLock { state in
      numbers.map { $0 < state.endings.count ? PoolEnding(rawValue: state.endings[$0]) : nil }
    }
  }

  /// Whether everything that was submitted has ended.
  var isComplete: Bool { state.withLock { !$0.endings.contains(.max) } }

  /// The record of an outcome, of this run or of an earlier one.
  func outcome(_ outcome: PoolOutcome, _ outputs: OutputPair) -> EndRecord {
    let settlement = outcome.settlement
    let number = settlement.operation.number
    let root = noteEnding(settlement, hasRoot: settlement.cause == .dependency)
    // One that the end of the run has cancelled before its turn came has no outcome here.
    guard let kept = journal?.resumedEnd(of: number)?.record, kept.ending == settlement.ending
    else {
      return end(of: outcome, outputs, root)
    }
    let isCommand = workload.isCommand(number)
    return kept.resumed(as: number, isCommand: isCommand, root: root, at: settlement.finished)
  }

  /// The record of the outcome of an operation that never executed, and that no file tells of.
  func unstarted(_ settlement: Settlement) -> EndRecord {
    EndRecord(
      number: settlement.operation.number,
      ending: settlement.ending,
      root: noteEnding(settlement, hasRoot: false),
      finished: settlement.finished
    )
  }

  /// The record of the outcome of a group, which executes nothing.
  func group(_ settlement: Settlement, memberCount: Int) -> EndRecord {
    let hasSucceeded = settlement.ending == .succeeded
    let root = noteEnding(settlement, hasRoot: !hasSucceeded)
    return EndRecord(
      number: settlement.operation.number,
      memberCount: memberCount,
      ending: settlement.ending,
      cause: hasSucceeded ? nil : .dependency,
      root: root,
      finished: settlement.finished,
      message: hasSucceeded ? nil : "not all of its members succeeded"
    )
  }

  /// The record of an attempt that others follow.
  func retriedAttempt(_ outcome: PoolOutcome, _ outputs: OutputPair) -> EndRecord {
    state.withLock { $0.retried[outcome.settlement.operation.number] = outcome.attempts }
    return end(of: outcome, outputs, nil)
  }

  /// Whether the record of an outcome is also that of an attempt that has just ended.
  func endsAttempt(_ record: EndRecord) -> Bool {
    guard record.memberCount == nil else { return false }
    let retried = state.withLock { $0.retried[record.number] }
    return record.started != nil && record.attempt > 0 && retried != record.attempt
  }

  private func end(of outcome: PoolOutcome, _ outputs: OutputPair, _ root: EndRecord.Root?)
    -> EndRecord
  {
    let number = outcome.settlement.operation.number
    return EndRecord(
      of: outcome,
      number: number,
      root: root,
      byteCounts: (outputs.output.byteCount, outputs.error.byteCount),
      isCommand: workload.isCommand(number)
    )
  }

  /// Notes how an operation, or a group, has ended; returns because of what, if that is another
  /// one.
  private func noteEnding(_ settlement: Settlement, hasRoot: Bool) -> EndRecord.Root? {
    state.withLock { state in
      state.endings[settlement.operation.number] = settlement.ending.rawValue
      guard hasRoot else { return nil }
      let root = settlement.root.number
      return EndRecord.Root(root, PoolEnding(rawValue: state.endings[root]))
    }
  }
}

// MARK: - What operations are

extension RunRecorder {
  /// The record of an operation that is submitted; for the journal, which keeps no lines, no inputs
  /// and no groups' names, and the key with the outcome, without an identity.
  func submitted(
    _ number: Int,
    _ submission: WorkloadSubmission,
    _ identity: RunIdentity?
  ) -> SubmittedRecord {
    var record = SubmittedRecord(
      number: number,
      identity == nil ? workload.shortDescription(of: number) : workload.description(of: number),
      key: identity?.key(of: number)
    )
    record.kind = workload.kindName(of: number)
    record.group = workload.group(of: number).map { workload.count + $0 }
    record.priority = workload.priority(of: number)
    workload.forEachDependency(of: number) { other, requirement in
      record.dependencies.append(SubmittedRecord.Dependency(other, requirement))
    }
    record.claims = workload.claims(of: number).map { claim in
      let resource = workload.resource(claim)
      return SubmittedRecord.Claim(
        resource.name.text,
        of: resource.units,
        isExclusive: resource.name.source == .exclusive
      )
    }
    (record.slots, record.isBarrier) = (workload.slots(of: number), workload.isBarrier(number))
    record.timeout = submission.timeout(of: number)
    record.retries = submission.retries(of: number)
    record.expected = workload.expected(of: number)
    return record
  }

  /// The record of a group.
  func submitted(group: Int, memberCount: Int, _ identity: RunIdentity) -> SubmittedRecord {
    let number = workload.count + group
    return SubmittedRecord(
      number: number,
      workload.description(of: number),
      key: identity.key(ofGroup: number, in: workload),
      memberCount: memberCount
    )
  }
}
