import PoolModel
import PoolSystem
import PoolWire

/// Delivers the outputs of a command that has ended: within its answer, as open files, or ahead
/// of the answer in chunks; or the rest of those that were sent while it executed.
struct OutputDelivery {
  let reference: DispatchReference
  let connection: CoordinatorConnection
  let cache: CommandFileCache
  let reader: LiveOutputReader
  /// Whether all processes of the command have ended.
  let isAlone: Bool

  /// The answer with the outputs; of the files, only those that it names are needed afterwards.
  func answer(
    _ files: CommandFiles,
    failure: Failure?,
    usage: PoolResourceUsage,
    stepsTaken: [TeardownStepTaken]
  ) -> Answer {
    var obstacles = [files.input.writer?.failure].compactMap(\.self)
    let outputs = deliver(files.outputs, &obstacles)
    return Answer(
      failure: Failure.joining(failure, obstacles),
      usage: usage,
      standardOutput: outputs.output,
      standardError: outputs.error,
      stepsTaken: stepsTaken
    )
  }

  private func deliver(
    _ outputs: CommandOutputs,
    _ obstacles: inout [String]
  ) -> (output: OutputReference?, error: OutputReference?) {
    switch outputs {
    case .files(let output, let error): return deliver(output, error, &obstacles)
    case .pipes:
      let rest = reader.end(connection, isAlone: isAlone)
      return (
        rest.output.isEmpty ? nil : .inline(rest.output),
        rest.error.isEmpty ? nil : .inline(rest.error)
      )
    case .streams: return (nil, nil)
    }
  }

  private func deliver(
    _ outputFile: Int32,
    _ errorFile: Int32,
    _ obstacles: inout [String]
  ) -> (output: OutputReference?, error: OutputReference?) {
    let output = status(of: outputFile, &obstacles)
    let error = status(of: errorFile, &obstacles)
    if let shortage = cache.shortage(of: output, error) {
      obstacles.append("its output may be cut short: \(shortage)")
    }
    return (
      output.flatMap { deliver($0, isError: false, &obstacles) },
      error.flatMap { deliver($0, isError: true, &obstacles) }
    )
  }

  /// What the system tells of a file; closes it, and names the obstacle, if it tells nothing.
  private func status(of file: Int32, _ obstacles: inout [String]) -> OutputFileStatus? {
    do throws(SystemFailure) {
      return try OutputFileStatus(file)
    } catch {
      Descriptors.close(file)
      obstacles.append("its output cannot be read: \(error)")
      return nil
    }
  }

  /// The output, or nil and the obstacle.
  private func deliver(
    _ output: OutputFileStatus,
    isError: Bool,
    _ obstacles: inout [String]
  ) -> OutputReference? {
    do throws(SystemFailure) {
      return try deliver(output, isError: isError)
    } catch {
      obstacles.append("its output cannot be read: \(error)")
      return nil
    }
  }

  private func deliver(
    _ output: OutputFileStatus,
    isError: Bool
  ) throws(SystemFailure) -> OutputReference? {
    var isKept = false
    defer { if !isKept { cache.takeBack(output, isOurs: isAlone) } }
    let (file, size) = (output.file, output.size)
    guard size > 0 else { return nil }
    if size <= AnswerLimit.inlineOutput {
      return .inline(try chunk(of: file, from: 0, count: Int(size)))
    }
    if connection.welcome?.acceptsFiles ?? false {
      connection.keep(file, for: reference)
      isKept = true
      return .file(descriptor: file, byteCount: size)
    }
    try sendChunks(of: file, size: size, isError: isError)
    return nil
  }

  private func sendChunks(of file: Int32, size: Int64, isError: Bool) throws(SystemFailure) {
    var offset: Int64 = 0
    while offset < size {
      let count = Int(min(size - offset, Int64(AnswerLimit.outputChunk)))
      let bytes = try chunk(of: file, from: offset, count: count)
      // A process that the command left behind may have truncated its file.
      guard !bytes.isEmpty else { return }
      let output = OutputChunk(isError: isError, bytes: bytes)
      connection.report(.output(reference, output), of: reference)
      offset += Int64(bytes.count)
    }
  }

  /// At most that many bytes; fewer at the end of the file.
  private func chunk(
    of file: Int32,
    from offset: Int64,
    count: Int
  ) throws(SystemFailure) -> [UInt8] {
    var failure: SystemFailure?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(SystemFailure) {
        while filled < count {
          let rest = UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[filled..<count]
          )
          guard
            case .bytes(let read) = try SystemIO.read(
              file,
              into: rest,
              from: offset + Int64(filled)
            )
          else { return }
          filled += read
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}
