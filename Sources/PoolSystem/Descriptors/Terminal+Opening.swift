import CPoolSystem

// Pseudo-terminals, for tests.

extension Terminal {
  /// Opens a new pseudo-terminal with that width: returns the close-on-exec main side, which a
  /// person would use, and the path of the side for programs.
  package static func open(columns: Int) throws(SystemFailure) -> (main: Int32, path: String) {
    var path = [CChar](repeating: 0, count: 256)
    let main = opool_open_terminal(Int32(columns), &path, Int32(path.count))
    guard main >= 0 else { throw .last("posix_openpt") }
    let bytes = path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return (main, String(decoding: bytes, as: UTF8.self))
  }

  /// Starts a program, by its path, in its own session, whose terminal has that path and is its
  /// standard streams.
  package static func start(
    _ arguments: [[UInt8]],
    on terminal: String,
    in directory: [UInt8],
    environment: ProcessEnvironment
  ) throws(SystemFailure) -> CommandProcess {
    var child: Int32 = -1
    let code = Array(terminal.utf8).withCString { terminal in
      directory.withCString { directory in
        CStringList(arguments).withPointers { arguments in
          environment.entries.withPointers { environment in
            opool_spawn_on_terminal(terminal, directory, arguments, environment, &child)
          }
        }
      }
    }
    guard code == 0 else { throw SystemFailure(call: "posix_spawn", code: code) }
    return CommandProcess(child, leadsGroup: true)
  }
}
