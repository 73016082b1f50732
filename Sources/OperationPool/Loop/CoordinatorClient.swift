package import PoolCore
package import PoolModel
package import PoolWire

/// What a worker needs to execute an operation.
package struct OperationExecution: Sendable {
  package var kind: String
  package var qualityOfService: PoolQualityOfService
  /// JSON.
  package var payload: [UInt8]
  /// Its name for people, where it was given one.
  package var name: String?
  /// The name of its queue, where that was given one.
  package var queueName: String?
  /// What others made for it; see ``InputContent/prepare()``.
  package var inputs: [ExecutionInput] = []
  /// What an in-process worker executes.
  var operation: PoolOperation?

  package init(kind: String, qualityOfService: PoolQualityOfService, payload: [UInt8]) {
    self.kind = kind
    self.qualityOfService = qualityOfService
    self.payload = payload
  }
}

/// Whoever submits operations to a ``PoolEngine``: it is asked for what they are, and told how
/// they go.
///
/// All methods are called on the coordinator's thread, one at a time, in the order of what
/// happened, and never under a lock.
package protocol CoordinatorClient: AnyObject, Sendable {
  /// What the operation is; asked at each dispatch, so that it need not be kept in memory.
  func execution(of operation: OperationID) -> OperationExecution

  /// Writes the `execute` messages of the dispatches that these effects begin with and that go to
  /// one worker, up to the first whose operation has more than what each one has, or of which less
  /// is known than ``execution(of:)`` says; returns how many there were.
  func write(_ effects: ArraySlice<Effect>, into writer: inout JSONWriter) -> Int

  /// Whether an operation may leave for a worker; asked before each dispatch that
  /// ``execution(of:)`` describes, when all that this turn decided before it has been told.
  ///
  /// What dispatches rest on must be kept before the first of them leaves. An operation that may
  /// not leave settles as failed, or as cancelled if it was to be.
  func mayDispatch() -> Bool

  /// The operation's dependencies have ended: evaluates its conditions and makes its inputs.
  ///
  /// Must return at once, and call the closure once, on whatever thread.
  func prepare(
    _ operation: OperationID,
    _ finished: @escaping @Sendable (Preparation) -> Void
  )

  /// An operation that is observed has changed.
  func operation(_ operation: OperationID, changed change: OperationChange)

  /// A worker executes the operation.
  func operationStarted(_ operation: OperationID, on worker: WorkerID, attempt: Int, at: Instant)

  /// The operation has said how far it has come.
  func operation(_ operation: OperationID, progressed progress: Progress)

  /// The operation has said something to people.
  func operation(_ operation: OperationID, logged log: Log)

  /// Whether the client can take what workers and operations say to people.
  ///
  /// While it cannot, a worker that says something is not read, until
  /// ``PoolEngine/readAgain()``: its pipe fills up, and it waits.
  var takesRemarks: Bool { get }

  /// An attempt did not succeed, and another will be made.
  func operationRetries(_ settlement: Settlement, _ report: AttemptReport)

  /// The operation has its outcome.
  func operationSettled(_ settlement: Settlement, _ report: consuming AttemptReport)

  /// Something happened to the workers.
  func fleetChanged(_ event: FleetEvent)

  /// The time has come that the machine was told of.
  func runDeadlineCame()

  /// All that was decided in a turn has been told, and nothing of it has left the process yet:
  /// what must be kept before others act on it, is kept now.
  func coordinatorHasTold()

  /// Nothing is left in the queue; called again whenever that becomes so.
  func coordinatorRests()

  /// All workers are gone, and nothing more will be called.
  func coordinatorStopped()
}

/// What happens to workers.
package enum FleetEvent: Sendable {
  /// A worker has greeted, after these bytes of noise.
  case greeted(WorkerID, noise: [UInt8])
  /// A worker sent a message of a type that is not known here; it was skipped.
  case unknownMessage(WorkerID, String)
  /// A worker wrote to its standard error.
  case wrote(WorkerID, [UInt8])
  /// A worker is gone.
  case died(PoolWorkerDeath)
  /// The first worker of a worker configuration has said what it serves.
  case announced(ConfigurationID)
  /// A worker could not be started for want of something; the others of its worker configuration go
  /// on.
  case wentOn(ConfigurationID, PoolWorkerDeath?)
  /// A worker configuration's workers cannot be kept alive; this was the last death, and so many go
  /// on.
  case gaveUp(ConfigurationID, PoolWorkerDeath?, serving: Int)
  /// A worker configuration that was given up is tried again, for what has been added since.
  case triedAgain(ConfigurationID)
}

extension CoordinatorClient {
  /// Nothing is known to be so simple.
  package func write(_ effects: ArraySlice<Effect>, into writer: inout JSONWriter) -> Int { 0 }

  /// Nothing must be kept.
  package func mayDispatch() -> Bool { true }

  /// Everything can be taken at once.
  package var takesRemarks: Bool { true }

  /// Nothing is to be prepared.
  package func prepare(
    _ operation: OperationID,
    _ finished: @escaping @Sendable (Preparation) -> Void
  ) {
    finished(.ready)
  }

  /// Nobody has set a deadline for the run.
  package func runDeadlineCame() {}

  /// Nothing must be kept.
  package func coordinatorHasTold() {}

  /// Nothing is observed.
  package func operation(_ operation: OperationID, changed change: OperationChange) {}
}
