import OperationPool
import PoolCore
import PoolEvents
import PoolJournal
import PoolModel
import PoolWire

// The records of outcomes, and the lines of results that are made from them.

extension RunSession {
  /// The record of an outcome, of this run or of an earlier one.
  func record(of outcome: PoolOutcome, _ outputs: OutputPair) -> SettledRecord {
    let settlement = outcome.settlement
    let operation = settlement.operation.number
    let root = root(of: settlement)
    if let kept = journal?.resumedSettlement(of: operation) {
      let (ending, finished) = (settlement.ending, settlement.finished)
      return record(kept, of: operation, endingAs: ending, root: root, at: finished)
    }
    let failure = outcome.failure
    let end = end(of: outcome, failure)
    return SettledRecord(
      number: operation,
      ending: outcome.ending,
      cause: failure?.cause,
      root: root,
      exit: exitCode(of: operation, settlement) ?? end.exit,
      signal: end.signal,
      attempt: outcome.attempts,
      worker: outcome.worker,
      queued: settlement.queued,
      started: settlement.started,
      finished: settlement.finished,
      usage: outcome.usage,
      outputByteCount: outputs.output.byteCount,
      errorByteCount: outputs.error.byteCount,
      stepsTaken: outcome.stepsTaken,
      errorType: failure?.type,
      errorCode: failure?.cause == .error ? failure?.code : nil,
      message: failure?.description
    )
  }

  /// The exit code or the signal of a command that did not succeed, if known; of one that was told to
  /// end, from the worker's answer.
  private func end(
    of outcome: PoolOutcome,
    _ failure: PoolFailure?
  ) -> (exit: Int32?, signal: Int32?) {
    if failure?.cause == .exit { return (failure?.code, nil) }
    if failure?.cause == .signal { return (nil, failure?.code) }
    guard !outcome.stepsTaken.isEmpty, workload.isCommand(outcome.settlement.operation.number),
      let answer = outcome.report.answer
    else { return (nil, nil) }
    return switch answer.failure?.cause {
    // A command that did not start has used nothing.
    case nil: (answer.usage == nil ? nil : 0, nil)
    case .exit: (answer.failure?.code, nil)
    case .signal: (nil, answer.failure?.code)
    case .error, .spawn, .outputLimit: (nil, nil)
    }
  }

  /// The record of an outcome that the journal has, with the ending that it has in this run.
  private func record(
    _ kept: JournalSettlement,
    of number: Int,
    endingAs ending: PoolEnding,
    root: Int? = nil,
    at finished: Instant?
  ) -> SettledRecord {
    let duration = (kept.duration ?? 0) * 1_000
    return SettledRecord(
      number: number,
      ending: ending,
      cause: kept.cause.flatMap(PoolFailureCause.init(rawValue:)),
      root: root,
      // A success without an exit code means 0.
      exit: kept.exit ?? (ending == .succeeded && workload.isCommand(number) ? 0 : nil),
      signal: kept.signal,
      attempt: kept.attempt,
      finished: finished,
      usage: kept.usage,
      outputByteCount: kept.outputByteCount,
      errorByteCount: kept.errorByteCount,
      message: kept.message,
      isResumed: ending == kept.ending,
      earlier: kept.startTime.map { SettledRecord.Earlier(start: $0, duration: duration) }
    )
  }

  /// 0 for a command that succeeded.
  private func exitCode(of operation: Int, _ settlement: Settlement) -> Int32? {
    guard settlement.ending == .succeeded, settlement.cause == .answer,
      workload.isCommand(operation)
    else { return nil }
    return 0
  }

  /// The line of an outcome in the file of results; nil if it gets none.
  func line(
    of record: SettledRecord,
    for readers: TargetRoles,
    _ value: () -> (outputs: OutputPair, result: ResultContent?)
  ) -> ResultLine? {
    guard hasResults, folder == nil else { return nil }
    let record = asKept(record)
    let isAdded =
      !record.isResumed || readers.contains(.results) || journal?.isNew(.results) == true
    guard isAdded else { return nil }
    let (outputs, result) = value()
    var line = ResultLine(record, workload.description(of: record.number))
    line.key = key(of: record)
    line.run = runIdentifier
    if !record.isResumed, record.memberCount == nil { line.runStart = runStart }
    line.root = record.root.map { workload.id(ofMember: $0) }
    line.standardOutput = OutputExcerpt(kept: outputs.output, byteCount: record.outputByteCount)
    line.standardError = OutputExcerpt(kept: outputs.error, byteCount: record.errorByteCount)
    line.result = result
    return line
  }

  private func key(of record: SettledRecord) -> [UInt8] {
    guard record.memberCount != nil else { return idempotencyKey(of: record.number) }
    let name = workload.id(ofMember: record.number)
    return journal?.idempotencyKey(ofGroup: name) ?? identifier.key(ofOperation: record.number)
  }

  /// The record with the outcome that the journal has, if it has one.
  private func asKept(_ record: SettledRecord) -> SettledRecord {
    guard !record.isResumed, record.memberCount == nil,
      let kept = journal?.resumedSettlement(of: record.number)
    else { return record }
    return self.record(kept, of: record.number, endingAs: kept.ending, at: record.finished)
  }

  /// The number of the operation, or group, because of which one was skipped; nil for another.
  func root(of settlement: Settlement) -> Int? {
    settlement.cause == .dependency ? settlement.root.number : nil
  }
}
