import PoolModel

// The front of each worker: the first operation in its queue, from its arrival there until its end.

/// The first operation in a worker's queue: it executes, or begins next.
struct WorkFront {
  let reference: DispatchReference
  /// Its own longest execution, in nanoseconds; `Int64.max` for none.
  let timeout: Int64
  /// Whether it was reported as executing.
  var isExecuting = false
  /// Whether operations wait behind it that were not recalled.
  var hasFollowers = false
  /// How long its execution is expected to take, in microseconds; as few bytes as the hot path has
  /// room for.
  let expected: UInt32
  /// When it became the first.
  var since: Instant
  /// When its execution began.
  var startedAt = Instant.zero
  /// Nanoseconds of its execution during which its worker was not read.
  var forgiven: Int64 = 0
}

extension WorkFront {
  /// When what waits behind it is asked back.
  var recallAt: Instant {
    startedAt.advanced(by: PrefetchPolicy.patience(expecting: Int64(expected) * 1_000))
  }
}

extension Supervisor {
  /// A worker is at this by now, or at nothing.
  @inline(__always)
  mutating func setFront(
    _ worker: WorkerHandle,
    to front: AssignedFront?,
    _ context: inout EventContext
  ) {
    guard let front else { return becomeIdle(worker, &context) }
    workers[worker].setFront(to: front, at: context.now)
    // With followers, what executes already is looked at once it is long.
    if front.hasFollowers, workers[worker].front?.isExecuting == true { return arm(worker) }
    armFront(worker, front.first.timeout, at: context.now)
  }

  /// A worker executes what it is at, or begins with it later than it said.
  @inline(__always)
  mutating func execute(_ worker: WorkerHandle, at now: Instant) {
    armFront(worker, workers[worker].execute(at: now), at: now)
  }

  /// A worker has answered what it was at, which ended so, or given it back.
  @inline(__always)
  mutating func endFront(
    _ worker: WorkerHandle,
    _ answer: PoolEnding?,
    _ context: inout EventContext
  ) {
    if answer == .succeeded, policy.relativeTimeout != nil {
      noteSuccess(of: worker, at: context.now)
    }
    workers[worker].front = nil
    workers[worker].group = nil
    endTeardown(worker, at: context.now)
    if answer != nil {
      workers[worker].answered += 1
      if workers[worker].answered == 1 {
        configurations[workers[worker].configuration].endFailures(by: workers[worker].id)
      }
    }
    // A time that has passed must not be armed.
    if let due = retirement(of: worker), due <= context.now {
      workers[worker].quota = 0
      news.append(.closed(worker))
    }
  }

  /// Called for a worker that became idle: ends it if it is no longer needed, or due for recycling.
  private mutating func becomeIdle(_ worker: WorkerHandle, _ context: inout EventContext) {
    guard workers[worker].state == .serving else { return }
    if !mayRetry(worker) || workers[worker].isWornOut { return retire(worker, &context) }
    if let due = retirement(of: worker) { alarms.arm(worker, at: due) }
  }

  /// How what a worker says of an operation that it ends counts.
  @inline(__always)
  func end(
    of worker: WorkerHandle,
    _ ending: PoolEnding,
    _ failure: PoolRetryCause,
    _ detail: DetailID,
    isFirst: Bool
  ) -> OperationEnd {
    guard isFirst else { return OperationEnd(.cancelled, .request) }
    guard workers[worker].front?.isExecuting == true else {
      return OperationEnd(.cancelled, .request, detail: detail)
    }
    let isLate = workers[worker].teardown?.ending == .timedOut
    return OperationEnd(
      isLate ? .timedOut : ending,
      isLate ? .timeout : ending == .cancelled ? .request : .answer,
      saying: failure,
      detail: detail,
      on: workers[worker].id
    )
  }

  /// Whether a worker may stop what it executes though no cancellation is known: one of this
  /// process sees it before the machine is told.
  @inline(__always)
  func mayStop(_ worker: WorkerHandle) -> Bool {
    workers[worker].teardown != nil || isInProcess(worker)
  }
}

extension WorkerLife {
  /// It comes to an operation, or more or less waits behind that.
  @inline(__always)
  fileprivate mutating func setFront(to assigned: AssignedFront, at now: Instant) {
    if front == nil {
      let first = assigned.first
      front = WorkFront(
        reference: first.reference,
        timeout: first.timeout,
        expected: UInt32(clamping: first.expected / 1_000),
        since: now
      )
    }
    front?.hasFollowers = assigned.hasFollowers
  }

  /// It executes what it is at; returns the operation's own timeout.
  @inline(__always)
  fileprivate mutating func execute(at now: Instant) -> Int64 {
    front?.isExecuting = true
    front?.startedAt = now
    return front?.timeout ?? .max
  }
}

// MARK: - Timeouts

extension Supervisor {
  /// How long what a worker is at, and executes, may take from its start: its own timeout, or,
  /// where it has none, what the median allows.
  func limit(of front: WorkFront) -> Int64 {
    var limit = front.timeout
    if limit == .max, let relative = policy.relativeTimeout,
      successes.count >= RelativeTimeout.leastCount
    {
      limit = Int64(clamping: Double(successes.value) * Double(relative.percent) / 100)
    }
    return limit > .max - front.forgiven ? .max : limit + front.forgiven
  }

  /// Adds a successful execution to the median, which may put others above their limit.
  ///
  /// Those that began before there was a median are watched from now on; later ones are when they
  /// begin, and asked again when their time has come.
  private mutating func noteSuccess(of worker: WorkerHandle, at now: Instant) {
    guard let startedAt = workers[worker].front?.startedAt else { return }
    successes.insert(now.nanoseconds - startedAt.nanoseconds)
    if successes.count == RelativeTimeout.leastCount { armAll() }
  }
}
