import PoolCore
import PoolModel
import PoolSystem
import Synchronization

extension PoolOperation {
  /// Waits until the operation has finished and left its queue; blocks the thread.
  ///
  /// Throws ``PoolError`` where that would never be, as far as it can be seen: a block that waits
  /// for its own operation, or for another one of its own queue when that executes one at a time.
  public func waitUntilFinished() throws(PoolError) {
    try demandProgress()
    book.withLock { $0.hasWaiters = true }
    Self.waiters.wait(while: { _ in outcome == nil }, then: { _ in })
  }

  /// Waits until the operation has finished and left its queue, and returns how it ended.
  ///
  /// Cancelling the task that waits cancels the operation; its end is waited for all the same. One
  /// that is in no queue has no end yet: then a cancelled task is told at once that the operation
  /// was cancelled, which it will be when it is added to one or started.
  @discardableResult
  public func finished() async -> PoolOutcome {
    do {
      return try await end()
    } catch {
      return outcomeToCome
    }
  }

  /// Waits for the end as ``finished()`` does; throws in a cancelled task where the operation is in
  /// no queue.
  func end() async throws(CancellationError) -> PoolOutcome {
    let end: PoolOutcome? = await withTaskCancellationHandler {
      while true {
        if let outcome { return outcome }
        if Task.isCancelled, !mayEnd { return nil }
        await awaitOutcome()
      }
    } onCancel: {
      cancel(as: .task)
      wakeTasks()
    }
    guard let end else { throw CancellationError() }
    return end
  }

  /// Waits for the outcome, or until there may be a reason not to wait for it.
  private func awaitOutcome() async {
    let isInGroup = enclosingGroups.contains { $0.queue != nil }
    await withCheckedContinuation { continuation in
      let waits = book.withLock { book in
        // Asked under the lock: a task that is cancelled later wakes this continuation.
        guard book.settlement == nil, !Task.isCancelled || isInGroup || book.queue != nil else {
          return false
        }
        book.awaiting.append(continuation)
        return true
      }
      if !waits { continuation.resume() }
    }
  }

  /// Has all tasks that wait for the operation look whether they still have to.
  func wakeTasks() {
    let awaiting = book.withLock { book -> [CheckedContinuation<Void, Never>] in
      guard book.hasColdState else { return [] }
      defer { book.awaiting = [] }
      return book.awaiting
    }
    for continuation in awaiting { continuation.resume() }
  }

  /// Whether it, or a group that it is in, is in a queue, so that it will have an outcome.
  private var mayEnd: Bool { ([self] + enclosingGroups).contains { $0.queue != nil } }

  /// The outcome of an operation that was cancelled before it was in a queue.
  private var outcomeToCome: PoolOutcome {
    let registry = OperationRegistry.process
    let id = registry.update { register(&$0) }
    let settlement = Settlement(
      id,
      .cancelled,
      because: .request,
      root: id,
      detail: .none,
      attempt: 0,
      worker: nil,
      queued: nil,
      started: nil,
      finished: registry.engine.now
    )
    return PoolOutcome(settlement, .empty, cancelledBy: book.withLock { $0.canceller })
  }

  /// Refuses to wait where the caller holds up what it would wait for.
  private func demandProgress() throws(PoolError) {
    guard let current = PoolOperation.current, outcome == nil else { return }
    guard current !== self else {
      throw PoolError(.deadlock, "'\(label)' would wait for itself")
    }
    guard !current.enclosingGroups.contains(where: { $0 === self }) else {
      throw PoolError(.deadlock, "'\(current.label)' would wait for '\(label)', its own group")
    }
    guard let queue, current.queue === queue,
      OperationRegistry.process.engine.read({ $0.width(of: queue.id) }) == 1
    else { return }
    throw PoolError(
      .deadlock,
      "'\(current.label)' would wait for '\(label)', which their queue executes after it"
    )
  }
}
