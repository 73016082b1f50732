import CPoolSystem
import PoolModel

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Makes, copies, marks and closes descriptors; every descriptor made here is close-on-exec.
package enum Descriptors {
  /// The two ends of a pipe.
  package struct PipeEnds: Hashable, Sendable {
    package var read: Int32
    package var write: Int32
  }

  /// Closes inherited descriptors beyond the limit of open files: while one is open, no process can
  /// be started.
  package static func closeBeyondLimit() {
    opool_close_beyond_limit()
  }

  /// Number of descriptors that this process may have open at once.
  package static var limit: Int { Int(opool_descriptor_limit()) }

  /// Makes a pipe.
  package static func pipe() throws(SystemFailure) -> PipeEnds {
    LockWatch.assertUnlocked()
    var ends: [Int32] = [-1, -1]
    guard opool_pipe(&ends) == 0 else { throw .last("pipe") }
    return PipeEnds(read: ends[0], write: ends[1])
  }

  /// Makes two connected sockets, to which ``SystemIO/sendAll(_:_:)`` writes.
  package static func socketPair() throws(SystemFailure) -> (Int32, Int32) {
    LockWatch.assertUnlocked()
    var ends: [Int32] = [-1, -1]
    guard opool_socket_pair(&ends) == 0 else { throw .last("socketpair") }
    return (ends[0], ends[1])
  }

  /// Opens `/dev/null` for reading and writing.
  package static func openNull() throws(SystemFailure) -> Int32 {
    do throws(SystemFailure) {
      return try open(Array("/dev/null".utf8), O_RDWR | O_CLOEXEC)
    } catch {
      throw SystemFailure(call: "open /dev/null", code: error.code)
    }
  }

  /// Opens a file for reading; the path is in the system's encoding.
  package static func openFile(path: [UInt8]) throws(SystemFailure) -> Int32 {
    try open(path, O_RDONLY | O_CLOEXEC)
  }

  /// Opens a file for reading that gives its bytes by itself; throws for a FIFO, which would wait
  /// for another process.
  package static func openStoredFile(path: [UInt8]) throws(SystemFailure) -> Int32 {
    let file = try open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    do throws(SystemFailure) {
      guard type(of: file) != S_IFIFO else {
        let reason = "'\(Printable.text(path))' is a FIFO, not a regular file"
        throw SystemFailure(call: "open", code: EINVAL, explanation: reason)
      }
      try clearFlags(file)
    } catch {
      close(file)
      throw error
    }
    return file
  }

  /// Opens the file behind a descriptor once more, for reading; throws where the user may not read
  /// it.
  package static func reopenFile(_ descriptor: Int32) throws(SystemFailure) -> Int32 {
    #if canImport(Darwin)
    try openFile(path: Array("/dev/fd/\(descriptor)".utf8))
    #else
    try openFile(path: Array("/proc/self/fd/\(descriptor)".utf8))
    #endif
  }

  static func open(
    _ path: [UInt8],
    _ flags: Int32,
    mode: mode_t = 0o666
  ) throws(SystemFailure) -> Int32 {
    LockWatch.assertUnlocked()
    let descriptor = (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { path in
      #if canImport(Darwin)
      path.baseAddress.map { Darwin.open($0, flags, mode) } ?? -1
      #else
      path.baseAddress.map { Glibc.open($0, flags, mode) } ?? -1
      #endif
    }
    guard descriptor >= 0 else { throw .last("open") }
    return descriptor
  }

  /// Creates a file, or empties it, and opens it for writing; the path is in the system's encoding.
  package static func createFile(path: [UInt8]) throws(SystemFailure) -> Int32 {
    try open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC)
  }

  /// Makes a file for the output of a program, or empties it; throws for a FIFO that no process
  /// reads, which would wait for one.
  package static func createOutputFile(path: [UInt8]) throws(SystemFailure) -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let file = try open(path, flags)
    do throws(SystemFailure) {
      try clearFlags(file)
    } catch {
      close(file)
      throw error
    }
    return file
  }

  /// Duplicates a descriptor; the copy's number is at least `minimum`.
  package static func duplicate(
    _ descriptor: Int32,
    atLeast minimum: Int32 = 3
  ) throws(SystemFailure) -> Int32 {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, minimum)
    guard copy >= 0 else { throw .last("fcntl F_DUPFD_CLOEXEC") }
    return copy
  }

  /// Makes `target` a copy of another descriptor; children inherit it.
  package static func replace(_ target: Int32, with source: Int32) throws(SystemFailure) {
    while dup2(source, target) < 0 {
      guard errno == EINTR else { throw .last("dup2") }
    }
  }

  /// Closes a descriptor; it is closed even if the system returns an error.
  package static func close(_ descriptor: Int32) {
    LockWatch.assertUnlocked()
    #if canImport(Darwin)
    _ = Darwin.close(descriptor)
    #else
    _ = Glibc.close(descriptor)
    #endif
  }

  /// Throws if the system could not keep what was written to a file, and has not said so yet.
  ///
  /// Network file systems report a full disk, or a quota, when a descriptor is closed: this closes
  /// a copy.
  package static func confirmWrites(to descriptor: Int32) throws(SystemFailure) {
    LockWatch.assertUnlocked()
    let copy = try duplicate(descriptor)
    #if canImport(Darwin)
    let code = Darwin.close(copy)
    #else
    let code = Glibc.close(copy)
    #endif
    guard code == 0 else { throw .last("close") }
  }

  /// Sets whether calls return at once instead of blocking.
  package static func setNonBlocking(
    _ descriptor: Int32,
    _ isOn: Bool = true
  ) throws(SystemFailure) {
    try set(O_NONBLOCK, on: descriptor, isOn)
  }

  /// Clears all flags that a program can set: calls wait, and do nothing else unusual.
  package static func clearFlags(_ descriptor: Int32) throws(SystemFailure) {
    LockWatch.assertUnlocked()
    guard fcntl(descriptor, F_SETFL, 0) == 0 else { throw .last("fcntl F_SETFL") }
  }

  /// Makes each write go to the end of the file.
  package static func setAppending(_ descriptor: Int32) throws(SystemFailure) {
    try set(O_APPEND, on: descriptor, true)
  }

  private static func set(
    _ flag: Int32,
    on descriptor: Int32,
    _ isOn: Bool
  ) throws(SystemFailure) {
    LockWatch.assertUnlocked()
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0 else { throw .last("fcntl F_GETFL") }
    let wanted = isOn ? flags | flag : flags & ~flag
    guard wanted == flags || fcntl(descriptor, F_SETFL, wanted) == 0 else {
      throw .last("fcntl F_SETFL")
    }
  }

  /// Sets whether a program that is executed from here on loses the descriptor.
  package static func setCloseOnExec(
    _ descriptor: Int32,
    _ isOn: Bool = true
  ) throws(SystemFailure) {
    guard fcntl(descriptor, F_SETFD, isOn ? FD_CLOEXEC : 0) == 0 else {
      throw .last("fcntl F_SETFD")
    }
  }

  /// The offset of an open file; nil for what has none.
  package static func offset(of descriptor: Int32) -> Int64? {
    let offset = lseek(descriptor, 0, SEEK_CUR)
    return offset < 0 ? nil : Int64(offset)
  }

  /// The offset of the next write to a regular file; nil for another kind of file.
  package static func writeOffset(of descriptor: Int32) -> Int64? {
    guard type(of: descriptor) == S_IFREG else { return nil }
    let isAppending = fcntl(descriptor, F_GETFL) & O_APPEND != 0
    return isAppending ? try? size(of: descriptor) : offset(of: descriptor)
  }

  /// Number of bytes of a file.
  package static func size(of descriptor: Int32) throws(SystemFailure) -> Int64 {
    LockWatch.assertUnlocked()
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last("fstat") }
    return Int64(status.st_size)
  }

  /// The offset at which reading a regular file goes on; nil for another kind of file.
  package static func regularOffset(of descriptor: Int32) throws(SystemFailure) -> Int64? {
    guard type(of: descriptor) == S_IFREG else { return nil }
    let offset = lseek(descriptor, 0, SEEK_CUR)
    guard offset >= 0 else { throw .last("lseek") }
    return Int64(offset)
  }

  /// Lets reading of a regular file go on at an offset.
  package static func seek(_ descriptor: Int32, to offset: Int64) {
    _ = lseek(descriptor, off_t(offset), SEEK_SET)
  }

  /// Whether the descriptor is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }

  /// Whether it is a pipe or a socket, which another process reads.
  package static func isPipe(_ descriptor: Int32) -> Bool {
    let type = type(of: descriptor)
    return type == S_IFIFO || type == S_IFSOCK
  }

  /// Number of bytes in a pipe, given either end; 0 if it is not a pipe.
  package static func unreadByteCount(in descriptor: Int32) -> Int {
    type(of: descriptor) == S_IFIFO ? max(Int(opool_unread_count(descriptor)), 0) : 0
  }

  /// Whether it is a character device such as a terminal, also one that hung up.
  package static func isCharacterDevice(_ descriptor: Int32) -> Bool {
    type(of: descriptor) == S_IFCHR
  }

  /// Whether the number is that of an open descriptor.
  package static func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }

  /// Whether the number is that of an open descriptor that can be written.
  package static func isWritable(_ descriptor: Int32) -> Bool {
    let flags = fcntl(descriptor, F_GETFL)
    return flags >= 0 && flags & O_ACCMODE != O_RDONLY
  }

  /// Whether it is a pipe or FIFO that can be read, or written.
  package static func isFIFO(_ descriptor: Int32, forWriting: Bool) -> Bool {
    guard type(of: descriptor) == S_IFIFO else { return false }
    let mode = fcntl(descriptor, F_GETFL) & O_ACCMODE
    return mode == O_RDWR || mode == (forWriting ? O_WRONLY : O_RDONLY)
  }

  /// Whether it is a regular file with content, at whose start the next read begins.
  package static func isUnreadFile(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && status.st_size > 0 && lseek(descriptor, 0, SEEK_CUR) == 0
  }

  static func isRegularFile(_ descriptor: Int32) -> Bool { type(of: descriptor) == S_IFREG }

  private static func type(of descriptor: Int32) -> mode_t? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}
