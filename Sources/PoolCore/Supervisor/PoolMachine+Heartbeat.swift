import PoolModel

// Workers that execute for long, or do not begin, are asked whether they are still there.

extension PoolMachine {
  /// What a worker is asked, when it has said nothing for long, and what comes of saying nothing.
  ///
  /// Whatever it says counts, and is noticed by ``workerPaused(_:at:)``.
  mutating func checkHeartbeat(_ worker: WorkerHandle, at now: Instant) {
    guard let due = heartbeatDue(worker), due <= now else { return }
    guard workers[worker].pingedAt == nil else {
      return terminate(worker, signal: 9, because: .silence)
    }
    workers[worker].pingedAt = now
    pingCount += 1
    effects.append(.ping(workers[worker].id, pingCount))
  }

  /// When the heartbeat of a worker that has something to do is next looked at; nil where it has
  /// none.
  func heartbeatDue(_ worker: WorkerHandle) -> Instant? {
    guard workers[worker].abilities.answersPings, let first = workers[worker].line.first else {
      return nil
    }
    if let pingedAt = workers[worker].pingedAt {
      return pingedAt.advanced(by: policy.heartbeatLimit)
    }
    let isExecuting = workers[worker].isExecuting
    let busySince = isExecuting ? operations[first.slot].startedAt : workers[worker].frontSince
    let quietSince = max(workers[worker].heardAt, busySince)
    return quietSince.advanced(by: policy.heartbeatInterval)
  }

  /// A turn that comes much later than planned: something kept the coordinator, a signal that
  /// stopped it or a machine that slept, and may have kept the workers as well.
  ///
  /// They get the time that they had left, and a little more, since some had none. Timeouts of
  /// operations go on: these executed meanwhile, for all that is known.
  mutating func forgiveAbsence(at now: Instant) {
    guard let planned = nextDeadline else { return }
    let lateness = now.nanoseconds - planned.nanoseconds
    guard lateness > policy.latenessLimit else { return }
    absenceCount += 1
    shortage?.forgive(lateness)
    for worker in workers.living {
      workers[worker].forgive(lateness + policy.latenessLimit, at: now)
      arm(worker)
    }
  }
}

extension WorkerLife {
  /// So much time is not held against it.
  fileprivate mutating func forgive(_ lateness: Int64, at now: Instant) {
    deadline = deadline.advanced(by: lateness)
    frontSince = frontSince.advanced(by: lateness)
    if let at = teardown?.at { teardown?.at = at.advanced(by: lateness) }
    pingedAt = nil
    frame?.since = now
    heardAt = now
  }
}
