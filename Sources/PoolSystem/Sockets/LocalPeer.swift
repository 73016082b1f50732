import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The process at the other end of a local socket, as the system says.
package struct LocalPeer: Hashable, Sendable {
  /// Its user; nil if unknown.
  package let user: UInt32?
  /// Its number here; nil if unknown, as for one of another process namespace.
  package let process: Int32?
  /// The name of its program, of at most 15 bytes on Linux; nil if unknown.
  package let command: [UInt8]?

  /// Looks at the other end of a connected socket.
  package init(of socket: Int32) {
    var user: uid_t = 0
    self.user = opool_peer_user(socket, &user) == 0 ? user : nil
    let number = opool_peer_process(socket)
    process = number > 0 ? number : nil
    let name = process.flatMap { SystemFile.read("/proc/\($0)/comm") }
    command = name.map { Array($0.utf8.prefix { $0 != UInt8(ascii: "\n") }) }
  }

  package init(user: UInt32?, process: Int32?, command: [UInt8]?) {
    (self.user, self.process, self.command) = (user, process, command)
  }
}
