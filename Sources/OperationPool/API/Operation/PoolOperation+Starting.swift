import PoolCore
import PoolModel
import Synchronization

extension PoolOperation {
  /// Executes the operation without a queue, on ``PoolFleet/shared``.
  ///
  /// A ``PoolBlockOperation`` has finished when this returns. Any other operation goes on, and can
  /// be waited for like one in a queue. A cancelled operation finishes without being executed; no
  /// effect on a finished one.
  ///
  /// Throws ``PoolError`` if the operation waits for something, if it executes or is in a queue or
  /// a group already, and if no worker can execute it.
  public func start() throws(PoolError) {
    // Checked before a fleet is created, which may cost a thread, or fail.
    let answer = OperationRegistry.process.update(ifWanted: true) { transaction in
      mayStart(&transaction)
    }
    guard try answer.get() else { return }
    try start(on: PoolFleet.shared)
  }

  /// Executes the operation without a queue, on these workers; see ``start()``.
  public func start(on fleet: PoolFleet) throws(PoolError) {
    let queue = fleet.looseQueue
    let payloads = try PayloadEncoding.encode([self])
    let isStarted = try OperationRegistry.process.update { transaction throws(PoolError) in
      guard try mayStart(&transaction).get() else { return false }
      guard queue.takesOperations else { throw .shutDown(queue) }
      _ = try queue.admit([QueueEntry(operation: self, payload: payloads[0])], &transaction)
      return true
    }
    if isStarted, !isAsynchronous { try waitUntilFinished() }
  }

  /// Whether it can be started: not if it has ended, or was cancelled.
  private func mayStart(_ transaction: inout PoolEngine.Transaction) -> Result<Bool, PoolError> {
    let id = register(&transaction)
    leaveFormerGroup(&transaction)
    let (isAdded, isCancelled, isOver) = life.withLock { life in
      (life.isAdded, life.canceller != nil, life.settlement != nil)
    }
    // Checked under the operation's lock, so that the queue is not released here.
    let isLoose = life.withLock { $0.queue?.isLoose == true }
    let phase = transaction.phase(of: id)
    if isOver || phase == .finished { return .success(false) }
    if phase == .executing || isLoose {
      return .failure(PoolError(.alreadyExecuting, "'\(label)' was started before"))
    }
    if isAdded { return isCancelled ? .success(false) : .failure(.alreadyAdded(self)) }
    guard !isCancelled, phase == .pending, transaction.waits(id) else { return .success(true) }
    return .failure(PoolError(.notReady, "'\(label)' waits for \(obstacles(transaction))"))
  }

  private func obstacles(_ transaction: borrowing PoolEngine.Transaction) -> String {
    let unfinished = life.withLock { $0.dependencies.elements.map(\.operation) }.filter {
      guard let id = $0.life.withLock({ $0.id }) else { return true }
      return transaction.phase(of: id) != .finished
    }
    guard !unfinished.isEmpty else { return "a gate to be opened" }
    return unfinished.map { "'\($0.label)'" }.joined(separator: ", ")
  }
}

extension PoolFleet {
  /// The queue of operations that are started without one.
  fileprivate var looseQueue: QueueCore {
    if let queue = loose.withLock({ $0.queue }) { return queue }
    // Created outside the lock; if two threads do so at once, both queues are used.
    let queue = QueueCore(self, isLoose: true)
    loose.withLock { $0.queue = queue }
    return queue
  }
}
