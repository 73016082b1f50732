import PoolCore
import Synchronization

// The state of an operation, and its cancellation.

extension PoolOperation {
  /// The state; it follows the reports of the worker.
  public var state: State {
    let (outcome, isFree) = life.withLock { life in
      (life.outcome, life.id == nil && life.dependencies.isEmpty)
    }
    if outcome != nil { return .finished }
    if isFree { return .ready }
    // Only the machine knows whether a noted dependency has ended.
    return OperationRegistry.process.update(ifWanted: true) { transaction in
      let id = register(&transaction)
      return State(
        transaction.phase(of: id),
        hasBegun: transaction.hasBegun(id),
        hasOutcome: life.withLock { $0.settlement != nil }
      )
    }
  }

  /// Whether it has ended, so that its outcome is visible or will be in a moment.
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

  /// Whether it was cancelled; within one of its blocks, also whether its timeout has passed.
  public var isCancelled: Bool { life.withLock { $0.canceller != nil } || isAskedToStopHere }

  /// Its outcome; nil until it has ended and left its queue.
  public var outcome: PoolOutcome? { life.withLock { $0.outcome } }

  /// Its latest report of progress; nil if there was none.
  public var progress: PoolProgress? { life.withLock { $0.progress } }

  /// Cancels the operation: before its execution it will never execute; during it, the teardown
  /// sequence begins; after it, there is no effect.
  ///
  /// A waiting operation ends at once, whatever it waits for. One that is in no queue is marked,
  /// and ends when it is added to one or started.
  public func cancel() {
    cancel(as: .operation)
  }

  func cancel(as canceller: PoolCancellation.Origin) {
    OperationRegistry.process.update { transaction in
      // The machine is the first to know that it has finished.
      let id = life.withLock { $0.id }
      if let id, transaction.phase(of: id) == .finished { return }
      markCancelled(by: canceller)
      if hasMembers { markMembersCancelled(transaction) }
      if let id { _ = transaction.cancel(id) }
    }
  }
}

extension PoolOperation.State {
  /// The user's view of a phase.
  ///
  /// The machine is the first to know that an operation has ended. Until its outcome is visible,
  /// its state stays as it was.
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
