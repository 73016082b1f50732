package import PoolModel

/// One thing that the loop must do; the order of a list of effects is their meaning.
///
/// It holds no references, so that a list of effects is copied without reference counting.
package enum Effect: Hashable, Sendable {
  /// Start a worker by a worker configuration; answered by `workerGreeted` or `workerExited`.
  case spawn(WorkerID, ConfigurationID)
  /// Answer a worker's greeting, which was accepted. The slot is a number from 1 that no other
  /// living worker has; it is reused after the worker's end.
  case welcome(WorkerID, slot: UInt32)
  /// Send an operation to a worker.
  case dispatch(WorkerID, DispatchReference, attempt: Int)
  /// Recall an operation that the worker has not started.
  case recall(WorkerID, DispatchReference)
  /// Ask a worker to stop an operation, by the teardown sequence of this number; see
  /// ``EventContext/take(_:_:)``.
  case requestCancel(WorkerID, DispatchReference, TeardownID)
  /// A step is taken to make an operation end; for its record.
  case recordStep(OperationID, PoolTeardownSequence.Action, at: Instant)
  /// Signal a worker's process group.
  case signal(WorkerID, Int32, SignalReason)
  /// Ask a worker whether it is there.
  case ping(WorkerID, UInt64)
  /// Pass a signal on to a worker, which may go on.
  case forwardSignal(WorkerID, Int32)
  /// Pass a signal on to the process group that a worker has named.
  case forwardSignalToGroup(WorkerID, group: Int32, Int32)
  /// Ask a worker to stop what it executes, or to go on with it.
  case stopFar(WorkerID, isOn: Bool)
  /// Stop this process, until it is continued from outside.
  case stop
  /// Tell that the run's deadline has come.
  case runDeadline
  /// Close a worker's input: it ends when it has nothing left to do.
  case retire(WorkerID)
  /// A worker that could not be reached has ended, or is not waited for: say once more that it has
  /// exited.
  case lapse(WorkerID)
  /// Evaluate an operation's conditions and inputs; answered by `prepared`.
  case prepare(OperationID, UInt64)
  /// An operation that is observed has changed.
  case notifyChange(OperationID, OperationChange)
  /// An operation executes.
  case start(OperationID, WorkerID, attempt: Int)
  /// Pass on what an executing operation says of itself.
  case passOn(OperationID, DetailID)
  /// An attempt did not succeed, and another will be made.
  case retry(Settlement)
  /// A worker's death is held against an operation: it was executing it, or about to.
  case blame(OperationID, WorkerID, DetailID)
  /// An operation has its outcome.
  case settle(Settlement)
  /// What a worker configuration's workers serve is known.
  case announce(ConfigurationID)
  /// The system lacks a resource for one more worker of a worker configuration; the others go on.
  case meetShortage(ConfigurationID)
  /// A worker configuration's workers cannot be kept alive; no more will be started, and `serving`
  /// workers go on.
  case giveUp(ConfigurationID, serving: Int)
  /// A worker configuration that was given up is tried again, for what has been added since.
  case reopen(ConfigurationID)
  /// A worker configuration's fleet is closed and its last worker gone: its number will name
  /// another one.
  case removeConfiguration(ConfigurationID, of: FleetID)
}

/// Names a teardown sequence among those that were taken with the effects.
package struct TeardownID: Hashable, Sendable {
  package var rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }
}

/// What changes in the life of an operation beside its start, its retries and its end.
package enum OperationChange: UInt8, Hashable, Sendable {
  /// It can be executed.
  case ready
  /// It was ready, and waits for something again.
  case pending
  /// Its cancellation was requested.
  case cancelled
  /// It is a group, and holds its members back no longer.
  case opened
  /// Its group ends, and it is cancelled; told of every member, observed or not.
  case cancelledWithGroup
}
