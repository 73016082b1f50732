import CPoolSystem

/// Finds, in debug builds, system calls of a thread that has a lock which others want.
package enum LockWatch {
  /// The calling thread is about to take such a lock.
  package static func begin() { opool_count_locks(1) }

  /// It has given the lock back.
  package static func end() { opool_count_locks(-1) }

  /// Whether the calling thread has such a lock, as far as that is counted.
  package static var isLocked: Bool { opool_count_locks(0) > 0 }

  /// Called where the system is called that may keep the thread waiting.
  static func assertUnlocked(_ call: StaticString = #function) {
    assert(!isLocked, "\(call) while the thread has a lock that others want")
  }
}
