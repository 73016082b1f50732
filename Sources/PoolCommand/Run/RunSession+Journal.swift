import OperationPool
import PoolCore
import PoolEvents
import PoolJournal
import PoolModel

// With a journal, an outcome counts only once the journal has it.

extension RunSession {
  /// Whether the journal keeps an outcome: one on which a later run may rely.
  func isKept(_ settlement: Settlement, _ record: SettledRecord) -> Bool {
    journal != nil && isFinal(settlement) && !record.isResumed
  }

  /// The targets that get the value of an operation of this run.
  func readers(
    of settlement: Settlement,
    _ record: SettledRecord,
    _ outputs: OutputPair
  ) -> TargetRoles {
    var readers: TargetRoles = []
    if folder == nil, !outputs.isEmpty { readers.insert(.streams) }
    guard hasResults || hasJobLog else { return readers }
    let hasEnded = hasEnded(settlement, record)
    if hasResults, folder == nil || hasEnded { readers.insert(.results) }
    // What the journal does not keep is executed, and logged, by a later run.
    let isLogged = hasEnded && (journal == nil || isFinal(settlement))
    if hasJobLog, isLogged { readers.insert(.jobLog) }
    return readers
  }

  /// The run in the lines of results; the same in each run of a journal.
  var runIdentifier: [UInt8] { journal?.runIdentifier ?? identifier.hex }

  /// Calls the closure when the journal has everything given to it, or could not be written.
  ///
  /// The argument says which. It is called at once if there is no journal, or if nothing was given to
  /// it in this turn: the first turn of a resumed run may have millions of outcomes that it has.
  func whenKept(_ body: @escaping @Sendable (_ isKept: Bool) -> Void) {
    guard let journal, mustWait(isKeeping: false) else { return body(true) }
    journal.afterCommit(body)
  }

  /// Whether what follows an outcome has to wait for the journal's next commit.
  func mustWait(isKeeping: Bool) -> Bool {
    guard let journal else { return false }
    return isKeeping || journal.hasDeferred || control.earlyExitCode != nil
  }

  func finishTurn() {
    if endings.count > 0 { endings.advance() }
    guard let journal else { return }
    let isKept = commitJournal()
    for body in journal.takeDeferred() { body(isKept) }
  }

  /// Writes the outcomes given to the journal; false if that fails.
  func commitJournal() -> Bool {
    guard let journal else { return true }
    do throws(JournalError) {
      try journal.commit()
      return true
    } catch {
      // If outcomes cannot be stored, the run ends; the reason is reported at the end.
      if control.earlyExitCode == nil { control.end(as: .output) }
      return false
    }
  }

  /// Whether an outcome is final.
  ///
  /// An operation that never executed, or that did not succeed because the whole run was ended, is
  /// executed when the run is resumed.
  func isFinal(_ settlement: Settlement) -> Bool {
    if control.earlyExitCode != nil { return settlement.ending == .succeeded }
    switch settlement.cause {
    case .answer, .timeout, .request, .workerDied, .violation, .quarantined: return true
    case .dependency, .member, .noWorker, .unservedKind, .condition, .input: return false
    }
  }
}
