import OperationPool
import PoolCore
import PoolModel
import PoolSystem
import PoolWire
import Synchronization

// How operations go.

extension RunSession {
  func execution(of operation: OperationID) -> OperationExecution {
    var execution = batch.execution(of: operation.slot)
    execution.inputs = state.withLock { $0.inputs.inputs(of: operation.slot, in: batch) }
    return execution
  }

  func operationStarted(
    _ operation: OperationID,
    on worker: WorkerID,
    attempt: Int,
    at now: Instant
  ) {
    board.start(operation.slot, on: worker, at: now)
    guard options.verbosity == .verbose else { return }
    let again = attempt > 1 ? ", attempt \(attempt)" : ""
    say("\(label(operation)): executing on worker \(worker)\(again)")
  }

  func operation(_ operation: OperationID, progressed progress: Progress) {
    guard options.verbosity == .verbose else { return }
    say("\(label(operation)): \(progress.completed) of \(progress.total)")
  }

  func operation(_ operation: OperationID, logged log: Log) {
    say("\(label(operation)): \(Printable.text(log.message))")
  }

  func operationRetries(_ settlement: Settlement, _ report: AttemptReport) {
    board.retry(settlement.operation.slot)
    let failure = PoolFailure(settlement, report)
    let reason = failure.map { Printable.text($0.description) } ?? settlement.ending.name
    say("\(label(settlement.operation)): attempt \(settlement.attempt): \(reason); trying again")
  }

  func operationSettled(_ settlement: Settlement, _ attempt: AttemptReport) {
    if let group = group(settlement.operation) {
      return whenKept { self.groupSettled(group, settlement) }
    }
    let operation = settlement.operation.slot
    // Those that are given it as an input may be prepared at once.
    state.withLock { $0.inputs.settle(operation, attempt, in: batch) }
    let report = report(settlement, attempt)
    keep(settlement, report)
    whenKept { self.conclude(settlement, attempt, report) }
  }

  /// Counts an outcome, tells it, and prints what the operation wrote.
  private func conclude(
    _ settlement: Settlement,
    _ attempt: AttemptReport,
    _ report: OperationReport
  ) {
    let operation = settlement.operation.slot
    board.finish(operation, settlement.ending)
    let pair = outputs(of: settlement, attempt)
    // Where order is kept, an operation that wrote nothing has its turn all the same.
    if options.keepsOrder || !pair.isEmpty { printer.print(operation, pair) }
    // Behind its output, where results go to the same stream.
    let isUnneeded = note(settlement, report)
    state.withLock { state in
      if settlement.cause == .noWorker { state.lacksWorkers = true }
      state.summary.add(report, line: batch.line(of: operation), isUnneeded: isUnneeded)
    }
    countSettled()
    tellEnding(of: label(settlement.operation), settlement)
  }

  /// What an operation wrote; what of it could not be fetched is told.
  private func outputs(of settlement: Settlement, _ report: AttemptReport) -> OutputPair {
    for (stream, content) in [
      ("output", report.standardOutput), ("error output", report.standardError),
    ] {
      guard case .unavailable(let reason) = content else { continue }
      state.withLock { $0.hasLostOutput = true }
      say("\(label(settlement.operation)): its \(stream) is lost: \(reason)", always: true)
    }
    return OutputPair(output: report.standardOutput, error: report.standardError)
  }

  private func report(_ settlement: Settlement, _ attempt: AttemptReport) -> OperationReport {
    let operation = settlement.operation.slot
    if let resumption = journal?.resumption(of: operation) {
      return report(settlement, resumption)
    }
    let failure = PoolFailure(settlement, attempt)
    var report = OperationReport(
      id: batch.id(of: operation),
      name: batch.name(of: operation),
      group: batch.group(of: operation).map { batch.groupName($0) },
      outcome: settlement.ending,
      cause: cause(of: settlement, failure),
      exit: failure?.cause == "exit" ? failure?.code : nil,
      signal: failure?.cause == "signal" ? failure?.code : nil,
      attempt: settlement.attempt,
      worker: settlement.worker,
      queued: settlement.queued?.nanoseconds,
      started: settlement.started?.nanoseconds,
      finished: settlement.finished.nanoseconds,
      usage: attempt.answer?.usage,
      standardOutput: excerpt(of: attempt.standardOutput),
      standardError: excerpt(of: attempt.standardError),
      result: attempt.answer?.result,
      message: failure?.description
    )
    report.rungs = attempt.record.rungs.map { taken in
      OperationReport.Rung(taken.rung.name, at: .seconds(taken.at))
    }
    return report
  }

  private func excerpt(of content: OutputContent) -> OutputExcerpt {
    OutputExcerpt(content.prefix, byteCount: content.byteCount)
  }

  /// The reason in a word; for a skipped operation, the one that began it all.
  private func cause(of settlement: Settlement, _ failure: PoolFailure?) -> String? {
    settlement.cause == .dependency ? rootCause(of: settlement) : failure?.cause
  }
}

extension PoolTerminationLadder.Rung {
  /// As ``PoolCancellation/rung`` has it.
  fileprivate var name: String {
    switch self {
    case .message: "message"
    case .signal(let number): ProcessSignal(number).description
    }
  }
}
