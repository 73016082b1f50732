import PoolModel

// Ends: attempts end, operations settle, and the ends are passed on to dependents.

extension Graph {
  /// Cancels an operation; see ``GraphChange/cancel(_:)``.
  mutating func cancel(_ handle: OperationHandle, _ context: inout EventContext) {
    guard !operations[handle].state.isCancelled, !operations[handle].state.isSettled else { return }
    note(handle, .cancelled, &context)
    switch operations[handle].state {
    case .waiting, .preparing:
      // A cancelled operation ignores its dependencies, so it is ready: it only has to settle.
      note(handle, .ready, &context)
      end(handle, as: OperationEnd(.cancelled, .request), &context)
    case .open(.ending): operations[handle].cancel()
    case .ready, .open: end(handle, as: OperationEnd(.cancelled, .request), &context)
    case .dispatched, .executing:
      operations[handle].cancel()
      consequences.append(.cancelled(handle))
    case .created, .willSkip:
      operations[handle].cancel()
      if operations[handle].unmet > 0 { note(handle, .ready, &context) }
      if operations[handle].role == .gatedGroup { cancelMembers(of: handle) }
    case .free, .settled: break
    }
  }

  /// An operation that no worker has is to end: it settles at once, or, if it is a group, when its
  /// members have ended, which are cancelled.
  mutating func end(
    _ handle: OperationHandle,
    as end: OperationEnd,
    _ context: inout EventContext
  ) {
    if operations[handle].role == .gatedGroup { return endGroup(handle, as: end, &context) }
    settle(handle, as: end, &context)
  }

  /// Cancels an operation together with its queue; a spared one goes on but has no further attempt.
  mutating func cancel(_ handle: OperationHandle, isSpared: Bool, _ context: inout EventContext) {
    // The ending of such a group follows from its members', which are cancelled or spared
    // themselves.
    if operations[handle].role == .group { return }
    if !isSpared { return cancel(handle, &context) }
    operations[handle].retriesLeft = 0
  }

  /// A worker begins an operation, or begins only now one whose start it reported too early;
  /// returns whether the operation must be torn down, because it is cancelled.
  @inline(__always)
  mutating func execute(
    _ handle: OperationHandle,
    on worker: WorkerID,
    _ context: inout EventContext
  ) -> Bool {
    guard !operations[handle].state.isExecuting else {
      operations[handle].moveStart(to: context.now)
      return false
    }
    operations[handle].execute(at: context.now)
    executingCount += 1
    if operations[handle].group != .none { beginGroups(of: handle, at: context.now) }
    if tellsEveryStart || isObserved(handle) {
      let attempt = Int(operations[handle].attempt)
      context.effects.append(.start(operations.id(of: handle), worker, attempt: attempt))
    }
    return operations[handle].state.isCancelled
  }

  /// The operation's attempt has begun then, as its worker has measured.
  mutating func noteStart(of handle: OperationHandle, at start: Instant) {
    operations[handle].moveStart(to: start)
    noteGroupStarts(of: handle, at: start)
  }

  func isExecuting(_ handle: OperationHandle) -> Bool { operations[handle].state.isExecuting }

  func isCancelled(_ handle: OperationHandle) -> Bool { operations[handle].state.isCancelled }

  /// A worker no longer has an operation.
  ///
  /// The operation settles, or is due again: for a retry, or if it has not begun and has no end.
  @inline(__always)
  mutating func leaveWorker(
    _ handle: OperationHandle,
    as end: OperationEnd?,
    mayRetry: Bool,
    _ context: inout EventContext
  ) {
    guard let end, operations[handle].state.isExecuting else {
      return leaveWorkerUnstarted(handle, as: end, &context)
    }
    executingCount -= 1
    guard mayRetry else { return settle(handle, as: end, &context) }
    if !isRepeated(handle, after: end) {
      guard self.mayRetry(handle, after: end) else { return settle(handle, as: end, &context) }
      operations[handle].retriesLeft -= 1
    }
    context.effects.append(.retry(settlement(handle, end, at: context.now)))
    retry(handle, &context)
  }

  /// For an operation that has not begun.
  ///
  /// Without an end, a reported start is revoked and counts as no attempt; if the operation was
  /// cancelled, it settles as cancelled.
  private mutating func leaveWorkerUnstarted(
    _ handle: OperationHandle,
    as end: OperationEnd?,
    _ context: inout EventContext
  ) {
    if operations[handle].state.isExecuting {
      executingCount -= 1
      operations[handle].revokeAttempt()
    }
    if operations[handle].state.isCancelled, end?.ending != .cancelled {
      settle(handle, as: OperationEnd(.cancelled, .request), &context)
    } else if let end {
      settle(handle, as: end, &context)
    } else {
      consequences.append(.due(handle))
    }
  }

  /// Gives an operation its outcome and queues its dependents for ``deliverNextEnd(_:)``.
  mutating func settle(
    _ handle: OperationHandle,
    as end: OperationEnd,
    _ context: inout EventContext
  ) {
    let settlement = settlement(handle, end, at: context.now)
    withdraw(handle)
    if operations[handle].isInQueue {
      leaveQueue(handle)
      context.effects.append(.settle(settlement))
    }
    operations[handle].settle(end.ending, root: settlement.root)
    edges.release(handle)
    cancelDelay(handle)
    if operations[handle].role != .plain {
      forgetTally(handle)
      concludeGroup(handle, end.ending, root: settlement.root)
    }
    noteDependents(of: handle, ending: end.ending, root: settlement.root)
    if operations[handle].role.isHidden { forget(handle) }
  }

  @inline(__always)
  private mutating func leaveQueue(_ handle: OperationHandle) {
    guard let queue = operations[handle].queue else { return }
    consequences.append(.departed(handle, position: operations[handle].position))
    unsettledCount -= 1
    remove(handle, from: queue)
    if lists[queue].isDropped, lists[queue].count == 0 { consequences.append(.emptied(queue)) }
  }

  /// Queues the dependents of an operation that has ended for ``deliverNextEnd(_:)``.
  @inline(__always)
  mutating func noteDependents(of handle: OperationHandle, ending: PoolEnding, root: OperationID) {
    edges.removeDependents(of: handle) { dependent, requirement in
      pendingEnds.append(
        DependencyEnd(handle: dependent, requirement: requirement, ending: ending, root: root)
      )
    }
  }

  /// Passes the end on to the next dependent; false if none is left.
  ///
  /// There is no recursion, because a chain may have a million links.
  mutating func deliverNextEnd(_ context: inout EventContext) -> Bool {
    guard deliveredCount < pendingEnds.count else {
      guard deliveredCount > 0 else { return false }
      pendingEnds.removeAll(keepingCapacity: true)
      deliveredCount = 0
      return false
    }
    let item = pendingEnds[deliveredCount]
    deliveredCount += 1
    deliver(item, &context)
    return true
  }

  /// One dependency of an operation has ended; does nothing if the operation has settled meanwhile.
  private mutating func deliver(_ end: DependencyEnd, _ context: inout EventContext) {
    let handle = end.handle
    guard operations[handle].state.acceptsDependencies else { return }
    if operations[handle].role.hasTally { tally(handle, end.ending, end.root) }
    if !end.requirement.isMet(by: end.ending) { failDependency(handle, end.root, &context) }
    if operations[handle].state.acceptsDependencies { meetDependency(handle, &context) }
  }

  @inline(__always)
  private func settlement(_ handle: OperationHandle, _ end: OperationEnd, at now: Instant)
    -> Settlement
  {
    let id = operations.id(of: handle)
    return Settlement(
      id,
      end.ending,
      because: end.cause,
      root: end.root ?? id,
      detail: end.detail,
      attempt: operations[handle].attempt,
      worker: end.worker,
      queued: operations[handle].wasReady ? operations[handle].queuedAt : nil,
      started: operations[handle].attempt > 0 ? operations[handle].startedAt : nil,
      finished: min(end.finished, now)
    )
  }
}

// MARK: - Groups and hidden operations

extension Graph {
  /// A member of a group has ended: the group keeps the gravest ending, and the first of several
  /// equal ones.
  mutating func tally(_ handle: OperationHandle, _ ending: PoolEnding, _ root: OperationID) {
    guard ending.isGraver(than: operations[handle].tally) else { return }
    operations[handle].tally = ending
    roots[handle] = root
  }

  /// Forgets the root of a group or hidden operation, so that the next operation at its handle does
  /// not find it.
  mutating func forgetTally(_ handle: OperationHandle) {
    if operations[handle].role.executesNothing { roots[handle] = nil }
  }

  /// Settles a group or hidden operation, after all that it waited for has ended.
  mutating func settleByTally(_ handle: OperationHandle, _ context: inout EventContext) {
    if operations[handle].role == .groupEnd { return settleGroup(by: handle, &context) }
    let root = roots[handle]
    let ending = operations[handle].tally.ofGroup
    let cause = ending == .succeeded ? EndingCause.answer : .dependency
    settle(handle, as: OperationEnd(ending, cause, root: root), &context)
  }
}

extension OperationLife {
  /// Whether it has ever been ready; then `queuedAt` is valid.
  fileprivate var wasReady: Bool {
    switch state {
    case .ready, .dispatched, .executing: true
    case .open: queuedAt != .zero
    case .free, .created, .willSkip, .waiting, .preparing, .settled:
      attempt > 0 && startedAt != .distantFuture
    }
  }
}
