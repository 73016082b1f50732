import PoolSystem
import PoolWire

/// The files of one command: its input and its two outputs.
struct CommandFiles {
  let input: CommandStandardInput
  let outputs: CommandOutputs
}

/// Makes the files of commands, and caches those that another command can use.
///
/// An output file is used again if no command has written to it or set its flags, and no process
/// has it open. Most commands print nothing, and making a file costs more than any other system
/// call for a command, except starting it.
final class CommandFileCache: Sendable {
  private struct State {
    /// A descriptor of `/dev/null`, which all commands without an input share.
    var null: Int32?
    var outputs: [Int32] = []
    /// Known after the first outputs.
    var room: OutputSpace?
  }

  private let state = Monitor(State())

  /// Makes or reuses the files for a command with this input; the closure makes its outputs.
  func files(
    input: CommandPayload.StandardInput,
    outputs: () throws(SystemFailure) -> CommandOutputs
  ) throws(SystemFailure) -> CommandFiles {
    let input = try CommandStandardInput(input, null: null)
    do throws(SystemFailure) {
      return CommandFiles(input: input, outputs: try outputs())
    } catch {
      input.close()
      throw error
    }
  }

  /// Makes or reuses two files for outputs.
  func outputFiles() throws(SystemFailure) -> CommandOutputs {
    let first = try output()
    do throws(SystemFailure) {
      return .files(output: first, error: try output())
    } catch {
      Descriptors.close(first)
      throw error
    }
  }

  /// Takes back all files of a command that was not started.
  func takeBack(_ files: CommandFiles) {
    files.input.close()
    guard case .files(let output, let error) = files.outputs else { return }
    for file in [output, error] {
      if let status = try? OutputFileStatus(file) {
        takeBack(status, isOurs: true)
      } else {
        Descriptors.close(file)
      }
    }
  }

  /// Why output files may lack bytes that were written to them; nil if they are complete.
  func shortage(of output: OutputFileStatus?, _ error: OutputFileStatus?) -> SystemFailure? {
    guard let first = output ?? error else { return nil }
    let room = state.withLock { state in
      let room = state.room ?? OutputSpace(of: first.file)
      state.room = room
      return room
    }
    return room.shortage(of: first, error)
  }

  /// Takes back a file of outputs that need not be read any more.
  ///
  /// `isOurs` says that no other process has it open.
  func takeBack(_ output: OutputFileStatus, isOurs: Bool) {
    guard isOurs, output.isUntouched else { return Descriptors.close(output.file) }
    state.withLock { $0.outputs.append(output.file) }
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
