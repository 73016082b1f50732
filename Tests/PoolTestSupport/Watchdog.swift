import PoolModel
import PoolSystem

/// Turns a test that would hang into one that fails: does something about it after a minute.
package final class Watchdog: Sendable {
  private let isDone = Monitor(false)
  private let thread: SystemThread?

  /// Starts to watch.
  package init(_ rescue: @escaping @Sendable () -> Void) {
    let isDone = isDone
    thread = try? SystemThread.start(name: "watchdog", mask: .full) {
      let deadline = MonotonicClock.now + .seconds(300)
      if !isDone.wait(until: deadline, while: { !$0 }) { rescue() }
    }
  }

  deinit {
    isDone.withLock { $0 = true }
    isDone.broadcast()
    thread?.join()
  }
}
