import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Properties of a terminal.
package enum Terminal {
  /// Number of columns of the terminal behind a descriptor; nil if there is none.
  package static func columns(of descriptor: Int32) -> Int? {
    guard Descriptors.isTerminal(descriptor) else { return nil }
    let columns = Int(opool_terminal_columns(descriptor))
    return columns > 0 ? columns : 80
  }

  /// Whether the terminal behind a descriptor is this process's own, with its group in the
  /// foreground: not a job that a shell has put into the background.
  package static func isForeground(_ descriptor: Int32) -> Bool {
    tcgetpgrp(descriptor) == getpgrp()
  }

  /// Whether a terminal with that type, from TERM, can move its cursor.
  package static func movesCursor(type: [UInt8]?) -> Bool {
    guard let type, !type.isEmpty else { return false }
    return type != Array("dumb".utf8) && type != Array("unknown".utf8)
  }
}
