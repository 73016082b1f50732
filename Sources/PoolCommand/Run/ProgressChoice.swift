import PoolReports
import PoolSystem

/// Decides whether a run has a progress line.
struct ProgressChoice {
  /// The user's request; nil without one.
  var request: Bool?
  var isQuiet = false
  /// Whether commands write to the terminal themselves.
  var isUngrouped = false
  var isErrorTerminal = false
  /// The type of the terminal, from TERM.
  var terminalType: [UInt8]?
  var isOutputPipe = false

  /// Whether there is a line while the process is in the foreground of its terminal.
  ///
  /// A process that reads our pipe may use the terminal itself, as pagers do; shells show the
  /// output of a pipeline's end.
  var isShown: Bool {
    guard isErrorTerminal, Terminal.movesCursor(type: terminalType) else { return false }
    return request ?? !(isQuiet || isOutputPipe || isUngrouped)
  }
}

extension SharedOptions {
  /// Whether the standard error is a terminal that could show a progress line.
  var hasLiveTerminal: Bool {
    Descriptors.isTerminal(2)
      && Terminal.movesCursor(type: ProcessEnvironment.current.value(of: "TERM"))
  }

  /// Whether this process's standard streams allow a progress line.
  var showsProgress: Bool {
    ProgressChoice(
      request: progress,
      isQuiet: verbosity == .quiet,
      isUngrouped: display.isUngrouped,
      isErrorTerminal: Descriptors.isTerminal(2),
      terminalType: ProcessEnvironment.current.value(of: "TERM"),
      isOutputPipe: Descriptors.isPipe(1)
    ).isShown
  }
}
