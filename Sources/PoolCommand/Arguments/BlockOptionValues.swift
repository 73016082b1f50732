import PoolInputs

/// The values of the options for blocks, as they were given.
struct BlockOptionValues: Hashable {
  var isPipe = false
  var isPipePart = false
  var size: BlockOptions.Size?
  var recordStart: [UInt8]?
  var recordEnd: [UInt8]?

  /// How the input becomes blocks; nil if it does not.
  ///
  /// Throws where options exclude each other.
  func checked(with inputs: InputOptions) throws(UsageError) -> BlockOptions? {
    guard isPipe || isPipePart else {
      try refuseStrays()
      return nil
    }
    if inputs.effectiveSources.count > 1 {
      throw usage("blocks are of one source", "give one file, or the standard input")
    }
    if case .arguments = inputs.effectiveSources[0].place {
      throw usage("inputs after ':::' are no blocks", "give them with --pipe on standard input")
    }
    if let stray = inputs.batchValues.strayOfBlocks {
      throw usage("\(stray) is for inputs, not for blocks", "write -N for the records of a block")
    }
    if inputs.columns != nil || inputs.hasHeader {
      throw usage("blocks are not cut into columns", "leave --colsep and --header out")
    }
    if inputs.shard != nil {
      throw usage("blocks are not divided among runs", "leave --shard out")
    }
    let recordCount = inputs.batchValues.replacedCount
    if recordCount == 0 { throw usage("a block has at least one record", "write -N 1") }
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
    options.boundary = boundary(lineEnd: inputs.delimiter)
    return options
  }

  /// With a start alone, no end is needed; -0 and -d are an end, too.
  private func boundary(lineEnd: UInt8) -> RecordBoundary {
    let end = recordEnd ?? (recordStart == nil ? [lineEnd] : [])
    return RecordBoundary(end: end, start: recordStart ?? [])
  }

  /// Refuses options that say nothing without blocks.
  private func refuseStrays() throws(UsageError) {
    let strays: [(BlockOption, Bool)] = [
      (.block, size != nil), (.recordStart, recordStart != nil), (.recordEnd, recordEnd != nil),
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
