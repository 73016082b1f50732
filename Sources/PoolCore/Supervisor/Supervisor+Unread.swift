import PoolModel

// Workers that the loop does not read for a while, because the client accepts no more messages.
// Such a worker may block in the middle of a write, and its latest messages are unknown.

extension Supervisor {
  /// The loop stops reading the worker.
  ///
  /// Its limits are suspended until it is read again: heartbeats, timeouts, and the limits for a
  /// frame, its greeting and its end. Teardown sequences go on.
  mutating func pauseReading(_ worker: WorkerHandle, at now: Instant) {
    if workers[worker].unreadSince == nil { workers[worker].unreadSince = now }
  }

  /// The loop reads the worker again.
  mutating func resumeReading(_ worker: WorkerHandle, at now: Instant) {
    guard let since = workers[worker].unreadSince else { return }
    workers[worker].resume(after: now.nanoseconds - since.nanoseconds, at: now)
    arm(worker)
  }
}

extension WorkerLife {
  /// Whether its limits are suspended.
  var isExempt: Bool { unreadSince != nil && teardown == nil }

  /// Restarts its limits, after this number of nanoseconds in which it was not read.
  fileprivate mutating func resume(after time: Int64, at now: Instant) {
    unreadSince = nil
    deadline = deadline.advanced(by: time)
    if let head { self.head?.since = head.since.advanced(by: time) }
    head?.forgiven += time
    pingedAt = nil
    frame?.since = now
    lastReceivedAt = now
  }
}
