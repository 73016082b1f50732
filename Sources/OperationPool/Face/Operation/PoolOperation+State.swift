import PoolCore
import Synchronization

// Where an operation stands, and how it is asked to end.

extension PoolOperation {
  /// Where the operation stands; mirrored from what its worker reports.
  public var state: State {
    let (outcome, isFree) = life.withLock { life in
      (life.outcome, life.id == nil && life.dependencies.isEmpty)
    }
    if outcome != nil { return .finished }
    if isFree { return .ready }
    // What was noted, only the machine knows whether it has ended.
    return OperationRegistry.process.update(ifWanted: true) { transaction in
      let id = register(&transaction)
      return State(
        transaction.phase(of: id),
        hasBegun: transaction.hasBegun(id),
        hasOutcome: life.withLock { $0.settlement != nil }
      )
    }
  }

  /// Whether it has ended, or is about to: then its outcome follows in a moment.
  var isOver: Bool {
    OperationRegistry.process.update(ifWanted: true) { transaction in
      transaction.phase(of: register(&transaction)) == .finished
    }
  }

  /// Whether it can be executed now.
  public var isReady: Bool { state == .ready }

  /// Whether a worker executes it.
  public var isExecuting: Bool { state == .executing }

  /// Whether it has ended, and its ``outcome`` is there.
  public var isFinished: Bool { state == .finished }

  /// Whether its cancellation was asked for; within a block of its own, also whether its timeout
  /// has passed.
  public var isCancelled: Bool { life.withLock { $0.canceller != nil } || isAskedToStopHere }

  /// How it ended; nil until it has, and its queue has let go of it.
  public var outcome: PoolOutcome? { life.withLock { $0.outcome } }

  /// How far it has come, as it said last; nil where it says nothing.
  public var progress: PoolProgress? { life.withLock { $0.progress } }

  /// Asks the operation to end: before it executes it never will; while it executes, the
  /// teardown sequence begins; when it has finished, nothing happens.
  ///
  /// One that waits leaves at once, whatever it waits for. One that is in no queue is marked, and
  /// ends when it is added to one or started.
  public func cancel() {
    cancel(as: .operation)
  }

  func cancel(as canceller: PoolCancellation.Origin) {
    OperationRegistry.process.update { transaction in
      // The machine knows first that it has finished.
      if let id = life.withLock({ $0.id }), !transaction.cancel(id) { return }
      markCancelled(by: canceller)
    }
    cancelMembers()
  }
}

extension PoolOperation.State {
  /// Where an operation stands, to its user.
  ///
  /// The machine knows first that one has ended. Until its outcome is there, it stands where it did.
  init(_ phase: OperationPhase, hasBegun: Bool, hasOutcome: Bool) {
    switch phase {
    case .pending: self = .pending
    case .ready: self = .ready
    case .executing: self = .executing
    case .finished where hasOutcome: self = .finished
    case .finished: self = hasBegun ? .executing : .ready
    }
  }
}
