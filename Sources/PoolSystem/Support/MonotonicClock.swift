import PoolModel

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The clock that never goes back.
package enum MonotonicClock {
  /// Nanoseconds since a point in the past, which is the same for the whole process.
  package static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Pauses the thread; a signal ends the pause early.
  package static func sleep(nanoseconds: Int64) {
    var time = timespec(
      tv_sec: Int(nanoseconds / 1_000_000_000),
      tv_nsec: Int(nanoseconds % 1_000_000_000)
    )
    nanosleep(&time, nil)
  }

  /// The time after this many nanoseconds; the last representable time if that is too late.
  package static func time(in nanoseconds: Int64) -> Int64 {
    now.saturatingSum(nanoseconds)
  }
}
