#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Files that have all of their new content, or still the old one, whatever happens.
package enum WholeFile {
  /// Writes a file under another name beside it, and renames it when the disk has all of it.
  ///
  /// What is no regular file, such as `/dev/stdout`, is written as it is; a symbolic link stays.
  package static func replace(_ path: [UInt8], with bytes: [UInt8]) throws(SystemFailure) {
    try replace(path) { descriptor throws(SystemFailure) in
      try SystemIO.writeAll(descriptor, bytes)
    }
  }

  /// The same with what the closure writes to a descriptor.
  package static func replace(
    _ path: [UInt8],
    _ write: (Int32) throws(SystemFailure) -> Void
  ) throws(SystemFailure) {
    guard let target = try target(of: path) else { return try writeDirectly(path, write) }
    let draft = target + Array(".\(getpid()).new".utf8)
    // An existing one was left by a dead process with the same number.
    FilePath.remove(draft)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = try Descriptors.open(draft, flags, mode: 0o666)
    defer { Descriptors.close(descriptor) }
    do throws(SystemFailure) {
      try write(descriptor)
      try DurableFile.sync(descriptor)
      try FilePath.rename(draft, to: target)
    } catch {
      FilePath.remove(draft)
      throw error
    }
  }

  /// Throws if a file of that name could not be written as it is now; changes nothing.
  package static func demandWritable(_ path: [UInt8]) throws(SystemFailure) {
    guard let target = try target(of: path) else {
      Descriptors.close(try Descriptors.open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK))
      return
    }
    let folder = target.lastIndex(of: UInt8(ascii: "/")).map { Array(target[...$0]) } ?? [46]
    guard folder.withCString({ access($0, W_OK | X_OK) }) == 0 else { throw .last("access") }
  }

  /// The path of the file to be replaced; nil if it is not regular.
  private static func target(of path: [UInt8]) throws(SystemFailure) -> [UInt8]? {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { return path }
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    return try FilePath.resolve(path)
  }

  private static func writeDirectly(
    _ path: [UInt8],
    _ write: (Int32) throws(SystemFailure) -> Void
  ) throws(SystemFailure) {
    let descriptor = try Descriptors.open(path, O_WRONLY | O_CLOEXEC)
    defer { Descriptors.close(descriptor) }
    try write(descriptor)
  }
}
