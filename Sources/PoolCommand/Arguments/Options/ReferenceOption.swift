import PoolInputs

/// The options for help and version.
enum ReferenceOption: CaseIterable {
  case shortHelp
  case help
  case version

  var row: OptionRow {
    switch self {
    case .shortHelp:
      OptionRow("-h", "print the twenty options of everyday jobs, with examples, on one screen")
    case .help:
      OptionRow("--help", "print this text")
    case .version:
      OptionRow("--version", "print the version")
    }
  }
}
