import CPoolSystem
package import PoolModel

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What the system tells about a process.
package enum ProcessStatus {
  /// Whether the system has `/proc` with all of this, by the numbers of this process's own PID
  /// namespace: Linux.
  #if os(Linux)
  package static let isKnown =
    opool_numbers_match_proc() != 0 && access("/proc/self/fd", R_OK) == 0
  #else
  package static let isKnown = true
  #endif

  /// How an unreaped child of this process has ended; nil while it lives.
  package static func ending(ofChild pid: Int32) -> PoolExitStatus? {
    LockWatch.assertUnlocked()
    var code: Int32 = 0
    var signal: Int32 = 0
    guard opool_has_ended(pid, &code, &signal) == 1 else { return nil }
    return signal == 0 ? .exited(code) : .signaled(signal)
  }

  /// The children of a process's first thread, including orphans; empty if unknown.
  package static func children(of parent: Int32) -> [Int32] {
    LockWatch.assertUnlocked()
    var capacity = 64
    while true {
      var count = 0
      let children = [pid_t](unsafeUninitializedCapacity: capacity) { buffer, filled in
        count = Int(opool_list_children(parent, buffer.baseAddress, Int32(capacity)))
        filled = min(count, capacity)
      }
      if count <= capacity { return children }
      capacity = count * 2
    }
  }

  /// Whether a signal has stopped the process; false if the system has no `/proc`.
  package static func isStopped(_ pid: Int32) -> Bool {
    LockWatch.assertUnlocked()
    return fields(of: pid).first == "T"
  }

  /// The start time of a process in ticks; nil if unknown.
  ///
  /// Two processes with the same number differ in it.
  package static func startTime(of pid: Int32) -> UInt64? {
    LockWatch.assertUnlocked()
    let fields = fields(of: pid)
    return fields.count > 19 ? UInt64(fields[19]) : nil
  }

  /// Whether a signal is ending the process, or SIGKILL is about to; false if the system has no
  /// `/proc`.
  ///
  /// On a busy machine, milliseconds pass between a SIGKILL and the end.
  package static func isBeingKilled(_ pid: Int32) -> Bool {
    LockWatch.assertUnlocked()
    return opool_is_being_killed(pid) != 0
  }

  /// Whether the process has ended, or has begun to: it has closed its files, or is about to; false
  /// if the system has no `/proc`.
  package static func isGone(_ pid: Int32) -> Bool {
    LockWatch.assertUnlocked()
    return opool_is_gone(pid) != 0
  }

  /// Whether a thread of the process, or of its descendants, is runnable or waits for a disk; false
  /// if the system has no `/proc`.
  package static func isBusy(_ pid: Int32) -> Bool {
    LockWatch.assertUnlocked()
    return opool_is_busy(pid) != 0
  }

  /// Whether the process executes as another user or group than this one; false if the system has
  /// no `/proc`.
  package static func isForeign(_ pid: Int32) -> Bool {
    LockWatch.assertUnlocked()
    guard let theirs = identities(of: pid) else { return false }
    return theirs != identities(of: getpid())
  }

  /// The users and groups that a process executes as: real, effective, saved, and for files.
  private static func identities(of pid: Int32) -> [Substring]? {
    text("status", of: pid)?.split(separator: "\n")
      .filter { $0.hasPrefix("Uid:") || $0.hasPrefix("Gid:") }
  }

  /// The fields of the system's file, from the state on.
  private static func fields(of pid: Int32) -> [Substring] {
    guard let stat = text("stat", of: pid),
      // The name, in parentheses, may contain any character; the state follows it.
      let end = stat.lastIndex(of: ")")
    else { return [] }
    return stat[end...].dropFirst().split(separator: " ")
  }

  /// The content of the system's file of that name about a process.
  private static func text(_ name: String, of pid: Int32) -> String? {
    isKnown ? SystemFile.read("/proc/\(pid)/\(name)") : nil
  }

  /// Number of resident bytes of the process; nil if unknown.
  package static func residentBytes(of pid: Int32) -> Int? {
    LockWatch.assertUnlocked()
    guard let fields = text("statm", of: pid)?.split(separator: " "),
      fields.count > 1, let pages = Int(fields[1])
    else { return nil }
    return pages * Int(getpagesize())
  }
}
