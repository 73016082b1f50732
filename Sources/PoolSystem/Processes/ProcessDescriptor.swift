import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Opens files that another process of the same user has open.
package enum ProcessDescriptor {
  /// Whether this system supports it: Linux with `/proc`.
  package static var isAvailable: Bool {
    #if os(Linux)
    ProcessStatus.isKnown
    #else
    false
    #endif
  }

  /// Whether this process may open the files of another one.
  ///
  /// It may not if the other program can be executed, but not read, or has more privileges.
  package static func canOpen(filesOf process: Int32) -> Bool {
    // Following one of its links takes the same right as opening one.
    var first: CChar = 0
    return isAvailable && readlink("/proc/\(process)/fd/0", &first, 1) > 0
  }

  /// Whether other processes of the same user may open the files of this one.
  package static var canOthersOpenOurs: Bool {
    isAvailable && opool_is_dumpable() != 0
  }

  /// Opens from its start the file that a process has under a descriptor number, even if it has no
  /// name.
  ///
  /// It must be a regular file, because others have no start or no end.
  ///
  /// Only for what that process may do with its descriptor: opening a file again checks the
  /// permissions of *this* process, which may be wider. The process may replace the file meanwhile;
  /// so the facts are compared before and after.
  package static func open(
    _ descriptor: Int32,
    of process: Int32,
    forWriting writes: Bool = false
  ) throws(SystemFailure) -> Int32 {
    guard isAvailable else {
      throw SystemFailure(call: "open a file of process \(process)", code: ENOSYS)
    }
    let path = "/proc/\(process)/fd/\(descriptor)"
    // Non-blocking: a worker could name a FIFO, and opening that would wait for a writer. A
    // terminal must not become this process's controlling terminal either.
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
    guard Descriptors.isRegularFile(copy) else { throw refusal(of: copy, process, EINVAL) }
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
}
