/// The exit code of the command, and its meaning for a script.
package enum ExitCode: Int32, Sendable, CaseIterable {
  /// Every operation succeeded.
  case success = 0
  /// At least one operation did not succeed.
  case operationsFailed = 1
  /// The arguments are wrong.
  case usage = 2
  /// The manifest is not valid; nothing was executed. If lines are executed as they come, nothing
  /// from the invalid line on was executed.
  case manifest = 3
  /// No worker could be started, or every worker violated the protocol.
  case workers = 4
  /// Could not write output or results, or could not use the journal.
  case output = 5
  /// Ended early by the end of its job of Slurm, or by the signal of `--drain-on`, so that a later
  /// run executes the rest: `EX_TEMPFAIL` of sysexits(3).
  case drained = 75
  /// The run took longer than its deadline; the code of `timeout`.
  case deadline = 124
  /// Drained after SIGHUP: 128 and the signal's number, as shells count.
  case hungUp = 129
  /// Interrupted by SIGINT: 128 and the signal's number, as shells count.
  case interrupted = 130
  /// Ended at once by SIGQUIT: 128 and the signal's number.
  case quit = 131
  /// The reader of the standard output has gone: 128 and SIGPIPE's number.
  case closedOutput = 141
  /// Ended by SIGTERM: 128 and the signal's number.
  case terminated = 143
}
