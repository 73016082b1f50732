import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Properties of a terminal.
package enum Terminal {
  /// The size of a terminal, in characters.
  package struct Size: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
      (self.columns, self.rows) = (columns, rows)
    }
  }

  /// The size of the terminal behind a descriptor; 80 columns or 24 rows where it does not say
  /// them, and nil if there is no terminal.
  package static func size(of descriptor: Int32) -> Size? {
    guard Descriptors.isTerminal(descriptor) else { return nil }
    var (columns, rows): (Int32, Int32) = (0, 0)
    _ = opool_terminal_size(descriptor, &columns, &rows)
    return Size(columns: columns > 0 ? Int(columns) : 80, rows: rows > 0 ? Int(rows) : 24)
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
