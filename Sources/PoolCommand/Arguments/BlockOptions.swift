/// How the input of `opool map` becomes blocks, each the standard input of one execution.
package struct BlockOptions: Hashable, Sendable {
  /// The size of a block.
  package enum Size: Hashable, Sendable {
    /// At most so many bytes, unless a record has more.
    case bytes(Int)
    /// So many blocks for each operation that executes at the same time.
    case share(Int)
  }

  /// Whether the blocks are parts of a file, of which only the surroundings of borders are read.
  package var areParts = false
  package var size = Size.bytes(1 << 20)
  /// Number of records of a block; nil for as many as the size allows.
  package var recordCount: Int?
  package var boundary = RecordBoundary.lines
}

/// The values of the options for blocks, as they were given.
struct BlockOptionValues: Hashable {
  var isPipe = false
  var isPipePart = false
  var size: BlockOptions.Size?
  var recordCount: Int?
  var recordStart: [UInt8]?
  var recordEnd: [UInt8]?

  /// How the input becomes blocks; nil if it does not.
  ///
  /// Throws where options exclude each other.
  func checked(hasArguments: Bool) throws(UsageError) -> BlockOptions? {
    guard isPipe || isPipePart else {
      try refuseStrays()
      return nil
    }
    if hasArguments {
      throw usage("inputs after ':::' are no blocks", "give them with --pipe on standard input")
    }
    if recordCount != nil, isPipePart {
      throw usage("-N counts records, which --pipepart does not read", "write --pipe instead")
    }
    if case .share = size, !isPipePart {
      throw usage(
        "a number of blocks for each slot needs the size of a file",
        "write --pipepart, or a --block of bytes"
      )
    }
    var options = BlockOptions()
    options.areParts = isPipePart
    options.size = size ?? options.size
    options.recordCount = recordCount
    options.boundary = boundary
    return options
  }

  /// With a start alone, no end is needed.
  private var boundary: RecordBoundary {
    let end = recordEnd ?? (recordStart == nil ? [UInt8(ascii: "\n")] : [])
    return RecordBoundary(end: end, start: recordStart ?? [])
  }

  /// Refuses options that say nothing without blocks.
  private func refuseStrays() throws(UsageError) {
    let strays: [(BlockOption, Bool)] = [
      (.block, size != nil), (.records, recordCount != nil),
      (.recordStart, recordStart != nil), (.recordEnd, recordEnd != nil),
    ]
    guard let stray = strays.first(where: \.1)?.0 else { return }
    throw usage(
      "\(Option.blocks(stray).spelling) is for blocks",
      "write --pipe, or --pipepart, with it"
    )
  }

  private func usage(_ message: String, _ hint: String) -> UsageError {
    UsageError(message, hint: hint, topic: .map)
  }
}
