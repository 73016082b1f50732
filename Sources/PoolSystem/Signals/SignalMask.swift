#if canImport(Darwin)
package import Darwin
#else
package import Glibc
#endif

/// The signals that are blocked in the calling thread.
package enum SignalMask: Sendable {
  /// None: the thread receives all signals.
  case empty
  /// All of them, so that another thread receives them.
  case full

  /// The mask in the system's form.
  package var set: sigset_t {
    var set = sigset_t()
    switch self {
    case .empty: sigemptyset(&set)
    case .full: sigfillset(&set)
    }
    return set
  }

  /// Sets the mask of the calling thread, and returns the earlier one.
  @discardableResult
  package func apply() -> sigset_t {
    Self.apply(set)
  }

  /// Sets the mask of the calling thread, and returns the earlier one.
  @discardableResult
  package static func apply(_ mask: sigset_t) -> sigset_t {
    var mask = mask
    var previous = sigset_t()
    pthread_sigmask(SIG_SETMASK, &mask, &previous)
    return previous
  }
}
