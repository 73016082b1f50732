import PoolCore
import PoolModel
import PoolSystem

// How the loop waits: it listens for a while where that pays, and then sleeps.

extension EventLoop {
  /// Waits until something can be done, or until the time is over.
  mutating func wait(_ outlook: Outlook) {
    ready.removeAll(keepingCapacity: true)
    let timeout = limited(outlook.timeout)
    guard timeout != 0 else { return poller.wait(nanoseconds: 0, into: &ready) }
    let start = MonotonicClock.now
    if outlook.gathers, timeout ?? .max > PrefetchPolicy.gathering {
      // Other threads are heard at once.
      SystemIO.waitUntilReadable(wakePipe.descriptor, nanoseconds: PrefetchPolicy.gathering)
    }
    if !outlook.listens || !listen(since: start) {
      poller.wait(nanoseconds: timeout, into: &ready)
    }
    spinPolicy.noteWait(of: MonotonicClock.now - start)
  }

  /// Looks for something to do; false where nothing came soon, and the loop sleeps.
  private mutating func listen(since start: Int64) -> Bool {
    repeat {
      poller.wait(nanoseconds: 0, into: &ready)
      if !ready.isEmpty || wakeFlag.isAwake { return true }
      // The thread with the news may be waiting for this very processor.
      CurrentProcess.yieldProcessor()
    } while MonotonicClock.now - start < SpinPolicy.span
    return !engine.fallAsleep()
  }
}

extension PoolEngine {
  /// The loop has listened for long enough; returns whether it may sleep.
  fileprivate func fallAsleep() -> Bool {
    defer { forgetReleased() }
    return shared.withLock { $0.wakeUps.fallAsleep() }
  }
}
