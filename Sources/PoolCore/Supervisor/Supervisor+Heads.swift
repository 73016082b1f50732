import PoolModel

// The head of each worker: the first operation in its queue, from when it becomes the first until
// it ends.

/// The first operation in a worker's queue: it executes, or begins next.
struct HeadOperation {
  let assignment: Assignment
  /// Whether it was reported as executing.
  var isExecuting = false
  /// Nanoseconds of its execution after which the operations behind it are recalled; nil if there
  /// are none that were not.
  var patience: Int64?
  /// When it became the first.
  var since: Instant
  /// When its execution began.
  var startedAt = Instant.zero
  /// Nanoseconds of its execution during which the loop did not read its worker.
  var forgiven: Int64 = 0
}

extension HeadOperation {
  var reference: DispatchReference { assignment.reference }

  /// When it takes longer than expected: the operations behind it are recalled then.
  var recallAt: Instant {
    startedAt.advanced(by: patience ?? PrefetchPolicy.patience(expecting: assignment.expected))
  }
}

extension Supervisor {
  /// Sets the worker's first operation, or none.
  @inline(__always)
  mutating func setHead(
    _ worker: WorkerHandle,
    to first: (assignment: Assignment, patience: Int64?)?,
    _ context: inout EventContext
  ) {
    guard let first else { return becomeIdle(worker, &context) }
    workers[worker].setHead(to: first.assignment, first.patience, at: context.now)
    // With operations behind it, one that already executes is checked for its length.
    if first.patience != nil, workers[worker].head?.isExecuting == true { return arm(worker) }
    armHead(worker, first.assignment.timeout, at: context.now)
  }

  /// The worker begins its first operation, or begins it later than it had reported.
  @inline(__always)
  mutating func execute(_ worker: WorkerHandle, at now: Instant) {
    armHead(worker, workers[worker].execute(at: now), at: now)
  }

  /// When the worker's first operation was executed, which ends now and took so many nanoseconds;
  /// `isAlone` says that nothing waits behind it.
  func span(
    of worker: WorkerHandle,
    _ elapsed: Int64,
    isAlone: Bool,
    until now: Instant
  ) -> AttemptSpan {
    let life = workers[worker]
    return AttemptSpan(
      of: elapsed,
      from: life.earliestStart,
      dispatched: life.head?.assignment.dispatchedAt ?? now,
      told: isAlone ? life.head?.startedAt : nil,
      until: now
    )
  }

  /// The worker's first operation, which ends now, was executed then.
  mutating func note(_ span: AttemptSpan, of worker: WorkerHandle, at now: Instant) {
    workers[worker].earliestStart = span.finished
    // For the median its duration counts, not when it was heard of.
    workers[worker].head?.startedAt = now.advanced(by: -span.duration)
  }

  /// The worker has answered its first operation with this ending, or returned it (nil).
  @inline(__always)
  mutating func endHead(
    _ worker: WorkerHandle,
    _ answer: PoolEnding?,
    _ context: inout EventContext
  ) {
    if answer == .succeeded, policy.relativeTimeout != nil {
      noteSuccess(of: worker, at: context.now)
    }
    workers[worker].head = nil
    workers[worker].group = nil
    endTeardown(worker, at: context.now)
    if answer != nil {
      workers[worker].answered += 1
      if workers[worker].answered == 1 {
        configurations[workers[worker].configuration].endFailures(by: workers[worker].id)
      }
    }
    // The retirement must not be armed when its time has passed.
    if let due = retirement(of: worker), due <= context.now {
      workers[worker].quota = 0
      consequences.append(.closed(worker))
    }
  }

  /// A worker became idle: ends it if it is no longer needed, or due for recycling.
  private mutating func becomeIdle(_ worker: WorkerHandle, _ context: inout EventContext) {
    guard workers[worker].isServing else { return }
    if !mayRetry(worker) || workers[worker].isWornOut { return retire(worker, &context) }
    if let due = retirement(of: worker) { timers.arm(worker, at: due) }
  }

  /// The end of an operation, as derived from the worker's report.
  @inline(__always)
  func end(
    of worker: WorkerHandle,
    _ ending: PoolEnding,
    _ failure: RetryReason,
    _ detail: DetailID,
    isFirst: Bool
  ) -> OperationEnd {
    guard isFirst else { return OperationEnd(.cancelled, .request) }
    guard workers[worker].head?.isExecuting == true else {
      return OperationEnd(.cancelled, .request, detail: detail)
    }
    let isLate = workers[worker].teardown?.ending == .timedOut
    return OperationEnd(
      isLate ? .timedOut : ending,
      isLate ? .timeout : EndingCause(ofAnswer: ending),
      saying: failure,
      detail: detail,
      on: workers[worker].id
    )
  }

  /// Whether a worker may stop its operation although the machine knows no cancellation: an
  /// block worker sees it before the machine does.
  @inline(__always)
  func mayStop(_ worker: WorkerHandle) -> Bool {
    workers[worker].teardown != nil || executesBlocks(worker)
  }
}

extension WorkerLife {
  /// Sets its first operation, or updates how long others wait behind it.
  @inline(__always)
  fileprivate mutating func setHead(
    to assignment: Assignment,
    _ patience: Int64?,
    at now: Instant
  ) {
    if head == nil { head = HeadOperation(assignment: assignment, since: now) }
    head?.patience = patience
  }

  /// Marks its first operation as executing; returns the operation's timeout.
  ///
  /// It had not begun when the worker was read before: then its start would have been heard of.
  @inline(__always)
  fileprivate mutating func execute(at now: Instant) -> Int64 {
    head?.isExecuting = true
    head?.startedAt = now
    earliestStart = max(earliestStart, lastReceivedAt)
    return head?.assignment.timeout ?? .max
  }
}

// MARK: - Timeouts

extension Supervisor {
  /// Maximum time from the start of the worker's operation: its own timeout, or else a multiple of
  /// the median.
  func limit(of head: HeadOperation) -> Int64 {
    var limit = head.assignment.timeout
    if limit == .max, let relative = policy.relativeTimeout,
      successes.count >= RelativeTimeout.leastCount
    {
      limit = relative.limit(of: successes.value)
    }
    return limit > .max - head.forgiven ? .max : limit + head.forgiven
  }

  /// Adds a successful execution to the median, which may lower the limit of others below their
  /// time.
  ///
  /// Executions that began before the median was known are armed now. Later ones are armed when
  /// they begin, and their limit is computed again when it is reached.
  private mutating func noteSuccess(of worker: WorkerHandle, at now: Instant) {
    guard let startedAt = workers[worker].head?.startedAt else { return }
    successes.insert(now.nanoseconds - startedAt.nanoseconds)
    if successes.count == RelativeTimeout.leastCount { armAll() }
  }
}
