import PoolModel
import PoolSystem
import PoolWire

/// The inputs of one command: files whose paths are in its environment.
///
/// A file that the coordinator named is passed on; bytes from the frame are written to a folder of
/// this operation.
struct CommandInputs: Sendable {
  /// The variables with the paths.
  private(set) var variables: [CommandPayload.Variable] = []
  /// Made for the first input that needs it.
  private var folder: PrivateFolder?

  /// Writes the files, which exist until ``remove()``; removes them if it throws.
  init(_ inputs: [NamedInput]) throws {
    guard !inputs.isEmpty else { return }
    if let reason = CommandPayload.collision(ofInputs: inputs.lazy.map(\.name)) {
      throw PayloadError(message: reason)
    }
    do throws(SystemFailure) {
      for input in inputs { try place(input) }
    } catch {
      remove()
      throw error
    }
  }

  /// Removes the files, and everything that the command put beside them.
  func remove() { folder?.remove() }

  private mutating func place(_ input: NamedInput) throws(SystemFailure) {
    let variable = CommandPayload.inputVariable(input.name)
    let path: [UInt8]
    switch input.content {
    case .file(let place):
      path = place
    case .json(let bytes), .output(let bytes):
      let folder = try ownFolder()
      // Begins with a number, because names may be empty, long, or have the same visible part.
      let visible = variable.dropFirst(CommandPayload.inputPrefix.count).prefix(64)
      path = try Self.write(bytes, of: input, to: "\(variables.count + 1)-\(visible)", in: folder)
    }
    variables.append(CommandPayload.Variable(name: Array(variable.utf8), value: path))
  }

  private mutating func ownFolder() throws(SystemFailure) -> PrivateFolder {
    if let folder { return folder }
    let new = try PrivateFolder()
    folder = new
    return new
  }

  private static func write(
    _ bytes: [UInt8],
    of input: NamedInput,
    to name: String,
    in folder: PrivateFolder
  ) throws(SystemFailure) -> [UInt8] {
    do throws(SystemFailure) {
      return try folder.write(bytes, to: name)
    } catch {
      throw SystemFailure(
        call: "the input '\(Printable.text(input.name))' cannot be written",
        code: error.code
      )
    }
  }
}
