import PoolInputs

/// The options for help and version.
enum ReferenceOption: CaseIterable {
  case shortHelp
  case help
  case version

  var row: OptionRow {
    switch self {
    case .shortHelp:
      OptionRow(
        "-h",
        in: .all,
        "print the twenty options of everyday jobs, with examples, on one screen"
      )
    case .help:
      OptionRow("--help", in: .all, "print this text")
    case .version:
      OptionRow("--version", in: .all, "print the version")
    }
  }
}
