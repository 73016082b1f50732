#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Opening what another process of the same user has open.
package enum ForeignDescriptor {
  /// Whether this system can do it: Linux, where `/proc` is there.
  package static var isAvailable: Bool {
    #if os(Linux)
    ProcessStatus.isKnown
    #else
    false
    #endif
  }

  /// Opens from its start the file that a process has under a descriptor number, even if it has no
  /// name; only a regular file, because others have no start or no end.
  ///
  /// Only for what that process itself may do with the descriptor: opening it anew asks what *this*
  /// process may do, and that may be more. The process may put another file in its place meanwhile;
  /// so what was looked at must be what was opened.
  package static func open(
    _ descriptor: Int32,
    of process: Int32,
    forWriting writes: Bool = false
  ) throws(SystemFailure) -> Int32 {
    let path = "/proc/\(process)/fd/\(descriptor)"
    // Not blocking: a worker could name a FIFO, and opening that would wait for a writer. Nor may
    // a terminal become this process's own.
    let flags = (writes ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    #if os(Linux)
    let facts = OpenFileFacts(descriptor, of: "\(process)")
    #endif
    #if canImport(Darwin)
    let copy = Darwin.open(path, flags)
    #else
    let copy = Glibc.open(path, flags)
    #endif
    guard copy >= 0 else { throw .last("open a file of process \(process)") }
    guard isRegularFile(copy) else { throw refusal(of: copy, process, EINVAL) }
    #if os(Linux)
    guard let facts, facts.allows(writing: writes),
      let opened = OpenFileFacts(copy, of: "self"), facts.isSameFile(as: opened)
    else { throw refusal(of: copy, process, EACCES) }
    #endif
    return copy
  }

  private static func refusal(
    of copy: Int32,
    _ process: Int32,
    _ code: Int32
  ) -> SystemFailure {
    Descriptors.close(copy)
    return SystemFailure(call: "open a file of process \(process)", code: code)
  }

  private static func isRegularFile(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
