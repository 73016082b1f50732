package import PoolModel

/// One thing that the shell must do; the order of a list of effects is their meaning.
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
  /// Ask for an operation that was not started.
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
  /// Stop this process, until it is continued from outside.
  case stop
  /// Tell that the run's deadline has come.
  case runDeadline
  /// Close a worker's input: it ends when it has nothing left to do.
  case retire(WorkerID)
  /// Evaluate an operation's conditions and inputs; answered by `prepared`.
  case prepare(OperationID, UInt64)
  /// An operation that is observed has changed.
  case notifyChange(OperationID, OperationChange)
  /// An operation executes.
  case start(OperationID, WorkerID, attempt: Int)
  /// Pass on what an executing operation says of itself.
  case relay(OperationID, DetailID)
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
  case removeConfiguration(ConfigurationID)
}

/// Names a teardown sequence among those that were taken with the effects.
package struct TeardownID: Hashable, Sendable {
  package var rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }
}

/// Why a worker is signalled.
package enum SignalReason: UInt8, Hashable, Sendable, CaseIterable {
  /// What it executes is made to end.
  case teardown
  /// It broke the protocol.
  case violation
  /// It did not greet in time.
  case greeting
  /// It did not begin in time what it was given.
  case start
  /// It said nothing for too long, and did not answer when it was asked.
  case silence
  /// It stopped within a frame.
  case frame
  /// It had nothing more to say, or to do, and did not end in time.
  case end
  /// Everything is ended at once.
  case shutdown
}

/// What changes in the life of an operation beside its start, its retries and its end.
package enum OperationChange: UInt8, Hashable, Sendable {
  /// It can be executed.
  case ready
  /// It was ready, and waits for something again.
  case pending
  /// Its cancellation was requested.
  case cancelled
}

/// Where the shell keeps what a worker said with its answer; the core only carries the number.
@usableFromInline
package struct DetailID: Hashable, Sendable {
  @usableFromInline package var rawValue: UInt32

  @inlinable package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// No worker said anything.
  @inlinable package static var none: Self { Self(rawValue: .max) }
}

/// Why an operation ended as it did, where the worker's own answer does not say it.
package enum EndingCause: UInt8, Hashable, Sendable, CaseIterable {
  /// The worker's answer says it.
  case answer
  /// Its execution took longer than its timeout.
  case timeout
  /// It was cancelled.
  case request
  /// Its worker died.
  case workerDied
  /// Its worker broke the protocol.
  case violation
  /// Too many workers died while they executed it.
  case quarantined
  /// A dependency did not end as required.
  case dependency
  /// No worker that serves its kind can be started.
  case noWorker
  /// No worker serves its kind.
  case unservedKind
  /// A condition that it was to be executed under did not hold.
  case condition
  /// What it was to work on could not be made from what it depends on.
  case input
}

/// How one attempt, or the whole operation, ended.
///
/// Absent values are special values: optionals would make it half as large again.
package struct Settlement: Hashable, Sendable {
  package var operation: OperationID
  /// For a skipped operation the dependency that is the root cause, else the operation itself.
  package var root: OperationID
  package var ending: PoolEnding
  package var cause: EndingCause
  package var detail: DetailID
  private let attempts: UInt32
  /// Workers are numbered from 1.
  private let workerNumber: UInt32
  private let queuedAt: Instant
  private let startedAt: Instant
  package let finished: Instant

  package init(
    _ operation: OperationID,
    _ ending: PoolEnding,
    because cause: EndingCause,
    root: OperationID,
    detail: DetailID,
    attempt: UInt32,
    worker: WorkerID?,
    queued: Instant?,
    started: Instant?,
    finished: Instant
  ) {
    self.operation = operation
    self.ending = ending
    self.cause = cause
    self.root = root
    self.detail = detail
    attempts = attempt
    workerNumber = worker?.rawValue ?? 0
    queuedAt = queued ?? .distantFuture
    startedAt = started ?? .distantFuture
    self.finished = finished
  }

  /// Executions that had begun; 0 where there was none.
  package var attempt: Int { Int(attempts) }
  /// The worker of the last attempt.
  package var worker: WorkerID? { workerNumber == 0 ? nil : WorkerID(rawValue: workerNumber) }
  /// When it became ready, if it did.
  package var queued: Instant? { queuedAt == .distantFuture ? nil : queuedAt }
  /// When the last attempt began, if one did.
  package var started: Instant? { startedAt == .distantFuture ? nil : startedAt }
}

/// Every operation in memory that has ended has one of these.
let settlementSizeLimit = 56
