import PoolSystem
import PoolWire

/// What holds for commands that do not say it themselves: `--nice` and `--wd`.
struct CommandDefaults {
  let nice: Int
  let folder: [UInt8]?

  /// Nil if there is nothing to add.
  init?(_ options: StartOptions) {
    guard options.nice != 0 || options.folder != nil else { return nil }
    (nice, folder) = (options.nice, options.folder)
  }

  /// Adds it to the payload of a command.
  ///
  /// Only when it leaves for a worker: where and how politely a command executes does not make it
  /// another one for a journal.
  func complete(_ payload: inout [UInt8]) {
    let command = payload.withUnsafeBytes { try? CommandPayload(json: $0) }
    guard var command else { return }
    if command.nice == 0 { command.nice = nice }
    if let folder {
      command.directory = command.directory.map { FileCheck.path($0, from: folder) } ?? folder
    }
    payload = command.json
  }
}
