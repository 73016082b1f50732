import PoolSystem
import PoolWire

/// The standard input of one command, open.
struct CommandStandardInput {
  /// The command's descriptor 0.
  let descriptor: Int32
  /// Fills the pipe while the command executes; nil for a file.
  let writer: PartWriter?
  /// Whether other commands use the descriptor, too.
  private let isShared: Bool

  /// Opens an input; the closure returns a descriptor of `/dev/null`, which all commands share.
  ///
  /// `widens` lets a pipe be widened.
  init(
    _ input: CommandPayload.StandardInput,
    widens: Bool,
    null: () throws(SystemFailure) -> Int32
  ) throws(SystemFailure) {
    isShared = input == .none
    switch input {
    case .none: (descriptor, writer) = (try null(), nil)
    case .bytes(let bytes): (descriptor, writer) = (try TemporaryFile.open(holding: bytes), nil)
    case .file(let part):
      let file = try Self.open(part.path)
      writer = try part.range.map { range throws(SystemFailure) in
        try PartWriter(of: file, range, widens: widens)
      }
      descriptor = writer?.reader ?? file
    }
  }

  /// Closes this process's descriptor, when the command has its own or was not started.
  func close() {
    if !isShared { Descriptors.close(descriptor) }
  }

  private static func open(_ path: [UInt8]) throws(SystemFailure) -> Int32 {
    do throws(SystemFailure) {
      return try Descriptors.openStoredFile(path: path)
    } catch {
      let reason = "its standard input cannot be opened: \(error.reason)"
      throw SystemFailure(call: "open", code: error.code, explanation: reason)
    }
  }
}

/// Hands a part of a file to a command through a pipe, because a descriptor of a file has a start,
/// but no end.
///
/// The system puts the file's own pages into the pipe: nothing is copied before the command reads.
final class PartWriter: Sendable {
  /// The end of the pipe that the command reads.
  let reader: Int32
  private let fault = Monitor<String?>(nil)

  /// Begins to fill the pipe, and takes the file; a thread of its own waits for the command to
  /// read, if the part is larger than the pipe.
  init(of file: Int32, _ range: Range<Int64>, widens: Bool) throws(SystemFailure) {
    let pipe: Descriptors.PipeEnds
    do throws(SystemFailure) {
      pipe = try Descriptors.pipe()
    } catch {
      Descriptors.close(file)
      throw error
    }
    reader = pipe.read
    if widens { SystemIO.widenPipe(pipe.write, for: range.count) }
    if range.count <= SystemIO.safeRoom(of: pipe.write) {
      send(file, range, to: pipe.write)
      return
    }
    do throws(SystemFailure) {
      try SystemThread.start(name: "opool-stdin", mask: .full) { [self] in
        send(file, range, to: pipe.write)
      }.detach()
    } catch {
      for descriptor in [file, pipe.read, pipe.write] { Descriptors.close(descriptor) }
      throw error
    }
  }

  /// Why the command did not get all of the part, though it would have read it; nil if it did.
  var failure: String? { fault.withLock { $0 } }

  /// Sends the part; a command that does not read it to the end is no failure.
  private func send(_ file: Int32, _ range: Range<Int64>, to pipe: Int32) {
    do throws(SystemFailure) {
      let lacking = try SystemIO.send(file, range, to: pipe, widens: false)
      if lacking > 0 { note("the file was shortened meanwhile, \(lacking) bytes are gone") }
    } catch {
      if !error.isBrokenPipe { note(error.description) }
    }
    Descriptors.close(file)
    // Closed last, so that a failure is noted before the command sees the end.
    Descriptors.close(pipe)
  }

  private func note(_ reason: String) {
    fault.withLock { $0 = "its standard input is incomplete: \(reason)" }
  }
}
