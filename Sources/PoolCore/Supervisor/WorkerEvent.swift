package import PoolModel

/// Events that concern the lives of workers alone.
package enum WorkerEvent: Hashable, Sendable {
  /// A measurement of a worker's memory; made now and then if there is a limit.
  case memoryMeasured(WorkerID, bytes: Int)
  /// The loop stops reading the worker.
  ///
  /// Its limits are suspended until it is read again: heartbeats, timeouts, and the limits for a
  /// frame, its greeting and its end. A teardown goes on, whether it begins before or after.
  case pauseReading(WorkerID)
  /// The loop reads the worker again.
  case resumeReading(WorkerID)
  /// A worker has broken the protocol: it is killed, and its exit will follow.
  case violated(WorkerID)
  /// A worker has begun to print where it crashes: it will end, and no timeout counts until then.
  case crashing(WorkerID)
  /// A worker will send nothing more, but has not ended; soon it is killed.
  case hungUp(WorkerID)
  /// A worker that could be on another machine has proved that it is on this one.
  case proved(WorkerID)
  /// A worker that could be on another machine has asked for its lease to be renewed, and is
  /// answered.
  case renewed(WorkerID)
  /// A worker that was asked to stop, and then to go on, does so.
  case continued(WorkerID)
  /// A worker that could be on another machine has answered a question after so many nanoseconds.
  case measured(WorkerID, roundTrip: Int64)
  /// More bytes wait for a worker's link than should, or no longer.
  case congested(WorkerID, Bool)
  /// Kills all workers and their operations at once.
  case killWorkers
  /// Kills all workers at once, except those that are tearing down their operations themselves:
  /// these live to deliver the output of their commands.
  case killOperations
  /// Stops all workers and their commands by a signal, and then this process.
  case stopAll(Int32)
  /// Continues all workers and their commands by a signal.
  case continueAll(Int32)
  /// Closes a fleet: its workers end after the operations that they have, and then it is forgotten.
  ///
  /// Operations in its queues stay there until they are cancelled.
  case closeFleet(FleetID)
}

extension Supervisor {
  /// Applies an event; ignores it if its worker is gone.
  mutating func apply(_ event: WorkerEvent, _ context: inout EventContext) {
    switch event {
    case .memoryMeasured(let id, let bytes):
      ifLiving(id) { $0.memoryMeasured($1, bytes: bytes, &context) }
    case .pauseReading(let id): ifLiving(id) { $0.pauseReading($1, at: context.now) }
    case .resumeReading(let id): ifLiving(id) { $0.resumeReading($1, at: context.now) }
    case .violated(let id): ifLiving(id) { $0.violated($1, &context) }
    case .crashing(let id): ifLiving(id) { $0.awaitCrash(of: $1, at: context.now) }
    case .hungUp(let id): ifLiving(id) { $0.expectEnd($1, at: context.now) }
    case .proved(let id): ifLiving(id) { $0.endLease(of: $1) }
    case .renewed(let id): ifLiving(id) { $0.renew($1, at: context.now) }
    case .continued(let id): ifLiving(id) { $0.noteContinued($1, at: context.now) }
    // The dispatcher's alone.
    case .measured, .congested: break
    case .killWorkers: killWorkers(&context)
    case .killOperations: killOperations(&context)
    case .stopAll(let signal): stopAll(by: signal, &context)
    case .continueAll(let signal): continueAll(by: signal, &context)
    case .closeFleet(let fleet): close(fleet, &context)
    }
  }

  private mutating func ifLiving(_ id: WorkerID, _ body: (inout Self, WorkerHandle) -> Void) {
    if let worker = worker(id) { body(&self, worker) }
  }
}
