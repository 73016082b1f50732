import CPoolSystem
import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Checks whether the process may have one more thread.
package enum ThreadHeadroom {
  /// Whether a thread can be started: starts one to find out, and returns when the system does not
  /// count it any more.
  package static var isThere: Bool {
    let probe = Probe()
    guard
      let thread = try? SystemThread.start(name: "opool-headroom", mask: .full, { probe.note() })
    else { return false }
    thread.join()
    probe.awaitEnd()
    return true
  }

  private final class Probe: Sendable {
    private let number = Atomic<Int>(0)

    func note() {
      #if os(Linux)
      number.store(opool_thread_number(), ordering: .relaxed)
      #endif
    }

    /// A thread that was joined may still count for a moment.
    func awaitEnd() {
      #if os(Linux)
      let path = "/proc/self/task/\(number.load(ordering: .relaxed))"
      SystemThread.yield(atMost: 10_000) { access(path, F_OK) == 0 }
      #endif
    }
  }
}
