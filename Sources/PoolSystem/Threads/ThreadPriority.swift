import CPoolSystem
package import PoolModel

/// How much of the machine a thread may have.
package enum ThreadPriority {
  /// Lowers the calling thread to a class, for good, with all that it starts from then on.
  ///
  /// An unprivileged thread can never be raised again, so the caller gives up a thread for this.
  /// Until its end the thread takes no lock that others want: what needs one is for the ``Deputy``.
  package static func lower(to qualityOfService: PoolQualityOfService) {
    let steps = qualityOfService.niceIncrement
    // A machine that refuses executes the operation at the usual class, which is no failure.
    guard steps > 0, Deputy.summon() else { return }
    _ = opool_lower_thread(steps)
    if qualityOfService == .background { _ = opool_set_idle_input_output() }
  }

  /// Whether a thread that was lowered to the class can be raised again: then so is the calling
  /// one, which was, and ends.
  package static func raise(from qualityOfService: PoolQualityOfService) -> Bool {
    opool_raise_thread(qualityOfService.niceIncrement) != 0
  }

  /// Whether the calling thread is lower than the process's first.
  package static var isLowered: Bool { opool_is_lowered() != 0 }
}
