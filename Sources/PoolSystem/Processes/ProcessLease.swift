import CPoolSystem

/// The time at which this process, its guardian and all that it has started must have ended.
///
/// The kernel keeps it, with timers of both processes, so that it holds even for a stopped one. It
/// is put off again and again by a coordinator that may be on another machine.
package enum ProcessLease {
  /// Whether the system has what a lease needs.
  package static var isSupported: Bool {
    #if os(Linux)
    true
    #else
    false
    #endif
  }

  /// Nanoseconds of a clock that also goes on while the machine sleeps.
  package static var clock: Int64 { opool_lease_clock() }

  /// Whether the guardian has seen when the lease ends; if not, it may be stopped.
  package static var isShared: Bool { opool_is_lease_shared() != 0 }

  /// Sets the end.
  ///
  /// What executes is killed in the last two seconds before it. Throws where the guardian has not
  /// seen the time before, or the system cannot keep one.
  package static func set(until time: Int64) throws(SystemFailure) {
    guard opool_set_lease(time) == 0 else { throw .last("timer_create") }
  }
}
