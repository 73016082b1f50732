package import PoolEvents
package import PoolInputs
package import PoolJournal
package import PoolModel
import PoolSystem

/// What tells a run, and its operations, from those of other runs, and what earlier runs of its
/// journal had of them.
package struct RunIdentity: Sendable {
  /// Distinguishes the run from others if there is no journal.
  private let identifier = RunIdentifier()
  private let journal: RunJournal?
  /// Nanoseconds from 1970 to the moment from which the run's times count.
  package let start: Int64

  package init(since now: Instant, _ journal: RunJournal?) {
    self.journal = journal
    start = WallClock.nanoseconds.saturatingDifference(now.nanoseconds)
  }

  /// The run in its lines; the same in each run of a journal.
  package var name: [UInt8] { journal?.runIdentifier ?? identifier.hex }

  /// The idempotency key of an operation.
  package func key(of operation: Int) -> [UInt8] {
    journal?.idempotencyKey(of: operation) ?? identifier.key(ofOperation: operation)
  }

  /// The key of an operation or a group.
  package func key(of record: EndRecord, in workload: any Workload) -> [UInt8] {
    guard record.memberCount != nil else { return key(of: record.number) }
    return key(ofGroup: record.number, in: workload)
  }

  /// The key of a group.
  package func key(ofGroup number: Int, in workload: any Workload) -> [UInt8] {
    journal?.idempotencyKey(ofGroup: workload.id(ofMember: number))
      ?? identifier.key(ofOperation: number)
  }

  /// Whether a target gets a line for each operation, also for those that it cannot have lost.
  package func isNew(_ role: TargetRoles) -> Bool { journal?.isNew(role) == true }

  /// The record with the outcome that the journal has from an earlier run, if it has one.
  func asKept(_ record: EndRecord, in workload: any Workload) -> EndRecord {
    guard !record.isResumed, record.memberCount == nil,
      let kept = journal?.resumedEnd(of: record.number)?.record
    else { return record }
    return kept.resumed(
      as: record.number,
      isCommand: workload.isCommand(record.number),
      at: record.finished
    )
  }
}

extension EndRecord {
  /// The record of an outcome that a journal has, in this run.
  package func resumed(
    as number: Int,
    isCommand: Bool,
    root: Root? = nil,
    at finished: Instant?
  ) -> EndRecord {
    EndRecord(
      number: number,
      ending: ending,
      cause: cause,
      root: root,
      // A success without an exit code means 0.
      exit: exit ?? (ending == .succeeded && isCommand ? 0 : nil),
      signal: signal,
      attempt: attempt,
      finished: finished,
      usage: usage,
      outputByteCount: outputByteCount,
      errorByteCount: errorByteCount,
      errorType: errorType,
      errorCode: errorCode,
      message: message,
      isResumed: true,
      earlier: earlier
    )
  }
}
