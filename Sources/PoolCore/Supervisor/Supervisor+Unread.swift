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

  /// The worker is read again; it must be armed again.
  mutating func readAgain(_ worker: WorkerHandle, _ front: WorkFront?, at now: Instant) {
    guard let since = workers[worker].unreadSince else { return }
    let time = now.nanoseconds - since.nanoseconds
    workers[worker].resume(after: time, at: now)
    workers[worker].forgiven = front.map { front in
      let forgiven = forgivenTime(of: worker, for: front) + time
      return WorkerLife.Forgiven(number: front.reference.dispatch, time: forgiven)
    }
  }

  /// How long the first operation of the worker's line, which executes, may take from its start.
  func limit(of front: WorkFront, on worker: WorkerHandle) -> Int64 {
    let forgiven = forgivenTime(of: worker, for: front)
    return front.limit > .max - forgiven ? .max : front.limit + forgiven
  }

  /// Nanoseconds of the first operation's execution during which its worker was not read.
  private func forgivenTime(of worker: WorkerHandle, for front: WorkFront) -> Int64 {
    guard let forgiven = workers[worker].forgiven, forgiven.number == front.reference.dispatch
    else {
      return 0
    }
    return forgiven.time
  }
}

extension WorkerLife {
  /// Time that is not held against the first of a worker's line.
  struct Forgiven: Hashable {
    var number: DispatchNumber
    /// Nanoseconds.
    var time: Int64
  }

  /// Whether no time runs against it.
  var isExempt: Bool { unreadSince != nil && teardown == nil }

  /// It was not read for so many nanoseconds.
  fileprivate mutating func resume(after time: Int64, at now: Instant) {
    unreadSince = nil
    deadline = deadline.advanced(by: time)
    frontSince = frontSince.advanced(by: time)
    pingedAt = nil
    frame?.since = now
    heardAt = now
  }
}
