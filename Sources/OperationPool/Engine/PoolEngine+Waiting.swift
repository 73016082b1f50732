import PoolCore
import PoolModel
import PoolSystem
import Synchronization

// How the loop waits, and how other threads end that.

extension PoolEngine {
  /// Workers that were not read because the client took no remarks are read again.
  package func readAgain() {
    post(.takesRemarks)
  }

  /// The loop is to look at what is new; returns what it must be woken with, if it must be.
  func rouse(_ shared: inout Shared) -> WakePipe? {
    if shared.isListening {
      shared.isListening = false
      hasNews.store(true, ordering: .releasing)
    }
    guard shared.isAsleep else { return nil }
    shared.isAsleep = false
    return shared.wakePipe
  }

  /// The loop has nothing to do for a while: returns for how many nanoseconds at most, nil without
  /// limit, and whether it looks for news meanwhile, or sleeps.
  func beginWaiting(
    _ shared: inout Shared,
    at now: Instant,
    _ spinPolicy: SpinPolicy
  ) -> (timeout: Int64?, listens: Bool) {
    // While all processors have something to do, the loop only keeps workers from it.
    let listens = spinPolicy.pays && shared.machine.busyWorkerCount < processors
    if listens { hasNews.store(false, ordering: .relaxed) }
    return (shared.beginWaiting(at: now, listening: listens), listens)
  }

  /// The loop has looked for long enough: returns whether it may sleep.
  func fallAsleep() -> Bool {
    defer { forgetReleased() }
    return shared.withLock { shared in
      guard shared.isListening else { return false }
      shared.isListening = false
      shared.isAsleep = true
      return true
    }
  }
}

extension PoolEngine.Shared {
  /// The loop is about to wait; returns how many nanoseconds at most, nil without limit.
  ///
  /// Whoever tells something from now on rouses it. Notices that came since it took them were told
  /// while it was awake, and so roused nobody: with these it does not wait.
  mutating func beginWaiting(at now: Instant, listening: Bool) -> Int64? {
    guard notices.isEmpty else { return 0 }
    isListening = listening
    isAsleep = !listening
    return machine.nextDeadline.map { $0.nanoseconds - now.nanoseconds }
  }
}
