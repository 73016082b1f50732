/// The options for inputs of `opool map`.
enum InputOption: CaseIterable {
  case null
  case delimiter
  case argumentFile
  case batchSize

  var row: OptionRow {
    switch self {
    case .null: OptionRow("-0, --null", in: .map, "a NUL ends each input, as from find -print0")
    case .delimiter:
      OptionRow(
        "-d, --delimiter D",
        in: .map,
        """
        this byte ends each input: a character, or one of \\n \\t \\0 \\xHH (a line feed)
        """
      )
    case .argumentFile:
      OptionRow(
        "-a, --arg-file FILE",
        in: .map,
        """
        read inputs from a file, like ::::; may be repeated, for all combinations; - is the \
        standard input
        """
      )
    case .batchSize:
      OptionRow("-n, --max-args N", in: .map, "give N inputs to each execution (1)")
    }
  }
}

extension InputOptions {
  /// Stores the value of an option.
  mutating func set(_ option: InputOption, to value: OptionValue) throws(UsageError) {
    switch option {
    case .null: delimiter = 0
    case .delimiter: delimiter = try value.delimiter()
    case .argumentFile: sources.append(.named(try value.path()))
    case .batchSize: batchSize = try value.integer(in: 1...1_000_000)
    }
  }
}
