#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A file that is to be written anew, opened before anything in it is touched.
///
/// So it can be compared with other files first. What is no regular file is neither emptied nor
/// opened again where it is open already: `/dev/stdout` is descriptor 1, with its offset, and not
/// the file behind it.
package struct WrittenFile: Sendable {
  package let descriptor: Int32
  /// Whether it was made by this.
  package let isNew: Bool
  private let path: [UInt8]

  /// Opens a file for writing, and makes it where there is none; the path is as the system has it.
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

  /// Empties it, where it is a regular file.
  package func empty() throws(SystemFailure) {
    guard FileIdentity(descriptor)?.isRegular == true, Self.inherited(path) == nil else { return }
    try DurableFile.cut(descriptor, to: 0)
  }

  /// Closes it, and takes it away if it was made by this.
  package func discard() {
    Descriptors.close(descriptor)
    if isNew { DurableFile.remove((try? DurableFile.resolve(path)) ?? path) }
  }

  /// The descriptor of whoever started this process that a path stands for, such as `/dev/fd/3`;
  /// nil for any other path.
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
    // What this process has opened itself is nobody else's to name.
    guard flags >= 0, flags & FD_CLOEXEC == 0 else {
      throw SystemFailure(call: "open", code: EBADF)
    }
    return try Descriptors.duplicate(number)
  }
}
