import PoolModel

// Pings workers that execute for long, or do not begin.

extension Supervisor {
  /// A worker has sent something; `frame` is the unfinished rest.
  mutating func heard(_ worker: WorkerHandle, within frame: PartialFrame?, at now: Instant) {
    workers[worker].lastReceivedAt = now
    if frame != nil || workers[worker].frame != nil { note(frame, of: worker, at: now) }
    guard workers[worker].pingedAt != nil else { return }
    // The next ping is due earlier than the kill would have been.
    workers[worker].pingedAt = nil
    arm(worker)
  }

  /// Pings a worker that has been silent for long, and kills one that has not answered.
  mutating func checkHeartbeat(
    _ worker: WorkerHandle,
    _ head: HeadOperation,
    _ context: inout EventContext
  ) {
    guard let due = heartbeatDue(worker, head), due <= context.now else { return }
    guard workers[worker].pingedAt == nil else {
      return terminate(worker, signal: 9, because: .silence, &context)
    }
    workers[worker].pingedAt = context.now
    pingCount += 1
    context.effects.append(.ping(workers[worker].id, pingCount))
  }

  /// When to check the heartbeat of a worker that has an operation; nil if it answers no pings.
  func heartbeatDue(_ worker: WorkerHandle, _ head: HeadOperation) -> Instant? {
    guard workers[worker].capabilities.contains(.ping) else { return nil }
    if let pingedAt = workers[worker].pingedAt {
      return patient(pingedAt.advanced(by: policy.heartbeatLimit), for: worker)
    }
    let busySince = head.isExecuting ? head.startedAt : head.since
    let quietSince = max(workers[worker].lastReceivedAt, busySince)
    return quietSince.advanced(by: policy.heartbeatInterval)
  }

  /// Extends the limits of workers if this turn comes later than it was due: something held up the
  /// coordinator, such as a stop signal or a sleeping machine, and may have held up the workers
  /// too.
  ///
  /// Workers get the time that they had left, and a little more, because some had none left.
  /// Timeouts of operations are not extended: the operations may have executed meanwhile.
  mutating func postponeLimits(since due: Instant?, at now: Instant) {
    let lateness = due.map { now.nanoseconds - $0.nanoseconds } ?? 0
    guard lateness > policy.latenessLimit else { return }
    absenceCount += 1
    shortage?.postpone(by: lateness)
    for worker in workers.living {
      workers[worker].postpone(by: lateness + policy.latenessLimit, at: now)
    }
    armAll()
  }
}

extension WorkerLife {
  /// Moves its limits by the time that the coordinator was late.
  fileprivate mutating func postpone(by lateness: Int64, at now: Instant) {
    deadline = deadline.advanced(by: lateness)
    leasedUntil = leasedUntil?.advanced(by: lateness)
    if let head { self.head?.since = head.since.advanced(by: lateness) }
    if let at = teardown?.at { teardown?.at = at.advanced(by: lateness) }
    pingedAt = nil
    frame?.since = now
    lastReceivedAt = now
  }
}
