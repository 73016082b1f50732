import PoolCore
import PoolModel
import PoolSystem
import Synchronization

extension PoolOperation {
  /// Waits until the operation has finished and left its queue; blocks the thread.
  ///
  /// Throws ``PoolError`` if the wait could never end and this can be detected: a block that waits
  /// for its own operation, or for another one of its own queue if that executes one at a time.
  @available(*, noasync, message: "await finished(), which blocks no thread")
  public func waitUntilFinished() throws(PoolError) {
    try demandProgress()
    let waiter = life.withLock { life -> ThreadWaiter? in
      guard life.settlement == nil else { return nil }
      let waiter = ThreadWaiter()
      life.waiters.add(waiter)
      return waiter
    }
    waiter?.wait()
  }

  /// Throws if the caller blocks the operation that it would wait for.
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
