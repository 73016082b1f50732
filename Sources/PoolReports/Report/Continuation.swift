package import PoolInputs

/// What a user can do with a run that a signal or the deadline has ended.
package struct Continuation {
  /// The exit code of the end; nil if the run ended by itself.
  var code: ExitCode?
  /// Number of operations that have succeeded.
  var succeeded: Int
  var hasJournal: Bool
  /// Whether the command line continues a journal already.
  var isResumed: Bool

  package init(code: ExitCode?, succeeded: Int, hasJournal: Bool, isResumed: Bool) {
    (self.code, self.succeeded) = (code, succeeded)
    (self.hasJournal, self.isResumed) = (hasJournal, isResumed)
  }

  /// The line for standard error; nil where there is nothing to continue.
  package func line(journal: String) -> String? {
    guard let code, Self.codes.contains(code) else { return nil }
    if hasJournal {
      let command = isResumed ? "the same command again" : "the same command with --resume"
      return "opool: \(journal) keeps what has ended: \(command) executes the rest"
    }
    guard succeeded > 0 else { return nil }
    return "opool: nothing keeps what has ended: with --journal FILE, "
      + "--resume would execute only the rest"
  }

  private static let codes: [ExitCode] = [
    .interrupted, .terminated, .hungUp, .quit, .deadline, .drained,
  ]
}
