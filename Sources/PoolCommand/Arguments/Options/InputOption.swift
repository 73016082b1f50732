import PoolInputs
import PoolText

/// The options for inputs of `opool map`.
enum InputOption: CaseIterable {
  case null
  case delimiter
  case replacement
  case argumentFile
  case batchSize
  case replacedCount
  case lineCount
  case fill
  case fillPlain
  case commandSize
  case columns
  case header
  case shard
  case unsafeNested

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
    case .replacement:
      OptionRow(
        "-I R",
        in: .map,
        """
        R stands for the input in the command, and braces for themselves, as in xargs: -I % echo \
        '{{.Name}}' %
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
      OptionRow(
        "-n, --max-args N",
        in: .map,
        "give N inputs to each execution (1); 0 executes the command for each, without it"
      )
    case .replacedCount:
      OptionRow(
        "-N, --max-replace-args N",
        in: .map,
        """
        like -n, and repeat a word with {} for each input: a{}b becomes a1b a2b. With --pipe, N \
        records in each block, whatever its size
        """
      )
    case .lineCount:
      OptionRow(
        "-L, --max-lines N",
        in: .map,
        "like -N, but empty lines do not count, and a line that ends in a blank goes on in the next"
      )
    case .fill:
      OptionRow(
        "-X",
        in: .map,
        """
        give each execution as many inputs as fit into its command; the last inputs are divided \
        among the free slots. A word with {} is repeated for each input
        """
      )
    case .fillPlain:
      OptionRow("-m", in: .map, "like -X, but only {} itself becomes several words: a1 2b")
    case .commandSize:
      OptionRow(
        "-s, --max-chars BYTES",
        in: .map,
        """
        the longest command (131071); a batch ends before its command would be longer
        """
      )
    case .columns:
      OptionRow(
        "-C, --colsep REGEX",
        in: .map,
        """
        cut each input into columns, which are {1}, {2} …, without the blanks around them, at this \
        extended regular expression, such as , or \\t or '[,;]'
        """
      )
    case .header:
      OptionRow(
        "--header :",
        in: .map,
        "the first input of each source is the names of its columns, for {name}, {name/.} …"
      )
    case .shard:
      OptionRow(
        "--shard I/N",
        in: .map,
        """
        take every N-th input, from the I-th on, so that N runs with I from 1 to N divide the \
        inputs, such as those of a job array: --shard $SLURM_ARRAY_TASK_ID/4
        """
      )
    case .unsafeNested:
      OptionRow(
        "--unsafe-nested",
        in: .map,
        "put any input into texts that another program may read as commands"
      )
    }
  }
}

extension InputOptions {
  /// Stores the value of an option.
  mutating func set(_ option: InputOption, to value: OptionValue) throws(UsageError) {
    switch option {
    case .null: delimiter = 0
    case .delimiter: delimiter = try value.delimiter()
    case .replacement: replacement = try value.replacement()
    case .argumentFile: sources.append(.named(try value.path()))
    case .batchSize: batchValues.count = try value.batchSize()
    case .replacedCount: batchValues.replacedCount = try value.integer(in: 0...Int(Int32.max))
    case .lineCount: batchValues.lineCount = try value.integer(in: 1...1_000_000)
    case .fill: batchValues.fillsAndRepeats = true
    case .fillPlain: batchValues.fills = true
    case .commandSize: batchValues.byteLimit = try value.integer(in: 1...BatchRule.largestCommand)
    case .columns: columns = try value.columns()
    case .header: hasHeader = try value.isHeaderMark()
    case .shard: shard = try value.shard()
    case .unsafeNested: isUnchecked = true
    }
  }
}

extension OptionValue {
  /// Two numbers with a slash between them.
  fileprivate func shard() throws(UsageError) -> InputShard {
    let words = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let numbers = words.map { DecimalParser.integer($0) }
    guard numbers.count == 2, let index = numbers[0], let count = numbers[1],
      let shard = InputShard(index, of: count)
    else { throw failure("--shard needs I/N, with I from 1 to N, such as 2/4") }
    return shard
  }
}
