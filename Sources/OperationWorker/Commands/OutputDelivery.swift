import PoolModel
import PoolSystem
import PoolWire

/// Delivers the outputs of a command that has ended: within its answer, as open files, or ahead
/// of the answer in chunks; or the rest of those that were sent while it executed.
struct OutputDelivery {
  let reference: DispatchReference
  let connection: CoordinatorConnection
  let executor: CommandExecutor

  /// What an answer says of outputs.
  struct Outputs {
    var output: OutputReference?
    var error: OutputReference?
    /// How much was written to outputs that are over their limits.
    var written = WrittenCounts()
    /// Why an output is not whole.
    var obstacles: [String] = []
  }

  /// Takes what is left of the outputs, also from processes that the command has left behind.
  func deliver(_ outputs: CommandOutputs) -> Outputs {
    switch outputs {
    case .gathered(_, _, let gatherer): return deliver(from: gatherer)
    case .pipes:
      let rest = executor.reader.end(late)
      return Outputs(
        output: rest.output.isEmpty ? nil : .inline(rest.output),
        error: rest.error.isEmpty ? nil : .inline(rest.error)
      )
    case .streams: return Outputs()
    }
  }

  private var late: LateOutput {
    LateOutput(of: reference, in: connection, dropping: executor.lateOutputs)
  }

  private func deliver(from gatherer: OutputGatherer) -> Outputs {
    let late = late
    gatherer.finish(within: late.grace, isWanted: late.isWanted, isBusy: late.isBusy)
    if gatherer.takeNothing() { return Outputs() }
    let gathered = gatherer.take()
    late.leave(gathered.open)
    var outputs = Outputs()
    outputs.written.output = gathered.output.writtenCount
    outputs.written.error = gathered.error.writtenCount
    outputs.output = deliver(gathered.output, isError: false, &outputs.obstacles)
    outputs.error = deliver(gathered.error, isError: true, &outputs.obstacles)
    return outputs
  }

  /// The output, or nil and the obstacle.
  private func deliver(
    _ output: GatheredContent,
    isError: Bool,
    _ obstacles: inout [String]
  ) -> OutputReference? {
    if let failure = output.failure { obstacles.append("its output is cut short: \(failure)") }
    switch output.place {
    case .memory(let bytes): return deliver(bytes, isError: isError)
    case .file(let file, let byteCount):
      do throws(SystemFailure) {
        return try deliver(file, byteCount, isError: isError)
      } catch {
        obstacles.append("its output cannot be read: \(error)")
        return nil
      }
    }
  }

  private func deliver(_ bytes: [UInt8], isError: Bool) -> OutputReference? {
    if bytes.count <= AnswerLimit.inlineOutput { return bytes.isEmpty ? nil : .inline(bytes) }
    // Without a file, as on a full disk, it goes into frames.
    if acceptsFiles, let file = try? TemporaryFile.open(holding: bytes) {
      connection.keep(file, for: reference)
      return .file(descriptor: file, byteCount: Int64(bytes.count))
    }
    var rest = bytes[...]
    while !rest.isEmpty {
      send(Array(rest.prefix(AnswerLimit.outputChunk)), isError: isError)
      rest = rest.dropFirst(AnswerLimit.outputChunk)
    }
    return nil
  }

  private func deliver(
    _ file: Int32,
    _ byteCount: Int64,
    isError: Bool
  ) throws(SystemFailure) -> OutputReference? {
    if acceptsFiles {
      connection.keep(file, for: reference)
      return .file(descriptor: file, byteCount: byteCount)
    }
    defer { Descriptors.close(file) }
    try SystemIO.forEachPiece(of: file, 0..<byteCount, size: AnswerLimit.outputChunk) { piece in
      send(Array(piece), isError: isError)
    }
    return nil
  }

  private var acceptsFiles: Bool { connection.welcome?.acceptsFiles ?? false }

  private func send(_ bytes: [UInt8], isError: Bool) {
    connection.report(
      .output(reference, OutputChunk(isError: isError, bytes: bytes)),
      of: reference
    )
  }
}

extension GatheredContent {
  /// Number of bytes that were read, if not all of them were kept because of a limit.
  fileprivate var writtenCount: Int64? {
    guard failure == nil else { return nil }
    let keptCount =
      switch place {
      case .memory(let bytes): Int64(bytes.count)
      case .file(_, let byteCount): byteCount
      }
    return readCount > keptCount ? readCount : nil
  }
}
