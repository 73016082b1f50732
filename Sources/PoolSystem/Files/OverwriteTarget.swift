#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A file that will be overwritten, opened without changing its content.
///
/// So it can be compared with other files first. Other files than regular ones are not emptied, and
/// not opened again if they are open already: `/dev/stdout` is descriptor 1, with its offset, and
/// not the file behind it.
package struct OverwriteTarget: Sendable {
  package let descriptor: Int32
  /// Whether opening it created it.
  package let isNew: Bool
  private let path: [UInt8]

  /// Opens a file for writing, and creates a missing one; the path is in the system's encoding.
  package init(path: [UInt8]) throws(SystemFailure) {
    self.path = path
    if let number = Self.inherited(path) {
      isNew = false
      descriptor = try Self.copy(number)
      return
    }
    isNew = FileIdentity(path: path) == nil
    descriptor = try Descriptors.open(path, O_WRONLY | O_CREAT | O_CLOEXEC)
  }

  /// Truncates a regular file to this many bytes; nil leaves it whole.
  ///
  /// From then on each write goes to the end of the file, even if another process moves the end.
  package func keep(_ byteCount: Int64?) throws(SystemFailure) {
    guard isOwn else { return }
    if let byteCount { try DurableFile.cut(descriptor, to: byteCount) }
    try Descriptors.setAppending(descriptor)
  }

  /// Whether it is a regular file that only this process writes to at the descriptor's offset.
  package var isOwn: Bool {
    FileIdentity(descriptor)?.isRegular == true && Self.inherited(path) == nil
  }

  /// Closes it, and removes it if opening it created it.
  package func discard() {
    Descriptors.close(descriptor)
    if isNew { FilePath.remove((try? FilePath.resolve(path)) ?? path) }
  }

  /// The inherited descriptor that a path names, such as `/dev/fd/3`; nil for other paths.
  package static func inherited(_ path: [UInt8]) -> Int32? {
    switch String(decoding: path, as: UTF8.self) {
    case "/dev/stdin": return 0
    case "/dev/stdout": return 1
    case "/dev/stderr": return 2
    case let name:
      for folder in ["/dev/fd/", "/proc/self/fd/", "/proc/\(getpid())/fd/"]
      where name.hasPrefix(folder) {
        return Int32(name.dropFirst(folder.count))
      }
      return nil
    }
  }

  private static func copy(_ number: Int32) throws(SystemFailure) -> Int32 {
    let flags = fcntl(number, F_GETFD)
    // A descriptor that this process opened itself is not the user's to name.
    guard flags >= 0, flags & FD_CLOEXEC == 0, Descriptors.isWritable(number) else {
      throw SystemFailure(call: "open", code: EBADF)
    }
    return try Descriptors.duplicate(number)
  }
}
