import PoolModel

// The turn of an operation comes: its dependencies have ended, and it is prepared.

extension Graph {
  /// Nothing that an operation in a queue waited for is left; returns whether its turn has come.
  @inline(__always)
  mutating func proceed(_ handle: OperationHandle, _ turn: inout Turn) -> Bool {
    if operations[handle].role.executesNothing {
      settleJoin(handle, &turn)
      return false
    }
    guard operations[handle].preparation == .needed else { return true }
    let number = nextPreparation
    nextPreparation += 1
    operations[handle].prepare(number)
    note(handle, .pending, &turn)
    turn.effects.append(.prepare(operations.id(of: handle), number))
    return false
  }

  /// The next operation whose turn has come, and that is to wait for a worker.
  @inline(__always)
  mutating func popDue() -> OperationHandle? {
    // Nearly always there is one.
    guard due.count > 1 else { return due.popLast() }
    dueCount += 1
    guard dueCount == due.count else { return due[dueCount - 1] }
    defer {
      due.removeAll(keepingCapacity: true)
      dueCount = 0
    }
    return due[dueCount - 1]
  }

  /// An operation whose turn has come waits for a worker.
  @inline(__always)
  mutating func becomeReady(_ handle: OperationHandle, at now: Instant) {
    operations[handle].queuedAt = now
    operations[handle].becomeReady()
  }

  /// The operation that is being prepared under this number.
  func preparing(_ id: OperationID, _ number: UInt64) -> OperationHandle? {
    operations.slot(of: id).flatMap { operations[$0].state == .preparing(number) ? $0 : nil }
  }
}

// MARK: - Notes

extension Graph {
  /// Tells a change of an operation to whoever wants to hear of it.
  ///
  /// That it is ready, or is not after all, is told once each time, however often it is found out.
  mutating func note(_ handle: OperationHandle, _ change: OperationChange, _ turn: inout Turn) {
    if change != .cancelled {
      guard operations[handle].lastNotified != change else { return }
      operations[handle].lastNotified = change
    }
    if isObserved(handle) { turn.effects.append(.note(operations.id(of: handle), change)) }
  }

  /// Whether somebody wants to hear of every change of an operation, or of its queue's.
  func isObserved(_ handle: OperationHandle) -> Bool {
    if operations[handle].isObserved { return true }
    return operations[handle].queue.map { lists[$0].isObserved } ?? false
  }
}
