import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

// Whether a descriptor can be read or written now, or soon.

extension SystemIO {
  /// Whether reading would return at once.
  package static func canRead(_ descriptor: Int32) -> Bool {
    readiness(of: descriptor, for: POLLIN) != 0
  }

  /// Whether there is room to write.
  package static func canWrite(_ descriptor: Int32) -> Bool {
    readiness(of: descriptor, for: POLLOUT) & POLLOUT != 0
  }

  /// Whether a pipe or a socket has lost its reader.
  package static func hasLostReader(_ descriptor: Int32) -> Bool {
    readiness(of: descriptor, for: 0) & POLLERR != 0
  }

  /// Waits until reading would return at once, at most this many nanoseconds, rounded up to whole
  /// milliseconds.
  package static func waitUntilReadable(_ descriptor: Int32, nanoseconds: Int64) {
    _ = readiness(of: descriptor, for: POLLIN, within: milliseconds(nanoseconds))
  }

  /// Waits until there is room to write, with the same limit; returns whether there is room, or
  /// never will be.
  package static func waitUntilWritable(_ descriptor: Int32, nanoseconds: Int64) -> Bool {
    readiness(of: descriptor, for: POLLOUT, within: milliseconds(nanoseconds)) != 0
  }

  /// Waits until one of two pipes can be read or has ended, with the same limit; -1 is no pipe.
  static func waitForOutput(_ output: Int32, _ error: Int32, _ nanoseconds: Int64) {
    LockWatch.assertUnlocked()
    _ = opool_await_output(-1, output, error, milliseconds(nanoseconds))
  }

  /// Whether a pipe is empty and has no writer any more.
  package static func hasLostWriters(_ pipe: Int32) -> Bool {
    LockWatch.assertUnlocked()
    return opool_has_lost_writers(pipe) != 0
  }

  /// Waits until reading would return at once.
  static func waitForData(_ descriptor: Int32) {
    _ = readiness(of: descriptor, for: POLLIN, within: -1)
  }

  /// Waits until there is room to write, or never will be.
  package static func waitForRoom(_ descriptor: Int32) {
    _ = readiness(of: descriptor, for: POLLOUT, within: -1)
  }

  /// Which of the events, or errors, there are within so many milliseconds; -1 waits without limit.
  ///
  /// A failure is an interruption, and counts as none; the caller's next call reports any other
  /// problem.
  private static func readiness(
    of descriptor: Int32,
    for events: Int32,
    within milliseconds: Int32 = 0
  ) -> Int32 {
    LockWatch.assertUnlocked()
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return poll(&entry, 1, milliseconds) > 0 ? Int32(entry.revents) : 0
  }

  private static func milliseconds(_ nanoseconds: Int64) -> Int32 {
    let (whole, rest) = max(nanoseconds, 0).quotientAndRemainder(dividingBy: 1_000_000)
    return Int32(clamping: rest > 0 ? whole + 1 : whole)
  }
}
