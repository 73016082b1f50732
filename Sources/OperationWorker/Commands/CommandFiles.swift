import PoolModel
import PoolSystem
import PoolWire

/// The files of one command: what it reads, and where its two outputs go.
struct CommandFiles {
  /// The text for the command, or `/dev/null`.
  let input: Int32
  let output: Int32
  let error: Int32
}

/// Makes the files of commands, and keeps those that can serve another one.
///
/// An output file serves again where nothing was written to it and no process has it open: most
/// commands print nothing, and making a file costs more than all else that a worker asks of the
/// system for a command, save starting it.
final class CommandFileCache: Sendable {
  private struct State {
    /// Open on `/dev/null`, which all commands without an input share.
    var null: Int32?
    var outputs: [Int32] = []
    /// Known from the first outputs on.
    var room: OutputRoom?
  }

  private let state = Monitor(State())

  /// Files for a command that reads these bytes.
  func files(input bytes: [UInt8]) throws(SystemFailure) -> CommandFiles {
    let input = try bytes.isEmpty ? null() : TemporaryFile.open(holding: bytes)
    var outputs: [Int32] = []
    do throws(SystemFailure) {
      outputs.append(try output())
      outputs.append(try output())
    } catch {
      close(input: input)
      for file in outputs { Descriptors.close(file) }
      throw error
    }
    return CommandFiles(input: input, output: outputs[0], error: outputs[1])
  }

  /// Takes back all files of a command that was not started.
  func takeBack(_ files: CommandFiles) {
    close(input: files.input)
    takeBack(output: files.output, isOurs: true)
    takeBack(output: files.error, isOurs: true)
  }

  /// Why files of outputs may lack some of what was written to them, if so.
  func shortage(of outputs: [OutputFileSize]) -> SystemFailure? {
    guard let first = outputs.first else { return nil }
    let room = state.withLock { state in
      let room = state.room ?? OutputRoom(of: first.file)
      state.room = room
      return room
    }
    return room.shortage(of: outputs)
  }

  /// Closes what a command read, unless others are to read it, too.
  func close(input: Int32) {
    guard input != state.withLock({ $0.null }) else { return }
    Descriptors.close(input)
  }

  /// Takes back a file of outputs that needs to be read no more.
  ///
  /// `isOurs` says that no other process has it open.
  func takeBack(output: Int32, isOurs: Bool) {
    guard isOurs, TemporaryFile.isUntouched(output) else { return Descriptors.close(output) }
    state.withLock { $0.outputs.append(output) }
  }

  private func output() throws(SystemFailure) -> Int32 {
    if let kept = state.withLock({ $0.outputs.popLast() }) { return kept }
    return try TemporaryFile.open()
  }

  private func null() throws(SystemFailure) -> Int32 {
    if let null = state.withLock({ $0.null }) { return null }
    let opened = try Descriptors.openNull()
    state.withLock { $0.null = opened }
    return opened
  }
}

/// Delivers the outputs of a command that has ended: within its answer, as open files, or ahead
/// of the answer in chunks.
struct OutputDelivery {
  let reference: DispatchReference
  let connection: WorkerConnection
  let cache: CommandFileCache
  /// Whether every process that the command has started has ended.
  let isAlone: Bool

  /// The answer with the outputs; no file is needed afterwards, save those that it names.
  func answer(
    _ files: CommandFiles,
    failure: Failure?,
    usage: PoolResourceUsage,
    stepsTaken: [TeardownStepTaken]
  ) -> Answer {
    cache.close(input: files.input)
    let sizes = [files.output, files.error].compactMap { try? OutputFileSize($0) }
    let shortage = cache.shortage(of: sizes)
    let output = Result { () throws(SystemFailure) in try deliver(files.output, isError: false) }
    let error = Result { () throws(SystemFailure) in try deliver(files.error, isError: true) }
    var obstacles: [String] = []
    if let shortage { obstacles.append("its output may be cut short: \(shortage)") }
    for case .failure(let obstacle) in [output, error] {
      obstacles.append("its output cannot be read: \(obstacle)")
    }
    return Answer(
      failure: Self.failure(failure, obstacles),
      usage: usage,
      standardOutput: (try? output.get()) ?? nil,
      standardError: (try? error.get()) ?? nil,
      stepsTaken: stepsTaken
    )
  }

  /// One reason does not hide the other.
  private static func failure(_ failure: Failure?, _ obstacles: [String]) -> Failure? {
    guard !obstacles.isEmpty else { return failure }
    let message = obstacles.joined(separator: "; ")
    guard var failure else { return Failure(cause: .error, message: message) }
    failure.message += "; \(message)"
    return failure
  }

  private func deliver(_ file: Int32, isError: Bool) throws(SystemFailure) -> OutputReference? {
    var isKept = false
    defer { if !isKept { cache.takeBack(output: file, isOurs: isAlone) } }
    let size = try Descriptors.size(of: file)
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
      // Something that the command left behind may have cut its file short.
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
