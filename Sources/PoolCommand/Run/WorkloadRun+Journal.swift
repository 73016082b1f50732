import PoolInputs
import PoolJournal
import PoolModel
import PoolReports
import PoolSystem

extension WorkloadRun {
  /// Opens the journal of a run, if it has one.
  static func openJournal(
    _ options: SharedOptions,
    _ control: RunControl
  ) throws(JournalError) -> RunJournal? {
    guard let path = options.journal.path else { return nil }
    return try RunJournal(
      path,
      options.journal,
      waiting: { options.complain(text($0, options)) },
      failed: { _ in control.end(as: .output) }
    )
  }

  /// Completes the journal; returns the error line if that fails.
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

  /// The line about outputs that were kept for a later run; nil if there are none.
  static func keptLine(of session: RunSession) -> String? {
    let count = session.journal?.keptCount ?? 0
    guard count > 0, session.options.verbosity != .quiet else { return nil }
    // Outputs that were printed, but are not in the results, are kept, too.
    let results = session.options.results == nil ? "" : ", or not written to the results,"
    let outputs =
      count == 1
      ? "1 output that was not printed\(results) is"
      : "\(count) outputs that were not printed\(results) are"
    return text("\(outputs) kept for --resume", session.options)
  }

  /// How to execute what a signal or the deadline has kept from being executed; nil after other
  /// ends.
  static func continuationLine(of session: RunSession) -> String? {
    let (options, summary) = (session.options, session.readers.summary)
    guard options.verbosity != .quiet, !options.printsJSON else { return nil }
    let continuation = Continuation(
      code: session.control.earlyExitCode,
      succeeded: summary.count(.succeeded),
      hasJournal: session.journal != nil,
      isResumed: options.journal.opening.continues
    )
    return continuation.line(journal: Printable.text(options.journal.path ?? []))
  }

  static func text(_ error: JournalError, _ options: SharedOptions) -> String {
    text(error.message, options)
  }

  private static func text(_ text: String, _ options: SharedOptions) -> String {
    "opool: \(Printable.text(options.journal.path ?? [])): \(Printable.text(text))"
  }
}
