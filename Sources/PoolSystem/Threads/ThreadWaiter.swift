import PoolModel
import Synchronization

/// One thread that waits for one event; another thread wakes it.
///
/// It shares nothing with other waiting threads: a wake-up costs at most one system call, however
/// many wait. If the thread's latest waits were short, it polls before it sleeps, and then neither
/// side needs the system.
package final class ThreadWaiter: Sendable {
  private enum State: UInt8, AtomicRepresentable {
    /// The thread has not gone to sleep.
    case awake
    /// The thread sleeps until the semaphore is signalled, or is about to.
    case asleep
    /// The event has come.
    case woken
  }

  private let state = Atomic(State.awake)
  private let semaphore = Semaphore()

  package init() {}

  /// Wakes the thread; called once, before or after it begins to wait.
  package func wake() {
    if state.exchange(.woken, ordering: .acquiringAndReleasing) == .asleep { semaphore.signal() }
  }

  /// Blocks the thread until it is woken; called once.
  package func wait() {
    LockWatch.assertUnlocked()
    let habit = RecentWaits.ofThread
    let start = MonotonicClock.now
    if habit?.policy.pays != true || !poll(since: start) { sleep() }
    habit?.policy.noteWait(of: MonotonicClock.now - start)
  }

  /// Looks for the event again and again; false if it did not come soon.
  private func poll(since start: Int64) -> Bool {
    repeat {
      if state.load(ordering: .acquiring) == .woken { return true }
      // The thread that will wake this one may be waiting for its processor.
      SystemThread.yieldProcessor()
    } while MonotonicClock.now - start < SpinPolicy.span
    return false
  }

  private func sleep() {
    let (isAsleep, _) = state.compareExchange(
      expected: .awake,
      desired: .asleep,
      ordering: .acquiringAndReleasing
    )
    if isAsleep { semaphore.wait() }
  }
}

/// The lengths of a thread's latest waits.
///
/// `@unchecked Sendable`: only its thread uses it.
private final class RecentWaits: @unchecked Sendable {
  private static let threads = ThreadObject()

  var policy = SpinPolicy()

  /// The calling thread's; nil if the system has no room for it.
  static var ofThread: RecentWaits? {
    if let habit = threads?.current { return unsafeDowncast(habit, to: RecentWaits.self) }
    let habit = RecentWaits()
    threads?.set(habit)
    return habit
  }
}
