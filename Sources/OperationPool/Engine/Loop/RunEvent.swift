package import PoolCore
package import PoolModel
package import PoolWire

/// An event, as the engine's one ordered stream delivers it.
///
/// Each event has the number of the effect that it follows from. Numbers never decrease. A reader
/// that begins while the engine runs asks for the next number under the lock, and ignores events
/// with a lower one; see ``PoolEngine/Transaction/nextEvent``.
package enum RunEvent: Sendable {
  /// An operation that is observed has changed.
  case changed(OperationID, OperationChange)
  /// A worker executes an operation.
  case started(OperationID, on: WorkerID, attempt: Int, at: Instant)
  /// An operation has reported its progress.
  case progressed(OperationID, PoolProgress)
  /// An operation has logged a line.
  case logged(OperationID, Log)
  /// A worker has logged a line about an operation that it had answered; the operation may have
  /// been forgotten, and its number is only what the worker says.
  case loggedLate(OperationID, Log)
  /// An operation has written a piece of its output; sent if
  /// ``EngineClient/useOfOutput(of:)`` asks for it.
  case wrote(OperationID, OutputChunk)
  /// Lines that an operation has printed, or a worker between its operations; sent instead of
  /// ``FleetEvent/wrote(_:_:)`` if ``EngineClient/takesLines`` is true.
  indirect case printed(OperationID?, PrintedLines)
  /// An attempt did not succeed, and another one follows.
  case retrying(Settlement, AttemptReport)
  /// An operation has its outcome.
  case settled(Settlement, AttemptReport)
  /// An event about the workers.
  indirect case fleet(FleetEvent)
  /// The deadline set by ``PoolEngine/setRunDeadline(after:)`` has passed.
  case deadlinePassed
  /// The last unsettled operation has settled in this turn; sent each time that this happens.
  ///
  /// Other threads may have submitted more since; see ``PoolEngine/closeIfAtRest(_:)``.
  case becameIdle
  /// All workers are gone; this is the last event.
  case stopped
}

/// What happens to workers.
package enum FleetEvent: Sendable {
  /// A worker has greeted.
  case greeted(WorkerID, GreetedWorker)
  /// A worker that may be on another machine has answered a question after so many nanoseconds.
  case measured(WorkerID, host: String?, roundTrip: Int64)
  /// A worker sent a message of an unknown type, which was skipped.
  case unknownMessage(WorkerID, String)
  /// A worker wrote to its standard error.
  case wrote(WorkerID, [UInt8])
  /// A worker is gone.
  case died(PoolWorkerDeath)
  /// The first worker of a worker configuration has announced its kinds.
  case announced(ConfigurationID)
  /// A worker could not be started because of a shortage; the other workers of its configuration go
  /// on.
  case metShortage(ConfigurationID, PoolWorkerDeath?)
  /// A worker configuration is given up, because its workers keep dying; with the last death, and
  /// the number of workers that go on.
  case gaveUp(ConfigurationID, PoolWorkerDeath?, serving: Int)
  /// A worker configuration that was given up is tried again, for operations added since.
  case reopened(ConfigurationID)
  /// The last worker of a closed fleet is gone.
  case ended(FleetID)
}

/// What is known of a worker that has greeted.
package struct GreetedWorker: Sendable {
  package var configuration: ConfigurationID
  /// Its process; nil for a block worker.
  package var process: Int32?
  /// What its machine is called, if that is not certainly this one.
  package var host: String?
  /// What it wrote before.
  package var noise: [UInt8]
}
