import PoolCore
package import PoolModel

// What a run wants of its pool: to hold back, and to end.

extension PoolEngine {
  /// Lets nothing be dispatched from a queue while the closure says so.
  ///
  /// The closure is called under the lock, so that of two threads that disagree the later one is
  /// right.
  package func suspend(_ queue: QueueID, while isSuspended: () -> Bool) {
    update { shared, _ in shared.machine.setSuspended(isSuspended(), queue) }
  }

  /// How the end of a run treats the operations of its queue.
  package enum RunEnd: Sendable {
    /// What waits is cancelled, and what executes is made to end.
    case cancel
    /// Nothing more begins, and what executes comes to its end.
    case drain
  }

  /// Ends the run of a queue; its workers end with the last operation, or now if there is none.
  package func end(_ end: RunEnd, of queue: QueueID, in fleet: FleetID) {
    update { shared, now in
      switch end {
      case .cancel: shared.machine.cancelAll(in: queue, at: now)
      case .drain: shared.machine.drain(queue, at: now)
      }
      // With nothing left to settle there is no other event that would end the workers.
      if shared.machine.unsettledCount == 0 { shared.machine.closeFleet(fleet, at: now) }
    }
  }

  /// Ends every operation that executes at once: no step of its teardown sequence comes first.
  package func killOperations() {
    update { shared, now in shared.machine.killOperations(at: now) }
  }

  /// Ends every worker at once, without what it could still say.
  package func killWorkers() {
    update { shared, _ in shared.machine.killWorkers() }
  }

  /// Stops what executes by a signal, and then this process.
  package func stopAll(by signal: Int32) {
    update { shared, now in shared.machine.stopAll(by: signal, at: now) }
  }

  /// Continues what a signal has stopped.
  package func continueAll(by signal: Int32) {
    update { shared, _ in shared.machine.continueAll(by: signal) }
  }

  /// Ends the run after so many nanoseconds; see ``CoordinatorClient/runDeadlineCame()``.
  package func setRunDeadline(after length: Int64) {
    update { shared, now in shared.machine.setRunDeadline(now.advanced(by: length)) }
  }
}
