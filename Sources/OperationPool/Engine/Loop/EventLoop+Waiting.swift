import PoolCore
import PoolModel
import PoolSystem

// How the loop waits: it spins for a while if that pays, and then sleeps.

extension EventLoop {
  /// Waits until there is something to do, or until the timeout.
  mutating func wait(_ decision: TurnDecision) {
    ready.removeAll(keepingCapacity: true)
    let timeout = limited(decision.timeout)
    guard timeout != 0 else { return poller.wait(nanoseconds: 0, into: &ready) }
    let start = MonotonicClock.now
    if decision.gathers, timeout ?? .max > PrefetchPolicy.gathering {
      // Messages of other threads still end the wait at once.
      SystemIO.waitUntilReadable(wakePipe.descriptor, nanoseconds: PrefetchPolicy.gathering)
    }
    if !decision.spins || !spin(since: start) {
      let waited = decision.gathers ? MonotonicClock.now - start : 0
      poller.wait(nanoseconds: timeout.map { max($0 - waited, 0) }, into: &ready)
    }
    spinPolicy.noteWait(of: MonotonicClock.now - start)
  }

  /// Spins until there is something to do; false if nothing came soon, and the loop should sleep.
  private mutating func spin(since start: Int64) -> Bool {
    repeat {
      poller.wait(nanoseconds: 0, into: &ready)
      if !ready.isEmpty || wakeFlag.isAwake { return true }
      // The thread that has a message may be waiting for this very processor.
      SystemThread.yieldProcessor()
    } while MonotonicClock.now - start < SpinPolicy.span
    return !engine.fallAsleep()
  }
}

extension PoolEngine {
  /// Ends the spinning; returns whether the loop may sleep.
  fileprivate func fallAsleep() -> Bool {
    defer { forgetReleased() }
    return shared.withLock { $0.wakeUps.fallAsleep() }
  }
}
