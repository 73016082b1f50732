#if canImport(Darwin)
package import Darwin
#else
package import Glibc
#endif

/// Which signals the calling thread lets in.
package enum SignalMask: Sendable {
  /// All of them.
  case empty
  /// None of them, so that another thread takes them.
  case full

  /// The mask as the system writes it.
  package var set: sigset_t {
    var set = sigset_t()
    switch self {
    case .empty: sigemptyset(&set)
    case .full: sigfillset(&set)
    }
    return set
  }

  /// Gives the calling thread this mask, and returns the mask that it had.
  @discardableResult
  package func apply() -> sigset_t {
    Self.apply(set)
  }

  /// Gives the calling thread a mask, and returns the mask that it had.
  @discardableResult
  package static func apply(_ mask: sigset_t) -> sigset_t {
    var mask = mask
    var previous = sigset_t()
    pthread_sigmask(SIG_SETMASK, &mask, &previous)
    return previous
  }
}
