import PoolCore
package import PoolModel
import PoolSystem

// What a run wants of its pool: to hold back, and to end.

extension PoolEngine {
  /// Lets nothing be dispatched from a queue while the closure says so.
  ///
  /// The closure is called under the lock, so that of two threads that disagree the later one is
  /// right.
  package func suspend(_ queue: QueueID, while isSuspended: () -> Bool) {
    update { $0.machine.change(.suspended(isSuspended(), queue)) }
  }

  /// How far the starts of a queue's operations have come.
  package struct Starts: Hashable, Sendable {
    /// Operations that wait for a worker.
    package var ready: Int
    /// Slots of operations that workers have.
    package var assigned: Int
    /// How many more operations may be dispatched.
    package var permits: Int

    package init(ready: Int, assigned: Int, permits: Int) {
      self.ready = ready
      self.assigned = assigned
      self.permits = permits
    }
  }

  /// Lets only so many more operations of a queue start as the closure says, which is called under
  /// the lock; none is given to a worker ahead of time.
  package func meter(_ queue: QueueID, permits: (Starts) -> Int) {
    update { transaction in
      let (assigned, left) = transaction.machine.dispatcher.starts(of: queue)
      let ready = transaction.machine.dispatcher.readyCount
      let permits = permits(Starts(ready: ready, assigned: assigned, permits: left))
      if permits != left { transaction.machine.change(.permits(permits, of: queue)) }
    }
  }

  /// Changes how many slots of a queue's operations workers may have at once.
  package func setWidth(_ width: Int, of queue: QueueID) {
    update { _ = $0.setWidth(width, of: queue) }
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
    update { transaction in
      switch end {
      case .cancel: transaction.machine.cancelAll(in: queue, at: transaction.now)
      case .drain: transaction.machine.cancelAll(in: queue, isDrain: true, at: transaction.now)
      }
      // With nothing left to settle there is no other event that would end the workers.
      transaction.closeIfAtRest(fleet)
    }
  }

  /// Ends the workers of a run if every operation has settled; otherwise changes nothing, and
  /// ``RunEvent/rested`` comes again.
  ///
  /// When `rested` is handled, another thread may have submitted more since.
  package func closeIfAtRest(_ fleet: FleetID) {
    update { $0.closeIfAtRest(fleet) }
  }

  /// Ends every operation that executes at once: no step of its teardown sequence comes first.
  package func killOperations() {
    update { $0.machine.supervise(.killOperations, at: $0.now) }
  }

  /// Ends every worker at once, without what it could still say.
  package func killWorkers() {
    update { $0.machine.supervise(.killWorkers, at: $0.now) }
  }

  /// Stops what executes by a signal, and then this process.
  ///
  /// Without a loop, such as when a run only waits for readers of its output, nothing executes, and
  /// this thread stops the process. A loop does not end before it has performed the stop.
  package func stopAll(by signal: Int32) {
    update { $0.machine.supervise(.stopAll(signal), at: $0.now) }
    let hasLoop = NormalPriorityThread.execute { shared.withLock { $0.wakeUps.hasLoop } }
    if !hasLoop { stopProcess() }
  }

  /// Continues what a signal has stopped.
  package func continueAll(by signal: Int32) {
    update { $0.machine.supervise(.continueAll(signal), at: $0.now) }
  }

  /// Ends the run after so many nanoseconds; see ``RunEvent/deadlineCame``.
  package func setRunDeadline(after length: Int64) {
    update { $0.machine.supervisor.setRunDeadline($0.now.advanced(by: length)) }
  }
}

extension PoolEngine.Transaction {
  fileprivate mutating func closeIfAtRest(_ fleet: FleetID) {
    guard machine.graph.unsettledCount == 0 else { return }
    machine.supervise(.closeFleet(fleet), at: now)
  }
}
