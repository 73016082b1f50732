import PoolReports
import PoolSystem

/// Decides how a run shows its progress.
struct ProgressChoice {
  /// The user's request; nil without one.
  var request: ProgressStyle?
  var isQuiet = false
  /// Whether commands write to the terminal themselves.
  var isUngrouped = false
  var isErrorTerminal = false
  /// The type of the terminal, from TERM.
  var terminalType: [UInt8]?
  var isOutputPipe = false

  /// What is shown while the process is in the foreground of its terminal.
  ///
  /// A process that reads our pipe may use the terminal itself, as pagers do; shells show the
  /// output of a pipeline's end.
  var style: ProgressStyle {
    guard isErrorTerminal, Terminal.movesCursor(type: terminalType) else { return .hidden }
    return request ?? (isQuiet || isOutputPipe || isUngrouped ? .hidden : .block)
  }
}

extension SharedOptions {
  /// Whether the standard error is a terminal that could show the progress.
  var hasLiveTerminal: Bool {
    Descriptors.isTerminal(2)
      && Terminal.movesCursor(type: ProcessEnvironment.current.value(of: "TERM"))
  }

  /// How this process's standard streams show the progress.
  var progressStyle: ProgressStyle {
    ProgressChoice(
      request: progress,
      isQuiet: verbosity == .quiet,
      isUngrouped: display.isUngrouped,
      isErrorTerminal: Descriptors.isTerminal(2),
      terminalType: ProcessEnvironment.current.value(of: "TERM"),
      isOutputPipe: Descriptors.isPipe(1)
    ).style
  }

  /// Whether this process's standard streams show the progress.
  var showsProgress: Bool { progressStyle != .hidden }
}
