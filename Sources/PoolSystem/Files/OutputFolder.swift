#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A folder below which a run writes files, each of which is whole as soon as it has its name.
///
/// Only the path of the first folder may lead through symbolic links; a link below it is an error.
package final class OutputFolder: Sendable {
  private let descriptor: Int32

  /// Opens the folder at a path; makes it, and those above it, if they are missing.
  package convenience init(path: [UInt8]) throws(SystemFailure) {
    for end in path.indices.dropFirst() where path[end] == UInt8(ascii: "/") {
      // An obstacle is reported by the call that opens the whole path.
      _ = Array(path[..<end]).withCString { mkdir($0, 0o777) }
    }
    _ = path.withCString { mkdir($0, 0o777) }
    self.init(try Descriptors.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
  }

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    Descriptors.close(descriptor)
  }

  /// Opens a folder within this one; makes it if it is missing.
  ///
  /// The name has no slash, and is neither `.` nor `..`.
  package func folder(named name: [UInt8]) throws(SystemFailure) -> OutputFolder {
    LockWatch.assertUnlocked()
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    return try name.withCString { name in
      Result { () throws(SystemFailure) in
        let isMade = mkdirat(descriptor, name, 0o777) == 0
        guard isMade || errno == EEXIST else { throw .last("mkdir") }
        let folder = openat(descriptor, name, flags)
        guard folder >= 0 else { throw .last("open") }
        return OutputFolder(folder)
      }
    }.get()
  }

  /// Whether it has a regular file of that name.
  package func hasFile(named name: [UInt8]) -> Bool {
    type(of: name) == S_IFREG
  }

  /// Whether it has anything of that name.
  package func has(_ name: [UInt8]) -> Bool {
    type(of: name) != nil
  }

  private func type(of name: [UInt8]) -> mode_t? {
    var status = stat()
    let code = name.withCString { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }
    return code == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Writes a file under a temporary name, and then gives it its own, also if another file has it.
  ///
  /// What an earlier run has left under the temporary name is removed.
  package func write(
    _ name: [UInt8],
    _ body: (_ descriptor: Int32) throws(SystemFailure) -> Void
  ) throws(SystemFailure) {
    let temporary = Array(".opool.".utf8) + name
    let file = try create(temporary)
    do throws(SystemFailure) {
      defer { Descriptors.close(file) }
      try body(file)
    } catch {
      remove(temporary)
      throw error
    }
    let code = temporary.withCString { old in
      name.withCString { renameat(descriptor, old, descriptor, $0) }
    }
    guard code == 0 else {
      let failure = SystemFailure.last("rename")
      remove(temporary)
      throw failure
    }
  }

  /// Creates a file that nothing else is.
  private func create(_ name: [UInt8]) throws(SystemFailure) -> Int32 {
    LockWatch.assertUnlocked()
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    for isLast in [false, true] {
      let file = name.withCString { openat(descriptor, $0, flags, 0o666) }
      if file >= 0 { return file }
      guard errno == EEXIST, !isLast else { break }
      remove(name)
    }
    throw .last("open")
  }

  private func remove(_ name: [UInt8]) {
    _ = name.withCString { unlinkat(descriptor, $0, 0) }
  }

  /// Removes an empty folder.
  package static func remove(path: [UInt8]) {
    _ = path.withCString { rmdir($0) }
  }

  /// Whether a path leads to a folder.
  package static func exists(_ path: [UInt8]) -> Bool {
    var status = stat()
    return path.withCString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
