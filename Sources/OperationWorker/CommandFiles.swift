import PoolModel
import PoolSystem
import PoolWire

/// The files of one command: what it reads, and where its two outputs go.
///
/// They are new for each operation: something that an earlier one left behind may still write to
/// its own.
struct CommandFiles {
  /// The text for the command, or `/dev/null`.
  let input: Int32
  let output: Int32
  let error: Int32

  /// Opens the files; the input holds these bytes.
  init(input bytes: [UInt8]) throws(SystemFailure) {
    var opened: [Int32] = []
    do throws(SystemFailure) {
      opened.append(try bytes.isEmpty ? Descriptors.openNull() : TemporaryFile.open(holding: bytes))
      opened.append(try TemporaryFile.open())
      opened.append(try TemporaryFile.open())
    } catch {
      for descriptor in opened { Descriptors.close(descriptor) }
      throw error
    }
    (input, output, error) = (opened[0], opened[1], opened[2])
  }

  /// Closes all three.
  func close() {
    for descriptor in [input, output, error] { Descriptors.close(descriptor) }
  }
}

/// Delivers the outputs of a command that has ended: within its answer, as open files, or ahead
/// of the answer in pieces.
struct OutputDelivery {
  let reference: DispatchReference
  let session: WorkerSession

  /// The answer with the outputs; closes every file that nobody needs any more.
  func answer(
    _ files: CommandFiles,
    failure: Failure?,
    usage: PoolResourceUsage,
    rungs: [RungTaken]
  ) -> Answer {
    Descriptors.close(files.input)
    let output = Result { () throws(SystemFailure) in try deliver(files.output, isError: false) }
    let error = Result { () throws(SystemFailure) in try deliver(files.error, isError: true) }
    var failure = failure
    for case .failure(let obstacle) in [output, error] {
      let message = "its output cannot be read: \(obstacle)"
      // One reason does not hide the other.
      failure?.message += "; \(message)"
      failure = failure ?? Failure(cause: .error, message: message)
    }
    return Answer(
      failure: failure,
      usage: usage,
      standardOutput: (try? output.get()) ?? nil,
      standardError: (try? error.get()) ?? nil,
      rungs: rungs
    )
  }

  private func deliver(_ file: Int32, isError: Bool) throws(SystemFailure) -> OutputReference? {
    var isKept = false
    defer { if !isKept { Descriptors.close(file) } }
    let size = try Descriptors.size(of: file)
    guard size > 0 else { return nil }
    if size <= AnswerLimit.inlineOutput {
      return .inline(try piece(of: file, from: 0, count: Int(size)))
    }
    if session.inbox.withLock({ $0.welcome?.acceptsFiles ?? false }) {
      session.files.keep([file], for: reference)
      isKept = true
      return .file(descriptor: file, byteCount: size)
    }
    try sendPieces(of: file, size: size, isError: isError)
    return nil
  }

  private func sendPieces(of file: Int32, size: Int64, isError: Bool) throws(SystemFailure) {
    var offset: Int64 = 0
    while offset < size {
      let count = Int(min(size - offset, Int64(AnswerLimit.outputChunk)))
      let bytes = try piece(of: file, from: offset, count: count)
      // Something that the command left behind may have cut its file short.
      guard !bytes.isEmpty else { return }
      let chunk = OutputChunk(isError: isError, bytes: bytes)
      session.output.report(.output(reference, chunk), of: reference)
      offset += Int64(bytes.count)
    }
  }

  /// At most that many bytes; fewer at the end of the file.
  private func piece(
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
