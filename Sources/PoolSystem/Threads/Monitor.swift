#if canImport(Darwin)
public import Darwin
#else
public import Glibc
#endif

/// State behind a lock, with a condition to wait on.
///
/// The lock is held only within the closures; they must not call out, and must not use the same
/// monitor again.
///
/// Public, because other modules cannot inline methods of a package class.
///
/// `@unchecked Sendable`: the state is used only under the lock, which the compiler cannot see.
public final class Monitor<State: ~Copyable>: @unchecked Sendable {
  /// Accesses are not checked at run time: the lock separates them, and the check costs more than
  /// the lock.
  @exclusivity(unchecked) @usableFromInline var box: Box
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline let condition: UnsafeMutablePointer<pthread_cond_t>

  /// The state; never of size 0, because its address would be that of the object, and
  /// ThreadSanitizer would report reads of the object.
  @usableFromInline
  struct Box: ~Copyable {
    @usableFromInline var state: State
    private let spacer: UInt8 = 0

    init(_ state: consuming State) {
      self.state = state
    }
  }

  /// Starts with a state that no other owner keeps.
  package init(_ state: consuming sending State) {
    box = Box(state)
    // One allocation for both, because one for each costs more than the rest of this.
    let size = MemoryLayout<pthread_mutex_t>.stride
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: size + MemoryLayout<pthread_cond_t>.stride,
      alignment: 16
    )
    mutex = memory.initializeMemory(as: pthread_mutex_t.self, to: pthread_mutex_t())
    condition = (memory + size).initializeMemory(as: pthread_cond_t.self, to: pthread_cond_t())
    #if canImport(Darwin)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
    #else
    // A thread that finds the lock taken looks again for about a microsecond before it sleeps: most
    // closures take no longer, and waking a thread takes ten times as long.
    var type = pthread_mutexattr_t()
    pthread_mutexattr_init(&type)
    pthread_mutexattr_settype(&type, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
    pthread_mutex_init(mutex, &type)
    pthread_mutexattr_destroy(&type)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    UnsafeMutableRawPointer(mutex).deallocate()
  }

  /// Passes the state to the closure, under the lock.
  ///
  /// Inlinable, because a generic call across modules costs more than the lock.
  @inlinable
  package func withLock<Value, Failure: Error>(
    _ body: (inout State) throws(Failure) -> sending Value
  ) throws(Failure) -> sending Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&box.state)
  }

  /// The same; if another thread has the lock, calls the first closure before it waits.
  @inlinable
  package func withLock<Value, Failure: Error>(
    waiting wait: (_ takeLock: () -> Void) -> Void,
    _ body: (inout State) throws(Failure) -> sending Value
  ) throws(Failure) -> sending Value {
    if pthread_mutex_trylock(mutex) != 0 { wait { pthread_mutex_lock(mutex) } }
    defer { pthread_mutex_unlock(mutex) }
    return try body(&box.state)
  }

  /// The same if the lock is free; otherwise nil.
  @inlinable
  package func withLockIfAvailable<Value, Failure: Error>(
    _ body: (inout State) throws(Failure) -> sending Value
  ) throws(Failure) -> sending Value? {
    guard pthread_mutex_trylock(mutex) == 0 else { return nil }
    defer { pthread_mutex_unlock(mutex) }
    return try body(&box.state)
  }

  /// Waits while the condition holds, then passes the state to the closure under the same lock.
  @inlinable
  package func wait<Value>(
    while isWaiting: (borrowing State) -> Bool,
    then body: (inout State) -> sending Value
  ) -> sending Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while isWaiting(box.state) { pthread_cond_wait(condition, mutex) }
    return body(&box.state)
  }

  /// Waits while the condition holds, at most until the deadline, a time of `MonotonicClock`.
  ///
  /// Returns whether the condition ended in time.
  package func wait(until deadline: Int64, while isWaiting: (borrowing State) -> Bool) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while isWaiting(box.state) {
      guard MonotonicClock.now < deadline else { return false }
      waitOnce(until: deadline)
    }
    return true
  }

  /// Wakes one waiting thread.
  package func signal() { pthread_cond_signal(condition) }

  /// Wakes all waiting threads.
  package func broadcast() { pthread_cond_broadcast(condition) }

  private func waitOnce(until deadline: Int64) {
    #if canImport(Darwin)
    let rest = max(deadline - MonotonicClock.now, 0)
    var time = timespec(tv_sec: Int(rest / 1_000_000_000), tv_nsec: Int(rest % 1_000_000_000))
    pthread_cond_timedwait_relative_np(condition, mutex, &time)
    #else
    let seconds = Int(deadline / 1_000_000_000)
    var time = timespec(tv_sec: seconds, tv_nsec: Int(deadline % 1_000_000_000))
    pthread_cond_timedwait(condition, mutex, &time)
    #endif
  }
}
