/// The options for outputs, results and reports.
enum OutputOption: CaseIterable {
  case keepOrder
  case results
  case quiet
  case verbose
  case progress
  case noProgress

  var row: OptionRow {
    switch self {
    case .keepOrder:
      OptionRow("-k, --keep-order", "print outputs in the order of the input")
    case .results:
      OptionRow(
        "--results FILE",
        """
        write a JSON line for each operation that has ended; - is standard output
        """
      )
    case .quiet:
      OptionRow("-q, --quiet", "print only errors about the run")
    case .verbose:
      OptionRow("-v, --verbose", "print what happens")
    case .progress:
      OptionRow(
        "--progress",
        """
        show a progress line: the default if standard error is opool's own terminal, in the \
        foreground, TERM is not dumb, and standard output is not a pipe (a pager would use \
        the terminal, too); --progress shows it also with a pipe, as in opool … | tee log, and \
        with -q; 5/12+ and 1:30+ mean that the number may grow
        """
      )
    case .noProgress:
      OptionRow("--no-progress", "show no progress line")
    }
  }
}

extension SharedOptions {
  /// Stores the value of an option.
  mutating func set(_ option: OutputOption, to value: OptionValue) throws(UsageError) {
    switch option {
    case .keepOrder: keepsOrder = true
    case .results: results = try value.path()
    case .quiet: verbosity = .quiet
    case .verbose: verbosity = .verbose
    case .progress: progress = true
    case .noProgress: progress = false
    }
  }
}
