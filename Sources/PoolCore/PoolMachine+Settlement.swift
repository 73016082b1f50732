package import PoolModel

// Operations go out: attempts end, operations settle, and their dependents hear of it.

extension PoolMachine {
  /// Cancels an operation: before it was dispatched it settles at once, later the ladder begins.
  ///
  /// One that is not in the queue is only marked, and settles when it enters it. A settled one is
  /// left alone. O(1), and O(degree) where it settles.
  package mutating func cancel(_ id: OperationID, at now: Instant) {
    guard let slot = operations.slot(of: id) else { return }
    cancel(slot, at: now)
    settleAftermath(at: now)
  }

  /// Cancels everything in the queue, in the order of submission.
  package mutating func cancelAll(at now: Instant) {
    // Dependents hear of it when all is done, so that none settles as skipped because of another's
    // cancellation.
    for slot in order.slots { cancel(slot, at: now) }
    settleAftermath(at: now)
  }

  private mutating func cancel(_ slot: Int, at now: Instant) {
    guard !operations[slot].isCancelled, !operations[slot].isSettled else { return }
    operations[slot].isCancelled = true
    switch operations[slot].state {
    case .waiting, .ready:
      settle(slot, as: .cancelled, because: .request, at: now)
    case .held(let worker, let number), .executing(let worker, let number):
      cancelDispatched(slot, worker, number, at: now)
    case .free, .created, .doomed, .forgotten, .settled:
      break
    }
  }

  /// An attempt has ended: the operation settles, or is ready again where it may be retried.
  mutating func endAttempt(
    _ slot: Int,
    as ending: PoolEnding,
    because cause: EndingCause,
    detail: DetailID = .none,
    worker: WorkerID,
    at now: Instant
  ) {
    executingCount -= 1
    let isRetryable = ending == .failed || ending == .timedOut || ending == .lost
    guard isRetryable, operations[slot].retriesLeft > 0, !operations[slot].isCancelled, !isClosing
    else {
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
    effects.append(.retry(settlement))
    makeReady(slot, at: now)
  }

  /// Gives an operation its outcome and notes its dependents for ``settleAftermath(at:)``.
  mutating func settle(
    _ slot: Int,
    as ending: PoolEnding,
    because cause: EndingCause,
    detail: DetailID = .none,
    worker: WorkerID? = nil,
    root: OperationID? = nil,
    at now: Instant
  ) {
    if operations[slot].state == .ready { removeReady(slot) }
    let settlement = settlement(
      slot,
      ending,
      cause,
      detail: detail,
      worker: worker,
      root: root,
      at: now
    )
    operations[slot].state = .settled(ending, root: settlement.root)
    order.vacate(operations[slot].position)
    unsettledCount -= 1
    endings[Int(ending.rawValue)] += 1
    effects.append(.settle(settlement))
    noteDependents(of: slot, ending: ending, root: settlement.root)
  }

  /// Notes for ``settleAftermath(at:)`` who waits for an operation that has ended.
  mutating func noteDependents(of slot: Int, ending: PoolEnding, root: OperationID) {
    graph.drain(&operations[slot].dependents) { dependent, requirement in
      aftermath.append(
        Aftermath(slot: dependent, requirement: requirement, ending: ending, root: root)
      )
    }
  }

  /// Tells dependents, and theirs in turn, without recursion: a chain may have a million links.
  mutating func settleAftermath(at now: Instant) {
    var next = 0
    while next < aftermath.count {
      let item = aftermath[next]
      next += 1
      hear(item, at: now)
    }
    aftermath.removeAll(keepingCapacity: true)
  }

  /// One dependency of an operation has ended.
  mutating func hear(_ news: Aftermath, at now: Instant) {
    let slot = news.slot
    operations[slot].unmet -= 1
    switch operations[slot].state {
    case .waiting:
      if !news.requirement.isMet(by: news.ending) {
        settle(slot, as: .skipped, because: .dependency, root: news.root, at: now)
      } else if operations[slot].unmet == 0 {
        makeReady(slot, at: now)
      }
    case .created:
      if !news.requirement.isMet(by: news.ending) {
        operations[slot].state = .doomed(by: news.root)
      }
    case .doomed, .settled:
      break
    case .forgotten:
      if operations[slot].unmet == 0 { operations.release(slot) }
    case .free, .ready, .held, .executing:
      preconditionFailure("an operation with an unmet dependency is not dispatched or forgotten")
    }
  }

  private func settlement(
    _ slot: Int,
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
      operation: id,
      ending: ending,
      cause: cause,
      root: root ?? id,
      detail: detail,
      attempt: Int(life.attempt),
      worker: worker,
      queued: life.state == .waiting ? nil : life.queuedAt,
      started: life.attempt > 0 ? life.startedAt : nil,
      finished: now
    )
  }
}
