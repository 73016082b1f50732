import PoolInputs
import PoolText

/// The options for inputs that are blocks of a stream or a file.
enum BlockOption: CaseIterable {
  case pipe
  case pipePart
  case block
  case recordStart
  case recordEnd

  var row: OptionRow {
    switch self {
    case .pipe:
      OptionRow(
        "--pipe",
        in: .map,
        """
        cut standard input, or the file of -a, into blocks of whole records, and give each block \
        to one execution of the command as its standard input
        """
      )
    case .pipePart:
      OptionRow(
        "--pipepart",
        in: .map,
        """
        like --pipe, with a regular file, which is cut near multiples of the size: opool reads it \
        only there
        """
      )
    case .block:
      OptionRow(
        "--block SIZE",
        in: .map,
        """
        size of a block in bytes (1M), with K, M, G, T or P for powers of 1024, and k, m, g, t \
        or p for those of 1000. A record that is longer makes its block longer. With --pipepart, \
        -N makes N blocks for each operation that can execute at the same time
        """
      )
    case .recordStart:
      OptionRow(
        "--recstart TEXT",
        in: .map,
        "records start with TEXT, in which \\n, \\t, \\r, \\0, \\xHH and \\\\ mean what they do in C"
      )
    case .recordEnd:
      OptionRow(
        "--recend TEXT",
        in: .map,
        """
        records end with TEXT: by default \\n, or the end of -0 or -d; nothing with --recstart. \
        With both, a record ends where the end text is followed by the start text. If both are \
        empty, a record may end anywhere
        """
      )
    }
  }
}

extension BlockOptionValues {
  /// Stores the value of an option.
  mutating func set(_ option: BlockOption, to value: OptionValue) throws(UsageError) {
    switch option {
    case .pipe: isPipe = true
    case .pipePart: isPipePart = true
    case .block: size = try value.blockSize()
    case .recordStart: recordStart = try value.recordText()
    case .recordEnd: recordEnd = try value.recordText()
    }
  }
}

extension OptionValue {
  /// A number of bytes; if negative, a number of blocks for each slot.
  fileprivate func blockSize() throws(UsageError) -> BlockOptions.Size {
    if let count = DecimalParser.integer(bytes), (-10_000 ... -1).contains(count) {
      return .share(-count)
    }
    guard let size = ByteSize.parse(bytes) else {
      throw failure("--block needs a size such as 64K or 10M, or with --pipepart -1 to -10000")
    }
    return .bytes(size)
  }

  /// A text with escapes.
  fileprivate func recordText() throws(UsageError) -> [UInt8] {
    guard let text = BackslashEscapes.plain(bytes), text.count <= RecordBoundary.textLimit else {
      throw failure(
        "\(option.spelling) needs a text of at most \(RecordBoundary.textLimit) bytes",
        hint: "a backslash is followed by n, t, r, 0, xHH or another backslash"
      )
    }
    return text
  }
}
