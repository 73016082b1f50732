import PoolJournal
import PoolSystem

extension BatchRun {
  /// Opens the journal of a run that is to have one.
  static func openJournal(
    _ options: SharedOptions,
    _ control: RunControl
  ) throws(JournalError) -> RunJournal? {
    guard let path = options.journal.path else { return nil }
    return try RunJournal(
      path,
      options.journal,
      waiting: { CurrentProcess.complain(text($0, options)) },
      failed: { _ in control.end(as: .output) }
    )
  }

  /// Sees to it that the journal has everything; returns what to say where it has not.
  static func endJournal(of session: RunSession) -> String? {
    do throws(JournalError) {
      try session.journal?.close()
      return nil
    } catch {
      var error = error
      let lostCount = session.journal?.lostCount ?? 0
      if lostCount > 0 { error.message += "; outcomes that may be missing: \(lostCount)" }
      return text(error, session.options)
    }
  }

  /// Says what was not printed, and is kept for a later run; nil where nothing is.
  static func keptLine(of session: RunSession) -> String? {
    let count = session.journal?.keptCount ?? 0
    guard count > 0, session.options.verbosity != .quiet else { return nil }
    // What was printed and is not in the results is kept, too.
    let results = session.options.results == nil ? "" : ", or not written to the results,"
    let outputs =
      count == 1
      ? "1 output that was not printed\(results) is"
      : "\(count) outputs that were not printed\(results) are"
    return text("\(outputs) kept for --resume", session.options)
  }

  static func text(_ error: JournalError, _ options: SharedOptions) -> String {
    text(error.message, options)
  }

  private static func text(_ text: String, _ options: SharedOptions) -> String {
    "opool: \(Printable.text(options.journal.path ?? [])): \(Printable.text(text))"
  }
}
