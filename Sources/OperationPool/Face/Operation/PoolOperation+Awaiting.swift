import Synchronization

extension PoolOperation {
  /// Waits until the operation has finished and left its queue, and returns how it ended.
  ///
  /// In a task that is cancelled before, it throws `CancellationError`; the operation goes on, since
  /// others may wait for it. To have a task cancel what it waits for, use
  /// ``PoolOperationQueue/run(_:)-(Operation)``.
  @discardableResult
  public func finished() async throws(CancellationError) -> PoolOutcome {
    guard let number = beginAwaiting() else { return await end() }
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

  /// The number of a task that is about to wait; nil where the operation has finished.
  private func beginAwaiting() -> Int? {
    life.withLock { life in
      life.settlement == nil ? life.waiters.begin() : nil
    }
  }

  /// Waits for the outcome, or until ``endAwaiting(_:)`` is called.
  private func awaitEnd(as number: Int, unlessCancelled stops: Bool) async {
    await withCheckedContinuation { continuation in
      let waits = life.withLock { life in
        // Asked under the lock: what is cancelled later finds this continuation.
        guard life.settlement == nil, !stops || !Task.isCancelled else { return false }
        life.waiters.add(number, continuation)
        return true
      }
      if !waits { continuation.resume() }
    }
  }

  /// Lets one task go on that waits.
  private func endAwaiting(_ number: Int) {
    life.withLock { $0.waiters.remove(number) }?.resume()
  }
}
