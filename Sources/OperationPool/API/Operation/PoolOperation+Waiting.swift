import PoolSystem
import Synchronization

extension PoolOperation {
  /// Waits until the operation has finished and left its queue; blocks the thread.
  ///
  /// Throws ``PoolError`` with the code ``PoolError/Code/deadlock`` if the caller is a block, and
  /// the operation is known to wait for its end: it is the block's own operation or group, it
  /// depends on that, or a queue that executes one at a time has both.
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
}
