import PoolModel

// Workers that are not read for a while, on purpose: what they say cannot be passed on. They may be
// stopped in the middle of a write, and what they have said by now is not known.

extension Supervisor {
  /// From now on nothing of what the worker says is read.
  ///
  /// Until it is read again no time runs against it: neither that of heartbeats nor of timeouts,
  /// nor for a frame, its greeting or its end. A teardown that has begun, or begins, takes its
  /// time.
  mutating func unread(_ worker: WorkerHandle, at now: Instant) {
    if workers[worker].unreadSince == nil { workers[worker].unreadSince = now }
  }

  /// The worker is read again.
  mutating func readAgain(_ worker: WorkerHandle, at now: Instant) {
    guard let since = workers[worker].unreadSince else { return }
    workers[worker].resume(after: now.nanoseconds - since.nanoseconds, at: now)
    arm(worker)
  }
}

extension WorkerLife {
  /// Whether no time runs against it.
  var isExempt: Bool { unreadSince != nil && teardown == nil }

  /// It was not read for so many nanoseconds.
  fileprivate mutating func resume(after time: Int64, at now: Instant) {
    unreadSince = nil
    deadline = deadline.advanced(by: time)
    if let front { self.front?.since = front.since.advanced(by: time) }
    front?.forgiven += time
    pingedAt = nil
    frame?.since = now
    heardAt = now
  }
}
