import PoolSystem
import Synchronization

/// State behind a lock that some threads take in a loop, and others now and then.
///
/// A thread that releases the lock and takes it again at once is faster than a waiter, which must
/// be woken first: the waiter would starve. Handing the lock over would prevent that, but would
/// cost a change of threads each time. So a thread that takes the lock in a loop calls
/// ``letOthersGoFirst(for:)`` in between.
final class YieldingLock<State: ~Copyable>: Sendable {
  private let monitor: Monitor<State>
  /// Threads that wait for the lock.
  private let waiterCount = Atomic(0)

  init(_ state: consuming sending State) {
    monitor = Monitor(state)
  }

  /// Lends the state to the closure, under the lock.
  @inline(__always)
  func withLock<Value, Failure: Error>(
    _ body: (inout State) throws(Failure) -> sending Value
  ) throws(Failure) -> sending Value {
    NormalPriorityThread.assertNotLowered()
    #if DEBUG
    LockWatch.begin()
    defer { LockWatch.end() }
    #endif
    return try monitor.withLock(waiting: countWaiting, body)
  }

  /// Counts the thread while it waits.
  ///
  /// Mostly the lock is free, and counting would cost more than locking.
  private func countWaiting(_ takeLock: () -> Void) {
    waiterCount.add(1, ordering: .relaxed)
    takeLock()
    waiterCount.subtract(1, ordering: .relaxed)
  }

  /// Waits while the condition holds, then calls the closure under the same lock.
  func wait<Value>(
    while isWaiting: (borrowing State) -> Bool,
    then body: (inout State) -> sending Value
  ) -> sending Value {
    monitor.wait(while: isWaiting, then: body)
  }

  /// Wakes one thread that waits for a condition.
  func signal() { monitor.signal() }

  /// Like ``withLock(_:)`` if the lock is free, else nil.
  func withLockIfAvailable<Value>(_ body: (inout State) -> sending Value) -> sending Value? {
    NormalPriorityThread.assertNotLowered()
    #if DEBUG
    LockWatch.begin()
    defer { LockWatch.end() }
    #endif
    return monitor.withLockIfAvailable(body)
  }

  /// Whether a thread waits for the lock.
  var isWanted: Bool { waiterCount.load(ordering: .relaxed) > 0 }

  /// Returns when no thread waits for the lock, or after this number of nanoseconds.
  ///
  /// The limit is about the time that waking a thread takes. The caller must not hold the lock.
  func letOthersGoFirst(for limit: Int64 = SpinPolicy.span) {
    guard isWanted else { return }
    let start = MonotonicClock.now
    repeat {
      SystemThread.yieldProcessor()
    } while isWanted && MonotonicClock.now - start < limit
  }
}
