import PoolCore
import PoolEvents
import PoolInputs
import PoolJournal
import PoolModel
import PoolReports
import Synchronization

// With a journal, an outcome counts only once the journal has it.

extension RunSession {
  /// Whether the journal keeps an outcome: one on which a later run may rely.
  func isKept(_ settlement: Settlement, _ record: EndRecord) -> Bool {
    journal != nil && isFinal(settlement) && !record.isResumed
  }

  /// The targets that get the value of an operation of this run.
  func readers(
    of settlement: Settlement,
    _ record: EndRecord,
    _ outputs: OutputPair
  ) -> TargetRoles {
    var readers = TargetRoles.none
    let isShown = folder == nil && options.display.shown.includes(record.ending)
    if isShown, !outputs.isEmpty { readers.insert(.streams) }
    guard hasResults || hasJobLog else { return readers }
    let hasEnded = hasEnded(settlement, record)
    if hasResults, folder == nil || hasEnded { readers.insert(.results) }
    // What the journal does not keep is executed, and logged, by a later run.
    let isLogged = hasEnded && (journal == nil || isFinal(settlement))
    if hasJobLog, isLogged { readers.insert(.jobLog) }
    return readers
  }

  /// Whether what follows an outcome has to wait for the journal's next commit.
  func mustWait(isKeeping: Bool) -> Bool {
    guard journal != nil else { return false }
    return isKeeping || control.earlyExitCode != nil || waiting.withLock { !$0.isEmpty }
  }

  /// Keeps what the readers are told after the journal's next commit.
  func wait(_ event: WaitingEvent) {
    waiting.withLock { $0.append(event) }
  }

  func willSend(
    _ operation: OperationID,
    attempt: Int,
    to worker: WorkerID,
    for lease: LeaseTerms
  ) {
    journal?.noteSending(of: operation.number, attempt: attempt, to: worker, for: lease)
  }

  func willStop(_ worker: WorkerID, for lease: LeaseTerms) {
    journal?.noteStop(of: worker, for: lease)
    _ = commitJournal()
  }

  /// An operation has ended; the journal may keep its outcome.
  ///
  /// What may have begun behind a link that has ended, and is told all the same, may still execute:
  /// also what was cancelled then, of which no worker has said that it has ended.
  func noteEnd(_ settlement: Settlement, isKept: Bool) {
    guard let journal else { return }
    switch settlement.cause {
    case .answer, .timeout: if isKept { return }
    case .request: guard settlement.worker != nil else { return }
    default: return
    }
    journal.noteReturn(of: settlement.operation.number)
  }

  @discardableResult
  func finishTurn() -> Bool {
    if endings.count > 0 { endings.advance() }
    guard journal != nil else { return true }
    let isKept = commitJournal()
    let events = waiting.withLock { waiting in
      defer { waiting.removeAll() }
      return waiting
    }
    for event in events {
      switch event {
      case .record(let record): readers.take(record)
      case .group(let ended): finish(group: ended, isKept: isKept)
      case .outcome(let ended, let isStored, let isKeeping):
        finish(ended, isStored: isStored, isKeeping: isKeeping, isKept: isKept)
      }
    }
    return isKept
  }

  /// Writes the outcomes given to the journal; false if that fails.
  func commitJournal() -> Bool {
    guard let journal else { return true }
    do throws(JournalError) {
      try journal.commit()
      return true
    } catch {
      // If outcomes cannot be stored, the run ends; the reason is reported at the end.
      control.endUnstored()
      return false
    }
  }

  /// Whether an operation has executed and ended by itself, or by its own timeout, in this run.
  ///
  /// Only such an operation is in the job log and in the folder of results: GNU parallel's
  /// `--resume` does not execute again what it finds there.
  private func hasEnded(_ settlement: Settlement, _ record: EndRecord) -> Bool {
    guard !record.isResumed, record.started != nil || settlement.cause == .answer else {
      return false
    }
    return isFinal(settlement) || settlement.cause == .answer && record.stepsTaken.isEmpty
  }

  /// Whether an operation has ended as it would have, while nothing more began.
  private func endsByItself(_ settlement: Settlement) -> Bool {
    control.earlyExitCode == .drained && !control.hasCancelled && settlement.cause == .answer
  }

  /// Whether an outcome is final.
  ///
  /// An operation that never executed, or that did not succeed because the whole run was ended, is
  /// executed when the run is resumed.
  func isFinal(_ settlement: Settlement) -> Bool {
    if control.isEnding { return settlement.ending == .succeeded || endsByItself(settlement) }
    switch settlement.cause {
    case .answer, .timeout, .request, .workerDied, .mayHaveBegun, .violation, .quarantined:
      return true
    case .dependency, .member, .noWorker, .unservedKind, .condition, .input: return false
    }
  }
}
