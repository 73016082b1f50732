import OperationPool
import PoolCore
import PoolJournal
import PoolModel

// What an operation came to counts only when the journal, where there is one, has it.

extension RunSession {
  /// Has the journal keep an outcome that a later run may rely on.
  func keep(_ settlement: Settlement, _ report: OperationReport) {
    guard let journal, isFinal(settlement), !report.isResumed else { return }
    journal.append(report, of: settlement.operation.slot)
  }

  /// Calls the closure when the journal has all that was given to it; at once where there is none.
  func whenKept(_ body: @escaping @Sendable () -> Void) {
    guard let journal else { return body() }
    journal.hold(body)
  }

  func coordinatorHasTold() {
    guard let journal else { return }
    do throws(JournalError) {
      try journal.commit()
    } catch {
      // What cannot be kept is worth no more work; why is said at the end.
      if control.verdict == nil { control.end(as: .output) }
    }
    for body in journal.takeHeld() { body() }
  }

  /// Whether an outcome says something of the operation itself.
  ///
  /// What never executed, and what did not succeed because the whole run was ended, is executed
  /// when the run is resumed.
  private func isFinal(_ settlement: Settlement) -> Bool {
    if control.verdict != nil { return settlement.ending == .succeeded }
    switch settlement.cause {
    case .answer, .timeout, .request, .workerDied, .violation, .quarantined: return true
    case .dependency, .noWorker, .unservedKind, .condition, .input: return false
    }
  }

  /// What an earlier run has found out.
  func report(_ settlement: Settlement, _ resumption: JournalSettlement) -> OperationReport {
    let operation = settlement.operation.slot
    var report = OperationReport(
      id: batch.id(of: operation),
      name: batch.name(of: operation),
      group: batch.group(of: operation).map { batch.groupName($0) },
      outcome: settlement.ending,
      cause: resumption.cause,
      exit: resumption.exit,
      signal: resumption.signal,
      attempt: resumption.attempt,
      finished: settlement.finished.nanoseconds,
      usage: resumption.usage,
      standardOutput: OutputExcerpt(byteCount: resumption.outputByteCount),
      standardError: OutputExcerpt(byteCount: resumption.errorByteCount),
      message: resumption.message
    )
    report.isResumed = settlement.ending == resumption.ending
    return report
  }
}
