import CPoolTestSupport
package import PoolSystem

extension PseudoTerminal {
  /// Opens a new pseudo-terminal with that width: returns the close-on-exec main side, which a
  /// person would use, and the path of the side for programs.
  static func open(columns: Int) throws(SystemFailure) -> (main: Int32, path: String) {
    var path = [CChar](repeating: 0, count: 256)
    let main = opool_open_terminal(Int32(columns), &path, Int32(path.count))
    guard main >= 0 else { throw .last("posix_openpt") }
    let bytes = path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return (main, String(decoding: bytes, as: UTF8.self))
  }

  /// Starts a program, by its path, in its own session, whose terminal this is, also as its
  /// standard streams.
  package func start(
    _ arguments: [String],
    in directory: String,
    environment: ProcessEnvironment
  ) throws(SystemFailure) -> CommandProcess {
    var child: Int32 = -1
    let code = CStringList(arguments.map { Array($0.utf8) }).withPointers { arguments in
      environment.entries.withPointers { environment in
        opool_spawn_on_terminal(path, directory, arguments, environment, &child)
      }
    }
    guard code == 0 else { throw SystemFailure(call: "posix_spawn", code: code) }
    return CommandProcess(child, leadsGroup: true)
  }
}
