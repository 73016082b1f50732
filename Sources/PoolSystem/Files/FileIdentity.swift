#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The identity of a file, independent of its names: its device and number.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  /// Whether it keeps what is written to it, unlike devices, pipes and sockets.
  package let isRegular: Bool

  /// Its device and number, for records.
  package var number: FileNumber { FileNumber(device: device, inode: inode) }

  /// The identity of an open file; nil for a closed descriptor.
  package init?(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The identity of the file at a path, through symbolic links; nil if there is none.
  package init?(path: [UInt8]) {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
    self.init(status)
  }

  /// The identity of the entry with a name in an open folder, which may be a symbolic link; nil if
  /// there is none.
  init?(named name: [UInt8], in folder: Int32) {
    var status = stat()
    let code = name.withCString { fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) }
    guard code == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    isRegular = status.st_mode & S_IFMT == S_IFREG
  }
}

/// The numbers that a file has now: after its end another file may get them.
package struct FileNumber: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    (self.device, self.inode) = (device, inode)
  }
}
