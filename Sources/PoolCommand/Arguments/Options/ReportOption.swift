import PoolInputs
import PoolReports

/// The options of `opool report`.
enum ReportOption: CaseIterable {
  case page
  case trace
  case omissions
  case other

  var row: OptionRow {
    switch self {
    case .page:
      OptionRow(
        "--html OUT",
        in: .report,
        """
        write a page for a browser into the file OUT, and print no text. The page needs no \
        network. An existing file is replaced; - is standard output
        """
      )
    case .trace:
      OptionRow(
        "--trace OUT",
        in: .report,
        """
        write the timeline of the run into the file OUT, for ui.perfetto.dev or \
        chrome://tracing, and print no text: the attempts of each slot, what was ready and \
        executing, deaths of workers, and why it took that long. An existing file is replaced; - \
        is standard output
        """
      )
    case .omissions:
      OptionRow(
        "--omit WORDS",
        in: .report,
        """
        leave out of the page, or the trace, what others should not see: commands (also the command line and \
        the folder), outputs (what operations said when they failed), or commands,outputs
        """
      )
    case .other:
      OptionRow(
        "--against OLD",
        in: .report,
        """
        compare the run with the last one in the file OLD: what became slower or faster, and \
        which outcomes have changed
        """
      )
    }
  }
}

extension ReportOptions {
  /// Stores the value of an option.
  mutating func set(_ option: ReportOption, to value: OptionValue) throws(UsageError) {
    switch option {
    case .page: page = try value.path()
    case .trace: trace = try value.path()
    case .omissions: omissions = try value.omissions()
    case .other: other = try value.path()
    }
  }
}

extension OptionValue {
  /// What a list of words leaves out of a page or a trace.
  fileprivate func omissions() throws(UsageError) -> PageOptions.Omissions {
    var omissions: PageOptions.Omissions = []
    for word in bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      switch String(decoding: word, as: UTF8.self) {
      case "commands": omissions.insert(.commands)
      case "outputs": omissions.insert(.outputs)
      default: throw failure("--omit takes 'commands', 'outputs' or 'commands,outputs'")
      }
    }
    return omissions
  }
}
