#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Which file something is, whatever it is named: its device and its number there.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64
  /// Whether it keeps what is written to it, as devices, pipes and sockets do not.
  package let isRegular: Bool

  /// The file that a descriptor stands for; nil where it stands for none.
  package init?(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The file that a path names, by symbolic links, too; nil where there is none.
  package init?(path: [UInt8]) {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
    isRegular = status.st_mode & S_IFMT == S_IFREG
  }
}
