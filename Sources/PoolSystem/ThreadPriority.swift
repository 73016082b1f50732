import CPoolSystem
package import PoolModel

/// How much of the machine a thread may have.
package enum ThreadPriority {
  /// Lowers the calling thread to a class, for good, with all that it starts from then on.
  ///
  /// An unprivileged thread can never be raised again, so the caller gives up a thread for this.
  package static func lower(to qualityOfService: PoolQualityOfService) {
    let steps = qualityOfService.niceIncrement
    guard steps > 0 else { return }
    // A machine that refuses executes the operation at the usual class, which is no failure.
    _ = opool_lower_thread(steps)
    if qualityOfService == .background { _ = opool_set_idle_input_output() }
  }
}
