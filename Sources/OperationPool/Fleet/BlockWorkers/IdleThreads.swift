import PoolSystem
import Synchronization

/// Threads that sleep until there is work for them; the one that fell asleep last is woken first.
///
/// So few threads do the work, and the others end in time. With one condition for all, each would
/// be woken in turn, and a wake-up would cost more the more threads sleep.
final class IdleThreads: Sendable {
  private struct Sleepers {
    var others: [Sleeper] = []
    /// Threads that are woken only if no other sleeps.
    var last: [Sleeper] = []
  }

  /// A thread that sleeps now and then; true when it is woken.
  typealias Sleeper = Monitor<Bool>

  private let sleepers = Mutex(Sleepers())

  /// Blocks the thread, whose own `sleeper` this is, until it is woken or the deadline, a time of
  /// `MonotonicClock`, has passed.
  ///
  /// Does not block if the closure, which is called when others can already wake the thread, says
  /// that there is a reason to be awake. A thread with `isLast` is woken after all others.
  func sleep(
    _ sleeper: Sleeper,
    until deadline: Int64,
    isLast: Bool,
    while isIdle: () -> Bool
  ) {
    sleeper.withLock { $0 = false }
    sleepers.withLock { sleepers in
      if isLast { sleepers.last.append(sleeper) } else { sleepers.others.append(sleeper) }
    }
    if isIdle(), sleeper.wait(until: deadline, while: { !$0 }) { return }
    sleepers.withLock { sleepers in
      if isLast {
        sleepers.last.removeAll { $0 === sleeper }
      } else {
        sleepers.others.removeAll { $0 === sleeper }
      }
    }
  }

  /// Wakes a thread, if one sleeps.
  func wakeOne() {
    let sleeper = sleepers.withLock { sleepers in
      let sleeper = sleepers.others.popLast() ?? sleepers.last.popLast()
      // Under the lock: later, the thread might be in its next sleep.
      sleeper?.withLock { $0 = true }
      return sleeper
    }
    sleeper?.signal()
  }

  /// Wakes all threads.
  func wakeAll() {
    let all = sleepers.withLock { sleepers in
      let all = sleepers.others + sleepers.last
      for sleeper in all { sleeper.withLock { $0 = true } }
      sleepers = Sleepers()
      return all
    }
    for sleeper in all { sleeper.signal() }
  }
}
