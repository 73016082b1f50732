import PoolModel

// Workers that execute for long, or do not begin, are asked whether they are still there.

extension Supervisor {
  /// A worker has said something, and has left so much of a frame unfinished.
  mutating func heard(_ worker: WorkerHandle, within frame: PartialFrame?, at now: Instant) {
    workers[worker].heardAt = now
    if frame != nil || workers[worker].frame != nil { note(frame, of: worker, at: now) }
    guard workers[worker].pingedAt != nil else { return }
    // It is asked again sooner than it would have been killed.
    workers[worker].pingedAt = nil
    arm(worker)
  }

  /// Asks a worker that has said nothing for long whether it is there, and kills one that does not
  /// answer.
  mutating func checkHeartbeat(
    _ worker: WorkerHandle,
    _ front: WorkFront,
    _ context: inout EventContext
  ) {
    guard let due = heartbeatDue(worker, front), due <= context.now else { return }
    guard workers[worker].pingedAt == nil else {
      return terminate(worker, signal: 9, because: .silence, &context)
    }
    workers[worker].pingedAt = context.now
    pingCount += 1
    context.effects.append(.ping(workers[worker].id, pingCount))
  }

  /// When the heartbeat of a worker that has something to do is next looked at; nil where it has
  /// none.
  func heartbeatDue(_ worker: WorkerHandle, _ front: WorkFront) -> Instant? {
    guard workers[worker].abilities.answersPings else { return nil }
    if let pingedAt = workers[worker].pingedAt {
      return pingedAt.advanced(by: policy.heartbeatLimit)
    }
    let busySince = front.isExecuting ? front.startedAt : front.since
    let quietSince = max(workers[worker].heardAt, busySince)
    return quietSince.advanced(by: policy.heartbeatInterval)
  }

  /// A turn comes later than it was due: something kept the coordinator, a signal that stopped it
  /// or a machine that slept, and may have kept the workers as well.
  ///
  /// They get the time that they had left, and a little more, since some had none. Timeouts of
  /// operations go on: these executed meanwhile, for all that is known.
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
  /// Moves its limits on by the time that the coordinator was late.
  fileprivate mutating func postpone(by lateness: Int64, at now: Instant) {
    deadline = deadline.advanced(by: lateness)
    if let front { self.front?.since = front.since.advanced(by: lateness) }
    if let at = teardown?.at { teardown?.at = at.advanced(by: lateness) }
    pingedAt = nil
    frame?.since = now
    heardAt = now
  }
}
