import PoolModel

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The time of day, which may be set back.
package enum WallClock {
  /// Milliseconds since 1970, with the limits of ``nanoseconds``.
  package static var milliseconds: Int64 {
    nanoseconds / 1_000_000
  }

  /// Nanoseconds since 1970; negative before, and saturated before 1678 and after 2262.
  package static var nanoseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return .nanoseconds(seconds: time.tv_sec, and: time.tv_nsec)
  }
}
