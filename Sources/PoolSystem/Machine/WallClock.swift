#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The time of day, which may be set back.
package enum WallClock {
  /// Milliseconds since 1970.
  package static var milliseconds: Int64 {
    nanoseconds / 1_000_000
  }

  /// Nanoseconds since 1970.
  package static var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
