import PoolInputs

/// The options for help and version.
enum ReferenceOption: CaseIterable {
  case help
  case version

  var row: OptionRow {
    switch self {
    case .help:
      OptionRow("-h, --help", "print this text")
    case .version:
      OptionRow("--version", "print the version")
    }
  }
}
