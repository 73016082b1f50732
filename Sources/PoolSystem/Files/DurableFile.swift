import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Files that must survive a crash of the machine: locked by one process, synced, replaced as a
/// whole.
package enum DurableFile {
  /// Opens a file for reading and appending, and creates a missing one.
  ///
  /// Only its owner can read a new file. Files that are not regular are refused: they would not
  /// keep the written bytes, or have no end.
  package static func open(path: [UInt8]) throws(SystemFailure) -> Int32 {
    try openRegular(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, mode: 0o600)
  }

  /// Opens a file as ``open(path:)`` does, but does not follow a symbolic link.
  package static func openUnlinked(path: [UInt8]) throws(SystemFailure) -> Int32 {
    try openRegular(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, mode: 0o600)
  }

  /// Opens a file for reading while other processes may write to it.
  package static func openToRead(path: [UInt8]) throws(SystemFailure) -> Int32 {
    try openRegular(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  }

  private static func openRegular(
    _ path: [UInt8],
    _ flags: Int32,
    mode: mode_t = 0o666
  ) throws(SystemFailure) -> Int32 {
    let descriptor = try Descriptors.open(path, flags, mode: mode)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      Descriptors.close(descriptor)
      throw SystemFailure(call: "open", code: EINVAL, explanation: "not a regular file")
    }
    return descriptor
  }

  /// Creates a new file for reading and appending, with the owner and the permissions of another
  /// one.
  package static func create(
    path: [UInt8],
    like model: Int32
  ) throws(SystemFailure) -> Int32 {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC
    let descriptor = try Descriptors.open(path, flags, mode: 0o600)
    do throws(SystemFailure) {
      try copyAccess(of: model, to: descriptor)
    } catch {
      Descriptors.close(descriptor)
      FilePath.remove(path)
      throw error
    }
    return descriptor
  }

  /// Gives a file the owner, the group and the permissions of another one.
  private static func copyAccess(of model: Int32, to copy: Int32) throws(SystemFailure) {
    let (wanted, own) = (try status(of: model), try status(of: copy))
    if (wanted.st_uid, wanted.st_gid) != (own.st_uid, own.st_gid) {
      guard fchown(copy, wanted.st_uid, wanted.st_gid) == 0 else { throw .last("fchown") }
    }
    guard fchmod(copy, wanted.st_mode & 0o777) == 0 else { throw .last("fchmod") }
  }

  /// Locks the file for this process; returns false if another process has it.
  ///
  /// The lock ends when the last descriptor of this opening is closed, however the process ends.
  package static func lock(_ descriptor: Int32) throws(SystemFailure) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw .last("flock") }
    }
    return true
  }

  /// Whether a path still names the file, which may have been replaced since it was opened.
  package static func isFile(
    _ descriptor: Int32,
    at path: [UInt8]
  ) throws(SystemFailure) -> Bool {
    let own = try status(of: descriptor)
    var named = stat()
    guard path.withCString({ stat($0, &named) }) == 0 else {
      if errno == ENOENT { return false }
      throw .last("stat")
    }
    return own.st_dev == named.st_dev && own.st_ino == named.st_ino
  }

  private static func status(of descriptor: Int32) throws(SystemFailure) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last("fstat") }
    return status
  }

  /// Waits until the disk has everything that was written.
  package static func sync(_ descriptor: Int32) throws(SystemFailure) {
    #if canImport(Darwin)
    guard fcntl(descriptor, F_FULLFSYNC) == 0 else { throw .last("fcntl F_FULLFSYNC") }
    #else
    guard fdatasync(descriptor) == 0 else { throw .last("fdatasync") }
    #endif
  }

  /// The condition of a file that this process has open.
  package enum Condition: Hashable, Sendable {
    /// It has its name, and this length.
    case present(byteCount: Int64)
    /// It has no name any more.
    case deleted
    /// Its name belongs to another file, or to no file.
    case replaced
  }

  /// Checks the name of an open file.
  package static func condition(
    of descriptor: Int32,
    at path: [UInt8]
  ) throws(SystemFailure) -> Condition {
    let own = try status(of: descriptor)
    if own.st_nlink == 0 { return .deleted }
    return try isFile(descriptor, at: path) ? .present(byteCount: Int64(own.st_size)) : .replaced
  }

  /// Throws if an open file has no name any more.
  package static func demandName(of descriptor: Int32) throws(SystemFailure) {
    guard try status(of: descriptor).st_nlink == 0 else { return }
    let reason = "it was deleted while the run wrote it"
    throw SystemFailure(call: "fstat", code: ENOENT, explanation: reason)
  }

  /// Whether only its owner can read a file.
  package static func isPrivate(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & 0o077 == 0
  }

  /// Frees the blocks within a range of a file, which then reads as zeros; does nothing if the
  /// system cannot.
  package static func punch(_ descriptor: Int32, _ range: Range<Int64>) {
    _ = opool_punch_hole(descriptor, range.lowerBound, Int64(range.count))
  }

  /// Waits until the disk has the names in the folder of an open file.
  package static func syncFolder(
    of path: [UInt8],
    holding descriptor: Int32
  ) throws(SystemFailure) {
    let folder: Int32
    do throws(SystemFailure) {
      folder = try Descriptors.open(FilePath.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    } catch {
      // A folder that may be written but not read: syncs the whole file system.
      guard error.code == EACCES, opool_sync_file_system(descriptor) == 0 else { throw error }
      return
    }
    defer { Descriptors.close(folder) }
    // Some file systems cannot sync a folder, and need not.
    guard fsync(folder) == 0 || errno == EINVAL else { throw .last("fsync") }
  }

  /// Truncates a file to that many bytes.
  package static func cut(_ descriptor: Int32, to count: Int64) throws(SystemFailure) {
    guard ftruncate(descriptor, off_t(count)) == 0 else { throw .last("ftruncate") }
  }
}
