import PoolSystem
import PoolWire

/// The files of one command: its input and its two outputs.
struct CommandFiles {
  let input: CommandStandardInput
  let outputs: CommandOutputs
}

/// Makes the files of commands.
final class CommandFileCache: Sendable {
  /// A descriptor of `/dev/null`, which all commands without an input share.
  private let shared = Monitor<Int32?>(nil)

  /// Makes the files for a command with this input; the closure makes its outputs.
  ///
  /// `widens` lets the pipe of the input be widened.
  func files(
    input: CommandPayload.StandardInput,
    widens: Bool,
    outputs: () throws(SystemFailure) -> CommandOutputs
  ) throws(SystemFailure) -> CommandFiles {
    let input = try CommandStandardInput(input, widens: widens, null: null)
    do throws(SystemFailure) {
      return CommandFiles(input: input, outputs: try outputs())
    } catch {
      input.close()
      throw error
    }
  }

  private func null() throws(SystemFailure) -> Int32 {
    if let null = shared.withLock({ $0 }) { return null }
    let opened = try Descriptors.openNull()
    shared.withLock { $0 = opened }
    return opened
  }
}
