#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Files that are to outlive the machine: kept by one process, synced, and replaced as a whole.
package enum DurableFile {
  /// Opens a file for reading and appending, and makes it where there is none.
  ///
  /// Whatever is no regular file is refused: it would neither keep what is written nor end.
  package static func open(path: [UInt8]) throws(SystemFailure) -> Int32 {
    try openRegular(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC)
  }

  /// Opens a file for reading that others may be writing.
  package static func openToRead(path: [UInt8]) throws(SystemFailure) -> Int32 {
    try openRegular(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  }

  private static func openRegular(
    _ path: [UInt8],
    _ flags: Int32
  ) throws(SystemFailure) -> Int32 {
    let descriptor = try Descriptors.open(path, flags)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      Descriptors.close(descriptor)
      throw SystemFailure(call: "open a regular file", code: EINVAL)
    }
    return descriptor
  }

  /// Makes a new file for reading and appending, with the permissions of another one.
  package static func create(
    path: [UInt8],
    like model: Int32
  ) throws(SystemFailure) -> Int32 {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC
    let descriptor = try Descriptors.open(path, flags)
    var status = stat()
    if fstat(model, &status) == 0 { fchmod(descriptor, status.st_mode & 0o777) }
    return descriptor
  }

  /// Takes the file for this process alone; false where another one has it.
  ///
  /// It is free again when the last descriptor that was made by this opening is closed, however
  /// the process ends.
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
    var own = stat()
    guard fstat(descriptor, &own) == 0 else { throw .last("fstat") }
    var named = stat()
    guard path.withCString({ stat($0, &named) }) == 0 else {
      if errno == ENOENT { return false }
      throw .last("stat")
    }
    return own.st_dev == named.st_dev && own.st_ino == named.st_ino
  }

  /// Waits until the disk has all that was written.
  package static func sync(_ descriptor: Int32) throws(SystemFailure) {
    #if canImport(Darwin)
    guard fcntl(descriptor, F_FULLFSYNC) == 0 else { throw .last("fcntl F_FULLFSYNC") }
    #else
    guard fdatasync(descriptor) == 0 else { throw .last("fdatasync") }
    #endif
  }

  /// Waits until the disk knows the names in a file's folder.
  package static func syncFolder(of path: [UInt8]) throws(SystemFailure) {
    let folder = try Descriptors.open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { Descriptors.close(folder) }
    // Some file systems cannot sync a folder, and need not.
    guard fsync(folder) == 0 || errno == EINVAL else { throw .last("fsync") }
  }

  /// Cuts a file to that many bytes.
  package static func cut(_ descriptor: Int32, to count: Int64) throws(SystemFailure) {
    guard ftruncate(descriptor, off_t(count)) == 0 else { throw .last("ftruncate") }
  }

  /// Gives a file another's name, which it takes from that one.
  package static func rename(_ path: [UInt8], to target: [UInt8]) throws(SystemFailure) {
    let code = path.withCString { path in
      target.withCString { target in
        #if canImport(Darwin)
        Darwin.rename(path, target)
        #else
        Glibc.rename(path, target)
        #endif
      }
    }
    guard code == 0 else { throw .last("rename") }
  }

  /// Removes a file's name.
  package static func remove(_ path: [UInt8]) {
    _ = path.withCString { unlink($0) }
  }

  /// The path without symbolic links, of a file that is there.
  package static func resolve(_ path: [UInt8]) throws(SystemFailure) -> [UInt8] {
    guard let resolved = path.withCString({ realpath($0, nil) }) else {
      throw .last("realpath")
    }
    defer { free(resolved) }
    return Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
  }

  private static func folder(of path: [UInt8]) -> [UInt8] {
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return Array(".".utf8) }
    return slash == 0 ? Array("/".utf8) : Array(path[..<slash])
  }
}
