import PoolJournal
import PoolSystem

extension BatchRun {
  /// Opens the journal of a run that is to have one.
  static func openJournal(
    _ options: SharedOptions,
    _ control: RunControl
  ) throws(JournalError) -> RunJournal? {
    guard let path = options.journal.path else { return nil }
    let journal = try RunJournal(path, options.journal) { _ in control.end(as: .output) }
    for warning in journal.warnings where options.verbosity != .quiet {
      CurrentProcess.complain("opool: \(Printable.text(path)): \(warning)")
    }
    return journal
  }

  /// Sees to it that the journal has everything, and says where it has not.
  static func endJournal(of session: RunSession, _ code: ExitCode) -> ExitCode {
    do throws(JournalError) {
      try session.journal?.close()
      return code
    } catch {
      var error = error
      let lostCount = session.journal?.lostCount ?? 0
      if lostCount > 0 { error.message += "; outcomes that may be missing: \(lostCount)" }
      complain(error, session.options)
      return session.control.verdict ?? .output
    }
  }

  static func complain(_ error: JournalError, _ options: SharedOptions) {
    CurrentProcess.complain(
      "opool: \(Printable.text(options.journal.path ?? [])): \(error.message)"
    )
  }
}
