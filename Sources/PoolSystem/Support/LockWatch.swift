import CPoolSystem

/// Finds, in debug builds, system calls of a thread that holds a contended lock.
package enum LockWatch {
  /// The calling thread is about to take such a lock.
  package static func begin() { opool_count_locks(1) }

  /// It has released the lock.
  package static func end() { opool_count_locks(-1) }

  /// Whether the calling thread holds such a lock, as far as counted.
  package static var isLocked: Bool { opool_count_locks(0) > 0 }

  /// Called before a system call that may block.
  static func assertUnlocked(_ call: StaticString = #function) {
    assert(!isLocked, "\(call) while the thread has a lock that others want")
  }
}
