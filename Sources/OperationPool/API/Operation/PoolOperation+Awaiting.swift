import Synchronization

extension PoolOperation {
  /// Waits until the operation has finished and left its queue, and returns its outcome.
  ///
  /// If the task is cancelled before, throws `CancellationError`; the operation goes on, because
  /// others may wait for it. ``PoolOperationQueue/run(_:)-(Operation)`` ties an operation to a task
  /// instead.
  ///
  /// In a block's own task, throws ``PoolError`` for the same reasons as ``waitUntilFinished()``. A
  /// task that the block has started, also by `async let` or in a group of tasks, may wait: it may
  /// outlive the block, and it is not known whether the block awaits it. If the block does, the
  /// wait lasts until the operation or that task is cancelled.
  @discardableResult
  public func finished() async throws -> PoolOutcome {
    guard let number = beginAwaiting() else { return await end() }
    do {
      try demandProgress()
    } catch {
      endAwaiting(number)
      throw error
    }
    await withTaskCancellationHandler {
      await awaitEnd(as: number, unlessCancelled: true)
    } onCancel: {
      endAwaiting(number)
    }
    guard let outcome else { throw CancellationError() }
    return outcome
  }

  /// Waits until the operation has finished and left its queue, even in a cancelled task.
  func end() async -> PoolOutcome {
    while true {
      if let outcome { return outcome }
      if let number = beginAwaiting() { await awaitEnd(as: number, unlessCancelled: false) }
    }
  }

  /// A number for a task that is about to wait; nil if the operation has finished.
  private func beginAwaiting() -> Int? {
    life.withLock { life in
      life.settlement == nil ? life.waiters.begin() : nil
    }
  }

  /// Waits for the outcome, or until ``endAwaiting(_:)`` is called.
  private func awaitEnd(as number: Int, unlessCancelled stops: Bool) async {
    await withCheckedContinuation { continuation in
      let waits = life.withLock { life in
        // Checked under the lock: a later cancellation finds this continuation.
        guard life.settlement == nil, !stops || !Task.isCancelled else { return false }
        life.waiters.add(number, continuation)
        return true
      }
      if !waits { continuation.resume() }
    }
  }

  /// Resumes one task that waits.
  private func endAwaiting(_ number: Int) {
    life.withLock { $0.waiters.remove(number) }?.resume()
  }
}
