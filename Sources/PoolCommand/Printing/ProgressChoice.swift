import PoolSystem

/// Whether a run keeps a progress line.
struct ProgressChoice {
  /// What the user has said; nil where nothing was.
  var request: Bool?
  var isQuiet = false
  var isErrorTerminal = false
  /// The type of the terminal, as TERM has it.
  var terminalType: [UInt8]?
  var isOutputPipe = false

  /// Whether there is a line, as long as the process is in the foreground of its terminal.
  ///
  /// What reads a pipe may use the terminal itself, as pagers do, and shells show what is at a
  /// pipeline's end.
  var isShown: Bool {
    guard isErrorTerminal, Terminal.movesCursor(type: terminalType) else { return false }
    return request ?? !(isQuiet || isOutputPipe)
  }
}

extension SharedOptions {
  /// Whether there is a progress line beside this process's standard streams.
  var showsProgress: Bool {
    ProgressChoice(
      request: progress,
      isQuiet: verbosity == .quiet,
      isErrorTerminal: Descriptors.isTerminal(2),
      terminalType: ProcessEnvironment.current.value(of: "TERM"),
      isOutputPipe: Descriptors.isPipe(1)
    ).isShown
  }
}
