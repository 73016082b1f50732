import CPoolSystem
package import PoolModel

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Measures what this process uses during a piece of work, together with the children that it waits
/// for.
///
/// All threads count, so that it measures one piece of work where a process does one at a time.
package struct UsageMeter {
  private let start: PoolResourceUsage
  private let knowsPeak: Bool

  /// Begins to measure.
  package init() {
    knowsPeak = Self.forgetPeak()
    start = Self.ownUsage
  }

  /// What was used since the beginning.
  ///
  /// The peak is that of this process alone; where the system cannot forget an earlier one, it is the
  /// largest since the process began.
  package var usage: PoolResourceUsage {
    var usage = Self.ownUsage
    usage.userMicroseconds -= start.userMicroseconds
    usage.systemMicroseconds -= start.systemMicroseconds
    if knowsPeak, let peak = Self.peak { usage.peakMemoryBytes = peak }
    return usage
  }

  private static var ownUsage: PoolResourceUsage {
    var usage: [Int64] = [0, 0, 0]
    opool_own_usage(&usage)
    return PoolResourceUsage(
      userMicroseconds: usage[0],
      systemMicroseconds: usage[1],
      peakMemoryBytes: usage[2]
    )
  }

  /// Has the system measure the peak from now on; false where it cannot.
  private static func forgetPeak() -> Bool {
    #if os(Linux)
    let file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    // Five is the peak.
    return write(file, "5", 1) == 1
    #else
    return false
    #endif
  }

  /// The peak that the system has measured; nil where it does not tell.
  private static var peak: Int64? {
    let line = SystemText.read("/proc/self/status")?.split(separator: "\n")
      .first { $0.hasPrefix("VmHWM:") }
    let digits = line?.split(separator: " ", omittingEmptySubsequences: true)
      .flatMap { $0.split(separator: "\t") }.compactMap { Int64($0) }.first
    return digits.map { $0 * 1_024 }
  }
}
