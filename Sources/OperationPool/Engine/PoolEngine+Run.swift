import PoolCore
package import PoolModel
import PoolSystem

// Controls of a run: limits of its starts, stopping, and its end.

extension PoolEngine {
  /// Suspends or resumes a queue, as the closure says.
  ///
  /// The closure is called under the lock, so that of two threads that disagree the later one wins.
  package func suspend(_ queue: QueueID, while isSuspended: () -> Bool) {
    update { $0.machine.change(.suspended(isSuspended(), queue)) }
  }

  /// What limits of a queue's starts are decided from.
  package struct Starts: Hashable, Sendable {
    /// Number of operations of all queues that wait for a worker.
    package var ready: Int
    /// Number of slots taken by the queue's operations that workers have.
    package var assigned: Int
    /// Number of further dispatches that the queue is permitted.
    package var permits: Int

    package init(ready: Int, assigned: Int, permits: Int) {
      self.ready = ready
      self.assigned = assigned
      self.permits = permits
    }
  }

  /// What is ready and assigned now.
  package func starts(of queue: QueueID) -> Starts {
    read { shared in
      let (assigned, permits) = shared.machine.dispatcher.starts(of: queue)
      let ready = shared.machine.dispatcher.readyCount
      return Starts(ready: ready, assigned: assigned, permits: permits)
    }
  }

  /// Permits only as many further starts of a queue's operations as the closure says, which is
  /// called under the lock; also turns prefetch off for the queue.
  ///
  /// The closure is given another one, which says whether a numbered operation that was given to a
  /// worker has come back, to be given to another one.
  package func meter(_ queue: QueueID, permits: (Starts, (Int) -> Bool) -> Int) {
    update { transaction in
      let (assigned, left) = transaction.machine.dispatcher.starts(of: queue)
      let ready = transaction.machine.dispatcher.readyCount
      let starts = Starts(ready: ready, assigned: assigned, permits: left)
      let permits = permits(starts) { transaction.hasComeBack($0) }
      if permits != left { transaction.machine.change(.permits(permits, of: queue)) }
    }
  }

  /// Sets the number of slots that a queue's operations may take at once.
  package func setWidth(_ width: Int, of queue: QueueID) {
    update { _ = $0.setWidth(width, of: queue) }
  }

  /// How the end of a run treats the operations of its queue.
  package enum RunEnd: Sendable {
    /// Waiting operations are cancelled, and executing ones are torn down.
    case cancel
    /// No operation begins any longer, and executing ones finish.
    case drain
  }

  /// Ends the run of a queue; its workers end after the last operation, or now if there is none.
  package func end(_ end: RunEnd, of queue: QueueID, in fleet: FleetID) {
    update { transaction in
      switch end {
      case .cancel: transaction.machine.cancelAll(in: queue, at: transaction.now)
      case .drain: transaction.machine.cancelAll(in: queue, isDrain: true, at: transaction.now)
      }
      // If no operation is left to settle, no other event would end the workers.
      transaction.closeIfAtRest(fleet)
    }
  }

  /// Ends the workers of a run if every operation has settled; otherwise changes nothing, and
  /// ``RunEvent/becameIdle`` will come again.
  ///
  /// Between the turn that sends `becameIdle` and its handling, another thread may have submitted
  /// more.
  package func closeIfAtRest(_ fleet: FleetID) {
    update { $0.closeIfAtRest(fleet) }
  }

  /// Kills every executing operation at once, without the steps of its teardown sequence.
  package func killOperations() {
    update { $0.machine.supervise(.killOperations, at: $0.now) }
  }

  /// Kills every worker at once; its pending answers are dropped.
  package func killWorkers() {
    update { $0.machine.supervise(.killWorkers, at: $0.now) }
  }

  /// Stops the workers and commands by a signal, and then this process.
  ///
  /// If there is no loop, such as when a run only waits for readers of its output, nothing
  /// executes, and this thread stops the process. A loop never ends before it has performed the
  /// stop.
  package func stopAll(by signal: Int32) {
    update { $0.machine.supervise(.stopAll(signal), at: $0.now) }
    let hasLoop = NormalPriorityThread.execute { shared.withLock { $0.wakeUps.hasLoop } }
    if !hasLoop { stopProcess() }
  }

  /// Continues the workers and commands that a signal has stopped.
  package func continueAll(by signal: Int32) {
    update { $0.machine.supervise(.continueAll(signal), at: $0.now) }
  }

  /// Sends ``RunEvent/deadlinePassed`` after this number of nanoseconds.
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
