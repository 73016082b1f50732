package import PoolCore
package import PoolModel
package import PoolWire

/// Something that happened, as the one ordered stream of an engine tells it.
///
/// Each event has a number: that of the machine's decision that it follows from. Numbers never
/// fall. A reader that begins while the engine runs asks for the next number under the lock, and
/// leaves out what has a lower one; see ``PoolEngine/Transaction/nextEvent``.
package enum RunEvent: Sendable {
  /// An operation that is observed has changed.
  case changed(OperationID, OperationChange)
  /// A worker executes an operation.
  case started(OperationID, on: WorkerID, attempt: Int, at: Instant)
  /// An operation has said how far it has come.
  case progressed(OperationID, PoolProgress)
  /// An operation has said something to people.
  case logged(OperationID, Log)
  /// An operation has written a piece of its output; told where
  /// ``EngineClient/useOfOutput(of:)`` says so.
  case wrote(OperationID, OutputChunk)
  /// Lines that an operation has printed, or a worker between its operations; told where
  /// ``EngineClient/takesLines`` says so, in place of ``FleetEvent/wrote(_:_:)``.
  indirect case printed(OperationID?, PrintedLines)
  /// An attempt did not succeed, and another will be made.
  case retrying(Settlement, AttemptReport)
  /// An operation has its outcome.
  case settled(Settlement, AttemptReport)
  /// Something happened to the workers.
  indirect case fleet(FleetEvent)
  /// The time has come that ``PoolEngine/setRunDeadline(after:)`` has set.
  case deadlineCame
  /// Nothing was left in the queue at the end of the turn; told again whenever that becomes so.
  ///
  /// Other threads may have submitted more since; see ``PoolEngine/closeIfAtRest(_:)``.
  case rested
  /// All workers are gone; this is the last event.
  case stopped
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
  /// The last worker of a closed fleet is gone.
  case ended
}
