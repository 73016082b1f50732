package import PoolModel

/// What becomes of workers, or is done to them, where it concerns their lives alone.
package enum WorkerEvent: Hashable, Sendable {
  /// So many bytes of memory are a worker's; told of those that have a limit, now and then.
  case memoryMeasured(WorkerID, bytes: Int)
  /// From now on nothing of what the worker says is read.
  ///
  /// Until it is read again no time runs against it: neither that of heartbeats nor of timeouts,
  /// nor for a frame, its greeting or its end. A teardown that has begun, or begins, takes its
  /// time.
  case pauseReading(WorkerID)
  /// The worker is read again.
  case resumeReading(WorkerID)
  /// A worker has broken the protocol: it is killed, and its exit will follow.
  case violated(WorkerID)
  /// A worker will send nothing more, but has not ended; soon it is killed.
  case hungUp(WorkerID)
  /// Ends all workers at once, with what they execute.
  case killWorkers
  /// Ends at once what is being ended, and all workers but those that can do that themselves: these
  /// live to hand over what their commands have written.
  case killOperations
  /// Stops all workers and the commands that they execute by a signal, and then this process.
  case stopAll(Int32)
  /// Lets all workers, and the commands that they execute, go on by a signal.
  case continueAll(Int32)
  /// Nothing more is expected of a fleet: its workers end when they have finished what they have,
  /// and then it is forgotten.
  ///
  /// What is in its queues by then stays there until it is cancelled.
  case closeFleet(FleetID)
}

extension Supervisor {
  /// Does what follows from an event; one about a worker that is gone is ignored.
  mutating func apply(_ event: WorkerEvent, _ context: inout EventContext) {
    switch event {
    case .memoryMeasured(let id, let bytes):
      ifLiving(id) { $0.memoryMeasured($1, bytes: bytes, &context) }
    case .pauseReading(let id): ifLiving(id) { $0.pauseReading($1, at: context.now) }
    case .resumeReading(let id): ifLiving(id) { $0.resumeReading($1, at: context.now) }
    case .violated(let id): ifLiving(id) { $0.violated($1, &context) }
    case .hungUp(let id): ifLiving(id) { $0.expectEnd($1, at: context.now) }
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
