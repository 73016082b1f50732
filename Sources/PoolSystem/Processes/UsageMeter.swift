import CPoolSystem
package import PoolModel

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Measures the resources that this process uses during a piece of work, together with the children
/// that it waits for.
///
/// All threads count, so it measures a single piece of work only if the process does one at a time.
package struct UsageMeter {
  private let start: PoolResourceUsage
  private let knowsPeak: Bool

  /// Begins to measure.
  package init() {
    knowsPeak = Self.forgetPeak()
    start = Self.ownUsage
  }

  /// The usage since the beginning.
  ///
  /// The peak is that of this process alone; if the system cannot reset an earlier peak, it is the
  /// peak since the process began.
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

  /// Makes the system measure the peak from now on; false if it cannot.
  ///
  /// When a child executes a program, Linux counts the peak of this process as the child's.
  @discardableResult
  package static func forgetPeak() -> Bool {
    #if os(Linux)
    let file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    // 5 resets the peak.
    return write(file, "5", 1) == 1
    #else
    return false
    #endif
  }

  /// The peak that the system has measured; nil if it does not say.
  private static var peak: Int64? {
    let line = SystemFile.read("/proc/self/status")?.split(separator: "\n")
      .first { $0.hasPrefix("VmHWM:") }
    let digits = line?.split(separator: " ", omittingEmptySubsequences: true)
      .flatMap { $0.split(separator: "\t") }.compactMap { Int64($0) }.first
    return digits.map { $0 * 1_024 }
  }
}
