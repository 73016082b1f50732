package import PoolModel

// Workers that are not read for a while, on purpose: what they say cannot be passed on. They may be
// stopped in the middle of a write, and what they have said by now is not known.

extension PoolMachine {
  /// From now on nothing of what the worker says is read.
  ///
  /// Until it is read again no time runs against it: neither that of heartbeats nor of timeouts,
  /// nor for a frame, its greeting or its end. A teardown that has begun, or begins, takes its
  /// time.
  package mutating func workerUnread(_ id: WorkerID, at now: Instant) {
    guard let worker = workers.slot(of: id), workers[worker].unreadSince == nil else { return }
    workers[worker].unreadSince = now
  }

  /// The worker is read again.
  package mutating func workerReadAgain(_ id: WorkerID, at now: Instant) {
    guard let worker = workers.slot(of: id), let since = workers[worker].unreadSince else { return }
    let time = now.nanoseconds - since.nanoseconds
    let number = workers[worker].line.first?.number
    workers[worker].resume(after: time, at: now)
    workers[worker].forgiven = number.map {
      WorkerLife.Forgiven(number: $0, time: forgivenTime(of: worker) + time)
    }
    arm(worker)
  }

  /// Nanoseconds of the first operation's execution during which its worker was not read.
  func forgivenTime(of worker: WorkerHandle) -> Int64 {
    guard let forgiven = workers[worker].forgiven,
      forgiven.number == workers[worker].line.first?.number
    else { return 0 }
    return forgiven.time
  }

  /// How long the first operation of the worker's line, which executes, may take from its start.
  func executionLimit(of slot: OperationHandle, on worker: WorkerHandle) -> Int64 {
    let limit = executionLimit(of: slot)
    let forgiven = forgivenTime(of: worker)
    return limit > .max - forgiven ? .max : limit + forgiven
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
