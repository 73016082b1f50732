/// With what the command exits, and what each code means to a script.
package enum ExitCode: Int32, Sendable, CaseIterable {
  /// Every operation succeeded.
  case success = 0
  /// At least one operation did not succeed.
  case operationsFailed = 1
  /// The arguments make no sense.
  case usage = 2
  /// The manifest is not valid; nothing was executed.
  case manifest = 3
  /// No worker could be started, or none kept to the protocol.
  case workers = 4
  /// Output or results could not be written, or the journal not be used.
  case output = 5
  /// The run took longer than its deadline; the code of `timeout`.
  case deadline = 124
  /// Drained after SIGHUP: 128 and the signal's number, as shells count.
  case hungUp = 129
  /// Interrupted by SIGINT: 128 and the signal's number, as shells count.
  case interrupted = 130
  /// Ended at once by SIGQUIT: 128 and the signal's number.
  case quit = 131
  /// Nobody reads the standard output any more: 128 and SIGPIPE's number.
  case closedOutput = 141
  /// Ended by SIGTERM: 128 and the signal's number.
  case terminated = 143
}
