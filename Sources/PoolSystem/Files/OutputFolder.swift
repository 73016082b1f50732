import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A folder below which a run writes files; each file is complete as soon as it has its name.
///
/// Only the path of the folder itself may lead through symbolic links; a link below it is an error.
package final class OutputFolder: Sendable {
  private let descriptor: Int32

  /// Opens the folder at a path; creates it and its parents if they are missing.
  package convenience init(path: [UInt8]) throws(SystemFailure) {
    var obstacle: SystemFailure?
    let ends = path.indices.dropFirst().filter { path[$0] == UInt8(ascii: "/") } + [path.endIndex]
    for end in ends {
      let isMade = Array(path[..<end]).withCString { mkdir($0, 0o777) } == 0
      if !isMade, errno != EEXIST { obstacle = obstacle ?? .last("mkdir") }
    }
    do throws(SystemFailure) {
      self.init(try Descriptors.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    } catch {
      throw error.code == ENOENT ? obstacle ?? error : error
    }
    guard faccessat(descriptor, ".", W_OK | X_OK, AT_EACCESS) == 0 else { throw .last("access") }
  }

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    Descriptors.close(descriptor)
  }

  /// Its device and number.
  package var number: FileNumber? { FileIdentity(descriptor)?.number }

  /// Waits until the disk has all files of the folder's file system.
  package func sync() throws(SystemFailure) {
    guard opool_sync_file_system(descriptor) == 0 else { throw .last("syncfs") }
  }

  /// Opens a folder within this one; creates it if it is missing.
  ///
  /// The name has no slash, and is neither `.` nor `..`.
  package func folder(named name: [UInt8]) throws(SystemFailure) -> OutputFolder {
    LockWatch.assertUnlocked()
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    return try name.withCString { name throws(SystemFailure) in
      let isMade = mkdirat(descriptor, name, 0o777) == 0
      guard isMade || errno == EEXIST else { throw .last("mkdir") }
      let folder = openat(descriptor, name, flags)
      guard folder >= 0 else { throw .last("open") }
      return OutputFolder(folder)
    }
  }

  /// Whether a path from here leads to a regular file.
  package func hasFile(at path: [[UInt8]]) -> Bool {
    hasFile(named: Array(path.joined(separator: [UInt8(ascii: "/")])))
  }

  /// Whether it has a regular file of that name.
  package func hasFile(named name: [UInt8]) -> Bool {
    type(of: name) == S_IFREG
  }

  /// The start of a regular file of that name; nil if there is none, or if it cannot be read.
  package func start(of name: [UInt8], atMost count: Int) -> [UInt8]? {
    guard hasFile(named: name) else { return nil }
    let file = name.withCString { openat(descriptor, $0, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) }
    guard file >= 0 else { return nil }
    defer { Descriptors.close(file) }
    return [UInt8](unsafeUninitializedCapacity: count) { bytes, length in
      length = max(read(file, bytes.baseAddress, count), 0)
    }
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

  /// Whether the file system takes two endings of names for one.
  ///
  /// Makes a file with a name that no other file has, and removes it. False if that fails.
  package func unites(_ ending: String, with other: String) -> Bool {
    LockWatch.assertUnlocked()
    let start = ".opool.\(getpid()).\(UInt64.random(in: 0 ... .max))."
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let name = Array((start + ending).utf8)
    let file = name.withCString { openat(descriptor, $0, flags, 0o600) }
    guard file >= 0 else { return false }
    defer { remove(name) }
    Descriptors.close(file)
    return has(Array((start + other).utf8))
  }

  /// Writes a file under a temporary name, and then gives it its own, even if another file has that
  /// name.
  ///
  /// A temporary file that an earlier process left is removed; one that another process is writing
  /// is left alone. Of two such writers, the later one gets the name. The file gets it only if
  /// `confirm` does not throw either.
  package func write(
    _ name: [UInt8],
    confirmedBy confirm: (Int32) throws(SystemFailure) -> Void = Descriptors.confirmWrites,
    _ body: (_ descriptor: Int32) throws(SystemFailure) -> Void
  ) throws(SystemFailure) {
    let (file, temporary) = try create(for: name)
    // The file is locked as long as it is open.
    defer { Descriptors.close(file) }
    do throws(SystemFailure) {
      try body(file)
      try confirm(file)
      try rename(temporary, to: name)
    } catch {
      remove(temporary)
      throw error
    }
  }

  private func rename(_ old: [UInt8], to name: [UInt8]) throws(SystemFailure) {
    let code = old.withCString { old in
      name.withCString { renameat(descriptor, old, descriptor, $0) }
    }
    guard code == 0 else { throw .last("rename") }
  }

  /// Creates a new file, and locks it.
  private func create(for name: [UInt8]) throws(SystemFailure) -> (Int32, name: [UInt8]) {
    LockWatch.assertUnlocked()
    let usual = Array(".opool.".utf8) + name
    if let file = try createLocked(usual) { return (file, usual) }
    // Another process is writing that file.
    let own = Array(".opool.\(getpid()).".utf8) + name
    remove(own)
    guard let file = try createLocked(own) else { throw SystemFailure(call: "open", code: EEXIST) }
    return (file, own)
  }

  /// Creates and locks a file; nil if another process has locked one of that name.
  private func createLocked(_ name: [UInt8]) throws(SystemFailure) -> Int32? {
    // More attempts are needed only if another process stops at the wrong moment.
    for _ in 0..<100 {
      let flags = O_WRONLY | O_NOFOLLOW | O_CLOEXEC
      let made = name.withCString { openat(descriptor, $0, flags | O_CREAT | O_EXCL, 0o666) }
      guard made >= 0 || errno == EEXIST else { throw .last("open") }
      if made >= 0 {
        // Another process may have taken it for a leftover file, and removed it, before it was
        // locked.
        if Self.lock(made), isFile(made, named: name) { return made }
        Descriptors.close(made)
        continue
      }
      let left = name.withCString { openat(descriptor, $0, flags | O_NONBLOCK) }
      defer { if left >= 0 { Descriptors.close(left) } }
      if left >= 0, !Self.lock(left) { return nil }
      if left < 0 || isFile(left, named: name) { try removeLeft(name) }
    }
    return nil
  }

  /// Locks a file for this process; false if another process has locked it.
  ///
  /// If files cannot be locked, returns true.
  private static func lock(_ file: Int32) -> Bool {
    flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }

  /// Whether an open file still has that name.
  private func isFile(_ file: Int32, named name: [UInt8]) -> Bool {
    let own = FileIdentity(file)
    return own != nil && own == FileIdentity(named: name, in: descriptor)
  }

  private func removeLeft(_ name: [UInt8]) throws(SystemFailure) {
    let code = name.withCString { unlinkat(descriptor, $0, 0) }
    guard code == 0 || errno == ENOENT else { throw .last("unlink") }
  }

  /// Removes a file, if it is there.
  package func remove(_ name: [UInt8]) {
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
