#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What the system tells of a living process, where it has such files (Linux).
package enum ProcessStatus {
  /// Whether a signal has stopped the process; false where the system does not say.
  package static func isStopped(_ pid: Int32) -> Bool {
    guard let stat = SystemText.read("/proc/\(pid)/stat"),
      // The name, in parentheses, may hold anything; the state follows it.
      let end = stat.lastIndex(of: ")")
    else { return false }
    return stat[end...].dropFirst(2).first == "T"
  }

  /// The bytes of memory that the process has; nil where the system does not say.
  package static func residentBytes(of pid: Int32) -> Int? {
    guard let fields = SystemText.read("/proc/\(pid)/statm")?.split(separator: " "),
      fields.count > 1, let pages = Int(fields[1])
    else { return nil }
    return pages * Int(getpagesize())
  }
}
