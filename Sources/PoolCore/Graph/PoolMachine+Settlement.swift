package import PoolModel

// Operations go out: attempts end, operations settle, and their dependents hear of it.

extension PoolMachine {
  /// Cancels an operation: before it was dispatched it settles at once, later the teardown sequence
  /// begins.
  ///
  /// One that is not in a queue is only marked, and settles when it enters one. A settled one is
  /// left alone. O(degree).
  package mutating func cancel(_ id: OperationID, at now: Instant) {
    guard let slot = operations.slot(of: id) else { return }
    cancel(slot, at: now)
    settleAftermath(at: now)
  }

  /// Cancels everything in a queue, in the order of submission.
  package mutating func cancelAll(in queue: QueueID, at now: Instant) {
    // Dependents hear of it when all is done, so that none settles as skipped because of another's
    // cancellation.
    forEachOperation(in: queue) { $0.cancel($1, at: now) }
    settleAftermath(at: now)
  }

  mutating func cancel(_ slot: OperationHandle, at now: Instant) {
    guard !operations[slot].state.isCancelled, !operations[slot].state.isSettled else { return }
    operations[slot].cancel()
    note(slot, .cancelled)
    switch operations[slot].state {
    case .waiting, .preparing:
      // What it waited for is ignored from now on: its turn has come, to leave.
      note(slot, .ready)
      settle(slot, as: .cancelled, because: .request, at: now)
    case .ready:
      settle(slot, as: .cancelled, because: .request, at: now)
    case .held(let dispatch), .executing(let dispatch):
      cancelDispatched(slot, dispatch.worker, dispatch.number, at: now)
    case .created where operations[slot].unmet > 0, .willSkip where operations[slot].unmet > 0:
      note(slot, .ready)
    case .free, .created, .willSkip, .settled:
      break
    }
  }

  /// An attempt has ended: the operation settles, or is ready again where it may be retried.
  mutating func endAttempt(
    _ slot: OperationHandle,
    as ending: PoolEnding,
    because cause: EndingCause,
    saying failure: PoolRetryCause = .error,
    detail: DetailID = .none,
    worker: WorkerID,
    at now: Instant
  ) {
    executingCount -= 1
    dispatcher.vacate(slot, &operations)
    if ending == .succeeded { noteSuccess(slot, at: now) }
    guard mayRetry(slot, after: ending, cause.forRetry(failure)) else {
      return settle(slot, as: ending, because: cause, detail: detail, worker: worker, at: now)
    }
    operations[slot].retriesLeft -= 1
    let settlement = settlement(
      slot,
      ending,
      cause,
      detail: detail,
      worker: worker,
      root: nil,
      at: now
    )
    turn.effects.append(.retry(settlement))
    retry(slot, at: now)
  }

  /// Gives an operation its outcome and notes its dependents for ``settleAftermath(at:)``.
  mutating func settle(
    _ slot: OperationHandle,
    as ending: PoolEnding,
    because cause: EndingCause,
    detail: DetailID = .none,
    worker: WorkerID? = nil,
    root: OperationID? = nil,
    at now: Instant
  ) {
    if operations[slot].state.isReady { dispatcher.removeReady(slot, &operations) }
    let settlement = settlement(
      slot,
      ending,
      cause,
      detail: detail,
      worker: worker,
      root: root,
      at: now
    )
    if operations[slot].isInQueue {
      leaveQueue(slot, ending)
      turn.effects.append(.settle(settlement))
    }
    operations[slot].settle(ending, root: settlement.root)
    graph.release(slot)
    forgetTally(slot)
    cancelDelay(slot)
    concludeGroup(slot, ending, root: settlement.root)
    noteDependents(of: slot, ending: ending, root: settlement.root)
    if operations[slot].role.isHidden { forget(slot) }
  }

  private mutating func leaveQueue(_ slot: OperationHandle, _ ending: PoolEnding) {
    guard let queue = operations[slot].queue else { return }
    dispatcher.leave(slot, operations[slot].position)
    unsettledCount -= 1
    endings[Int(ending.rawValue)] += 1
    remove(slot, from: queue)
    if lists[queue].isDropped, lists[queue].count == 0 { removeQueue(queue) }
  }

  /// Notes for ``settleAftermath(at:)`` who waits for an operation that has ended.
  mutating func noteDependents(of slot: OperationHandle, ending: PoolEnding, root: OperationID) {
    graph.drain(slot) { dependent, requirement in
      aftermath.append(
        Aftermath(slot: dependent, requirement: requirement, ending: ending, root: root)
      )
    }
  }

  /// Tells dependents, and theirs in turn, without recursion: a chain may have a million links.
  mutating func settleAftermath(at now: Instant) {
    guard !aftermath.isEmpty else { return }
    var next = 0
    while next < aftermath.count {
      let item = aftermath[next]
      next += 1
      hear(item, at: now)
    }
    aftermath.removeAll(keepingCapacity: true)
  }

  /// One dependency of an operation has ended; one that was cancelled meanwhile has left already.
  private mutating func hear(_ news: Aftermath, at now: Instant) {
    let slot = news.slot
    guard operations[slot].state.acceptsDependencies else { return }
    if operations[slot].role == .join { tally(slot, news.ending, news.root) }
    if !news.requirement.isMet(by: news.ending) { disappoint(slot, news.root, at: now) }
    if operations[slot].state.acceptsDependencies { meet(slot, at: now) }
  }

  private mutating func settlement(
    _ slot: OperationHandle,
    _ ending: PoolEnding,
    _ cause: EndingCause,
    detail: DetailID,
    worker: WorkerID?,
    root: OperationID?,
    at now: Instant
  ) -> Settlement {
    let id = operations.id(of: slot)
    let life = operations[slot]
    return Settlement(
      id,
      ending,
      because: cause,
      root: root ?? id,
      detail: detail,
      attempt: life.attempt,
      worker: worker,
      queued: life.wasReady ? life.queuedAt : nil,
      started: life.attempt > 0 ? life.startedAt : nil,
      finished: now
    )
  }
}

// MARK: - Joins

extension PoolMachine {
  /// A dependency of a join has ended: the gravest end counts, and of those the first.
  mutating func tally(_ slot: OperationHandle, _ ending: PoolEnding, _ root: OperationID) {
    guard ending.gravity > operations[slot].tally.gravity else { return }
    operations[slot].tally = ending
    roots[slot] = root
  }

  /// A join hears nothing more; whoever uses its slot next has another root.
  mutating func forgetTally(_ slot: OperationHandle) {
    if operations[slot].role.executesNothing { roots[slot] = nil }
  }

  /// All that a join depends on has ended.
  mutating func settleJoin(_ slot: OperationHandle, at now: Instant) {
    let tally = operations[slot].tally
    let root = roots[slot]
    let isGrave = tally.gravity == PoolEnding.failed.gravity && operations[slot].role != .groupEnd
    let ending = isGrave ? PoolEnding.failed : tally
    settle(
      slot,
      as: ending,
      because: ending == .succeeded ? .answer : .dependency,
      root: root,
      at: now
    )
  }
}

extension PoolEnding {
  /// Which end of several a join takes for its own.
  fileprivate var gravity: Int {
    switch self {
    case .succeeded: 0
    case .skipped: 1
    case .cancelled: 2
    case .failed, .timedOut, .lost: 3
    }
  }
}

extension OperationLife {
  /// Whether it has ever been ready: `queuedAt` says when.
  fileprivate var wasReady: Bool {
    switch state {
    case .ready, .held, .executing: true
    case .free, .created, .willSkip, .waiting, .preparing, .settled: attempt > 0
    }
  }
}
