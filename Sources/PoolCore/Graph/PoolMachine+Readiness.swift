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
    let number = nextNumber
    nextNumber += 1
    operations[slot].prepare(number)
    note(slot, .pending)
    effects.append(.prepare(operations.id(of: slot), number))
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
    switch kindQueues[operations[slot].kindQueue].service {
    case .possible:
      operations[slot].becomeReady()
      enterReady(slot)
      note(slot, .ready)
    case .unserved:
      settle(slot, as: .failed, because: .unservedKind, at: now)
    case .broken:
      settle(slot, as: .failed, because: .noWorker, at: now)
    }
  }

  /// An operation joins those that wait for a worker; O(1) and O(claims).
  mutating func enterReady(_ slot: OperationHandle) {
    readyCount += 1
    hasReadyChanged = true
    guard operations[slot].hasClaims else { return offer(slot) }
    let queue = kindQueues[operations[slot].kindQueue].queue
    queues[queue].claimantCount += 1
    if queues[queue].isOpen { waitForClaims(slot) }
  }

  /// An operation does not wait for a worker any more; O(1) and O(claims).
  mutating func removeReady(_ slot: OperationHandle) {
    readyCount -= 1
    hasReadyChanged = true
    withdraw(slot)
    let queue = kindQueues[operations[slot].kindQueue].queue
    cancelReservations(of: slot, in: queue)
    guard operations[slot].hasClaims else { return }
    queues[queue].claimantCount -= 1
    if queues[queue].isOpen { withdrawClaims(slot) }
  }

  private mutating func offer(_ slot: OperationHandle) {
    operations[slot].setOffered(true)
    guard !suspects.contains(slot) else {
      suspects.offeredCount += 1
      return kindQueues[operations[slot].kindQueue].suspects.insert(operations[slot].key)
    }
    kindQueues[operations[slot].kindQueue].ready.insert(operations[slot].key)
  }

  private mutating func withdraw(_ slot: OperationHandle) {
    guard operations[slot].state.isOffered else { return }
    operations[slot].setOffered(false)
    guard !suspects.contains(slot) else {
      suspects.offeredCount -= 1
      return kindQueues[operations[slot].kindQueue].suspects.remove(operations[slot].key)
    }
    kindQueues[operations[slot].kindQueue].ready.remove(operations[slot].key)
  }
}

// MARK: - Claims

extension PoolMachine {
  /// A ready operation lines up for all that it claims.
  mutating func waitForClaims(_ slot: OperationHandle) {
    let key = operations[slot].key
    for claim in resources.claims(operations[slot].claims) {
      // Whoever was first and is not any more has to wait again.
      if let former = resources[claim].waiting.first, key < former {
        withdraw(order.occupant(former.position))
      }
      resources[claim].waiting.insert(key)
    }
    offerIfFree(slot)
  }

  /// A ready operation leaves the lines for all that it claims; who is next may have its turn.
  mutating func withdrawClaims(_ slot: OperationHandle) {
    withdraw(slot)
    let claims = resources.claims(operations[slot].claims)
    for claim in claims { resources[claim].waiting.remove(operations[slot].key) }
    for claim in claims { refresh(claim) }
  }

  /// A worker is given an operation, which takes a unit of each thing that it claims.
  mutating func takeClaims(_ slot: OperationHandle) {
    for claim in resources.claims(operations[slot].claims) { resources[claim].inUse += 1 }
  }

  /// A worker does not have an operation any more: its units are free.
  mutating func returnClaims(_ slot: OperationHandle) {
    let claims = resources.claims(operations[slot].claims)
    for claim in claims { resources[claim].inUse -= 1 }
    for claim in claims { refresh(claim) }
  }

  /// The units of a resource, or the line for it, have changed.
  mutating func refresh(_ claim: ResourceID) {
    guard let first = resources[claim].waiting.first else { return }
    let slot = order.occupant(first.position)
    if !resources[claim].hasFree { return withdraw(slot) }
    offerIfFree(slot)
  }

  private mutating func offerIfFree(_ slot: OperationHandle) {
    let life = operations[slot]
    guard !life.state.isOffered, resources.mayTake(life.claims, life.key) else { return }
    offer(slot)
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
    if isObserved(slot) { effects.append(.note(operations.id(of: slot), change)) }
  }

  /// Whether somebody wants to hear of every change of an operation, or of its queue's.
  func isObserved(_ slot: OperationHandle) -> Bool {
    if operations[slot].isObserved { return true }
    return operations[slot].queue.map { queues[$0].isObserved } ?? false
  }

  /// Tells every change of an operation from now on.
  package mutating func observe(_ id: OperationID) {
    guard let slot = operations.slot(of: id) else { return }
    operations[slot].isObserved = true
  }
}
