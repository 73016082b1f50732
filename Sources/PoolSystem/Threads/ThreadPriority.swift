import CPoolSystem
package import PoolModel

/// The priority of a thread.
package enum ThreadPriority {
  /// Lowers the calling thread to a class, permanently, with all threads and processes that it
  /// starts from then on.
  ///
  /// An unprivileged thread can never be raised again, so the caller gives up a thread for this.
  /// Until its end the thread must not take a lock that others want: the ``NormalPriorityThread``
  /// does that for it.
  package static func lower(to qualityOfService: PoolQualityOfService) {
    let steps = qualityOfService.niceIncrement
    // If the system refuses, the operation executes at the usual class, which is no failure.
    guard steps > 0, NormalPriorityThread.startIfNeeded() else { return }
    _ = opool_lower_thread(steps)
    if qualityOfService == .background { _ = opool_set_idle_input_output() }
  }

  /// Whether a thread that was lowered to the class can be raised again; if so, raises the calling
  /// thread, which was lowered and is about to end.
  package static func raise(from qualityOfService: PoolQualityOfService) -> Bool {
    opool_raise_thread(qualityOfService.niceIncrement) != 0
  }

  /// Whether the calling thread has a lower priority than the process's first one.
  package static var isLowered: Bool { opool_is_lowered() != 0 }
}
