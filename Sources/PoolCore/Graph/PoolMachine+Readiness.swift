package import PoolModel

// The turn of an operation comes: its dependencies have ended, it is prepared, and it waits for
// a worker and for what it claims.

extension PoolMachine {
  /// Nothing that an operation in a queue waited for is left.
  mutating func proceed(_ slot: OperationHandle, at now: Instant) {
    if operations[slot].role.executesNothing { return settleJoin(slot, at: now) }
    guard operations[slot].preparation == .needed else {
      return makeReady(slot, at: now)
    }
    let number = nextPreparation
    nextPreparation += 1
    operations[slot].prepare(number)
    note(slot, .pending)
    turn.effects.append(.prepare(operations.id(of: slot), number))
  }

  /// Has an operation prepared that is in no queue yet; see ``OperationSpec/needsPreparation``.
  package mutating func demandPreparation(of id: OperationID) {
    guard let slot = operations.slot(of: id), operations[slot].state.isOutside else { return }
    operations[slot].demandPreparation()
  }

  /// What the preparation of an operation came to.
  package enum Verdict: Hashable, Sendable {
    /// It may be executed.
    case go
    /// It ends like this, without having been executed.
    case end(PoolEnding, EndingCause, DetailID)
  }

  /// The conditions and inputs of an operation were evaluated; ignored where that was in vain.
  package mutating func prepared(
    _ id: OperationID,
    _ number: UInt64,
    _ verdict: Verdict,
    at now: Instant
  ) {
    guard let slot = operations.slot(of: id), operations[slot].state == .preparing(number) else {
      return
    }
    switch verdict {
    case .go:
      operations[slot].endPreparation()
      makeReady(slot, at: now)
    case .end(let ending, let cause, let detail):
      settle(slot, as: ending, because: cause, detail: detail, at: now)
    }
    settleAftermath(at: now)
  }

  /// Puts an operation into the ready queue, unless nobody can ever execute it.
  mutating func makeReady(_ slot: OperationHandle, at now: Instant) {
    operations[slot].queuedAt = now
    switch dispatcher.service(of: operations[slot].kindQueue) {
    case .possible:
      operations[slot].becomeReady()
      dispatcher.enterReady(slot, &operations)
      note(slot, .ready)
    case .unserved:
      settle(slot, as: .failed, because: .unservedKind, at: now)
    case .broken:
      settle(slot, as: .failed, because: .noWorker, at: now)
    }
  }
}

// MARK: - Notes

extension PoolMachine {
  /// Tells a change of an operation to whoever wants to hear of it.
  ///
  /// That it is ready, or is not after all, is told once each time, however often it is found out.
  mutating func note(_ slot: OperationHandle, _ change: OperationChange) {
    if change != .cancelled {
      guard operations[slot].lastNotified != change else { return }
      operations[slot].lastNotified = change
    }
    if isObserved(slot) { turn.effects.append(.note(operations.id(of: slot), change)) }
  }

  /// Whether somebody wants to hear of every change of an operation, or of its queue's.
  func isObserved(_ slot: OperationHandle) -> Bool {
    if operations[slot].isObserved { return true }
    return operations[slot].queue.map { lists[$0].isObserved } ?? false
  }

  /// Tells every change of an operation from now on.
  package mutating func observe(_ id: OperationID) {
    guard let slot = operations.slot(of: id) else { return }
    operations[slot].isObserved = true
  }
}
