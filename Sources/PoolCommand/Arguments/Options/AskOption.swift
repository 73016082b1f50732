import PoolInputs
import PoolText

/// The options of the subcommands that ask a run.
enum AskOption: CaseIterable {
  case run
  case watch
  case follow
  case file
  case json

  var row: OptionRow {
    switch self {
    case .run:
      OptionRow("--run PID", in: .asking, "ask the run of this process")
    case .watch:
      OptionRow(
        "--watch",
        in: .status,
        "ask again each second, until the run has ended; of several runs, --run names one"
      )
    case .follow:
      OptionRow(
        "-f, --follow",
        in: .output,
        "print more as it comes, until the operation has ended"
      )
    case .file:
      OptionRow(
        "--from FILE",
        in: .telling,
        """
        ask no run. For 'opool explain', FILE is a journal, or the lines of --events, of which the last
        run counts; for 'opool output' a file of --results, or its folder
        """
      )
    case .json:
      OptionRow("--json", in: .asking, "print lines of JSON")
    }
  }
}

extension AskOptions {
  /// Stores the value of an option.
  mutating func set(_ option: AskOption, to value: OptionValue) throws(UsageError) {
    switch option {
    case .run: process = try value.process()
    case .watch: isWatching = true
    case .follow: isFollowing = true
    case .file: file = try value.path()
    case .json: printsJSON = true
    }
  }
}

extension OptionValue {
  /// The number of a process.
  fileprivate func process() throws(UsageError) -> Int32 {
    guard let number = DecimalParser.integer(bytes), let process = Int32(exactly: number),
      process > 0
    else { throw failure("--run needs the number of a process") }
    return process
  }
}
