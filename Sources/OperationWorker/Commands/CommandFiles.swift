import PoolSystem
import PoolWire

/// The files of one command: its input and its two outputs.
struct CommandFiles {
  let input: CommandStandardInput
  let output: Int32
  let error: Int32
}

/// Makes the files of commands, and caches those that another command can use.
///
/// An output file is used again if nothing was written to it and no process has it open. Most
/// commands print nothing, and making a file costs more than any other system call for a command,
/// except starting it.
final class CommandFileCache: Sendable {
  private struct State {
    /// A descriptor of `/dev/null`, which all commands without an input share.
    var null: Int32?
    var outputs: [Int32] = []
    /// Known after the first outputs.
    var room: OutputRoom?
  }

  private let state = Monitor(State())

  /// Makes or reuses the files for a command with this input.
  func files(input: CommandPayload.StandardInput) throws(SystemFailure) -> CommandFiles {
    let input = try CommandStandardInput(input, null: null)
    var outputs: [Int32] = []
    do throws(SystemFailure) {
      outputs.append(try output())
      outputs.append(try output())
    } catch {
      input.close()
      for file in outputs { Descriptors.close(file) }
      throw error
    }
    return CommandFiles(input: input, output: outputs[0], error: outputs[1])
  }

  /// Takes back all files of a command that was not started.
  func takeBack(_ files: CommandFiles) {
    files.input.close()
    takeBack(output: files.output, isOurs: true)
    takeBack(output: files.error, isOurs: true)
  }

  /// Why files of outputs may lack some of what was written to them; nil if they are complete.
  func shortage(of outputs: [OutputFileSize]) -> SystemFailure? {
    guard let first = outputs.first else { return nil }
    let room = state.withLock { state in
      let room = state.room ?? OutputRoom(of: first.file)
      state.room = room
      return room
    }
    return room.shortage(of: outputs)
  }

  /// Takes back a file of outputs that need not be read any more.
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
