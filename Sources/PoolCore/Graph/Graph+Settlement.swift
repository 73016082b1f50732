import PoolModel

// Operations go out: attempts end, operations settle, and their dependents hear of it.

extension Graph {
  /// Marks an operation as cancelled; returns the dispatch where a worker has it, which must be
  /// made to end.
  ///
  /// What is ready must not be offered any more. One that is not in a queue is only marked, and
  /// settles when it enters one. A settled one is left alone. O(degree).
  mutating func cancel(_ handle: OperationHandle, _ turn: inout Turn) -> OperationDispatch? {
    guard !operations[handle].state.isCancelled, !operations[handle].state.isSettled else {
      return nil
    }
    operations[handle].cancel()
    note(handle, .cancelled, &turn)
    switch operations[handle].state {
    case .waiting, .preparing:
      // What it waited for is ignored from now on: its turn has come, to leave.
      note(handle, .ready, &turn)
      settle(handle, as: .cancelled, because: .request, &turn)
    case .ready: settle(handle, as: .cancelled, because: .request, &turn)
    case .held(let dispatch), .executing(let dispatch): return dispatch
    case .created, .willSkip: if operations[handle].unmet > 0 { note(handle, .ready, &turn) }
    case .free, .settled: break
    }
    return nil
  }

  /// A worker begins an operation; returns whether that is to be told.
  @inline(__always)
  mutating func execute(_ handle: OperationHandle, _ turn: inout Turn) {
    operations[handle].execute(at: turn.now)
    executingCount += 1
    releaseMembers(of: handle, &turn)
  }

  /// What was said to execute has not begun, which is no attempt.
  mutating func revokeAttempt(of handle: OperationHandle) {
    executingCount -= 1
    operations[handle].revokeAttempt()
  }

  /// An attempt has ended: the operation settles, or is due again where it may be retried.
  mutating func endAttempt(
    _ handle: OperationHandle,
    as ending: PoolEnding,
    because cause: EndingCause,
    saying failure: PoolRetryCause = .error,
    detail: DetailID = .none,
    worker: WorkerID,
    mayRetry: Bool,
    _ turn: inout Turn
  ) {
    executingCount -= 1
    guard mayRetry, self.mayRetry(handle, after: ending, cause.forRetry(failure)) else {
      return settle(handle, as: ending, because: cause, detail: detail, worker: worker, &turn)
    }
    operations[handle].retriesLeft -= 1
    let settlement = settlement(
      handle,
      ending,
      cause,
      detail: detail,
      worker: worker,
      root: nil,
      at: turn.now
    )
    turn.effects.append(.retry(settlement))
    retry(handle, &turn)
  }

  /// Gives an operation its outcome and notes its dependents for ``settleAftermath(at:)``.
  mutating func settle(
    _ handle: OperationHandle,
    as ending: PoolEnding,
    because cause: EndingCause,
    detail: DetailID = .none,
    worker: WorkerID? = nil,
    root: OperationID? = nil,
    _ turn: inout Turn
  ) {
    let settlement = settlement(
      handle,
      ending,
      cause,
      detail: detail,
      worker: worker,
      root: root,
      at: turn.now
    )
    if operations[handle].isInQueue {
      leaveQueue(handle, ending)
      turn.effects.append(.settle(settlement))
    }
    operations[handle].settle(ending, root: settlement.root)
    edges.release(handle)
    forgetTally(handle)
    cancelDelay(handle)
    concludeGroup(handle, ending, root: settlement.root)
    noteDependents(of: handle, ending: ending, root: settlement.root)
    if operations[handle].role.isHidden { forget(handle) }
  }

  @inline(__always)
  private mutating func leaveQueue(_ handle: OperationHandle, _ ending: PoolEnding) {
    guard let queue = operations[handle].queue else { return }
    departed.append(Departure(handle: handle, position: operations[handle].position))
    unsettledCount -= 1
    endings[Int(ending.rawValue)] += 1
    remove(handle, from: queue)
    if lists[queue].isDropped, lists[queue].count == 0 { emptied.append(queue) }
  }

  /// Notes for ``settleAftermath(at:)`` who waits for an operation that has ended.
  mutating func noteDependents(of handle: OperationHandle, ending: PoolEnding, root: OperationID) {
    edges.drain(handle) { dependent, requirement in
      aftermath.append(
        Aftermath(handle: dependent, requirement: requirement, ending: ending, root: root)
      )
    }
  }

  /// Tells the next dependent, without recursion: a chain may have a million links; false where
  /// none is left.
  mutating func hearNext(_ turn: inout Turn) -> Bool {
    guard heardCount < aftermath.count else {
      guard heardCount > 0 else { return false }
      aftermath.removeAll(keepingCapacity: true)
      heardCount = 0
      return false
    }
    let item = aftermath[heardCount]
    heardCount += 1
    hear(item, &turn)
    return true
  }

  /// One dependency of an operation has ended; one that was cancelled meanwhile has left already.
  private mutating func hear(_ news: Aftermath, _ turn: inout Turn) {
    let handle = news.handle
    guard operations[handle].state.acceptsDependencies else { return }
    if operations[handle].role == .join { tally(handle, news.ending, news.root) }
    if !news.requirement.isMet(by: news.ending) { disappoint(handle, news.root, &turn) }
    if operations[handle].state.acceptsDependencies { meet(handle, &turn) }
  }

  private func settlement(
    _ handle: OperationHandle,
    _ ending: PoolEnding,
    _ cause: EndingCause,
    detail: DetailID,
    worker: WorkerID?,
    root: OperationID?,
    at now: Instant
  ) -> Settlement {
    let id = operations.id(of: handle)
    let life = operations[handle]
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

extension Graph {
  /// A dependency of a join has ended: the gravest end counts, and of those the first.
  mutating func tally(_ handle: OperationHandle, _ ending: PoolEnding, _ root: OperationID) {
    guard ending.gravity > operations[handle].tally.gravity else { return }
    operations[handle].tally = ending
    roots[handle] = root
  }

  /// A join hears nothing more; whoever uses its handle next has another root.
  mutating func forgetTally(_ handle: OperationHandle) {
    if operations[handle].role.executesNothing { roots[handle] = nil }
  }

  /// All that a join depends on has ended.
  mutating func settleJoin(_ handle: OperationHandle, _ turn: inout Turn) {
    let tally = operations[handle].tally
    let root = roots[handle]
    let isGrave = tally.gravity == PoolEnding.failed.gravity && operations[handle].role != .groupEnd
    let ending = isGrave ? PoolEnding.failed : tally
    settle(
      handle,
      as: ending,
      because: ending == .succeeded ? .answer : .dependency,
      root: root,
      &turn
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
