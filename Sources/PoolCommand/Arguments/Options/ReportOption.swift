import PoolInputs

/// The options of `opool report`.
enum ReportOption: CaseIterable {
  case page
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
    case .other: other = try value.path()
    }
  }
}
