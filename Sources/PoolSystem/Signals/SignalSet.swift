import CPoolSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Signals that are blocked until a thread waits for them.
package struct SignalSet: Sendable {
  private let signals: [ProcessSignal]

  package init(_ signals: [ProcessSignal]) {
    self.signals = signals
  }

  /// Blocks these signals in the calling thread, and unblocks all others.
  package func block() {
    SignalMask.apply(set)
  }

  /// Waits for one of them, until the deadline if there is one; nil if none came.
  package func wait(until deadline: Int64? = nil) -> ProcessSignal? {
    var set = set
    while true {
      let rest = deadline.map { max($0 - MonotonicClock.now, 0) }
      let number = opool_await_signal(&set, rest ?? -1)
      if number > 0 { return ProcessSignal(number) }
      if errno != EINTR { return nil }
    }
  }

  private var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal.number) }
    return set
  }
}
