package import PoolModel

// The turn of an operation comes: its dependencies have ended, and it is prepared.

extension Graph {
  /// Nothing that an operation in a queue waited for is left; returns whether its turn has come.
  @inline(__always)
  mutating func proceed(_ handle: OperationHandle, _ context: inout EventContext) -> Bool {
    if operations[handle].role.executesNothing {
      settleByTally(handle, &context)
      return false
    }
    guard operations[handle].preparation == .needed else { return true }
    let number = nextPreparation
    nextPreparation += 1
    operations[handle].prepare(number)
    note(handle, .pending, &context)
    context.effects.append(.prepare(operations.id(of: handle), number))
    return false
  }

  /// An operation whose turn has come waits for a worker; one that a worker gave back still does.
  @inline(__always)
  mutating func becomeReady(_ handle: OperationHandle, _ context: inout EventContext) {
    if operations[handle].state.dispatch == nil { operations[handle].queuedAt = context.now }
    operations[handle].becomeReady()
    note(handle, .ready, &context)
  }

  /// No worker can ever execute an operation.
  mutating func fail(
    _ handle: OperationHandle,
    because cause: EndingCause,
    _ context: inout EventContext
  ) {
    if !operations[handle].state.isReady { operations[handle].queuedAt = context.now }
    settle(handle, as: OperationEnd(.failed, cause), &context)
  }

  /// Has an operation prepared that is in no queue yet; see ``OperationSpec/needsPreparation``.
  package mutating func requestPreparation(of id: OperationID) {
    if let handle = outside(id) { operations[handle].requestPreparation() }
  }
}

// MARK: - Notes

extension Graph {
  /// Tells a change of an operation, if it is observed.
  ///
  /// That it is ready, or is not after all, is told once each time, however often it is found out.
  @inline(__always)
  mutating func note(
    _ handle: OperationHandle,
    _ change: OperationChange,
    _ context: inout EventContext
  ) {
    if change != .cancelled {
      guard operations[handle].lastNotified != change else { return }
      operations[handle].lastNotified = change
    }
    if isObserved(handle) {
      context.effects.append(.notifyChange(operations.id(of: handle), change))
    }
  }

  /// Tells every change of an operation from now on.
  package mutating func observe(_ id: OperationID) {
    if let handle = operations.handle(of: id) { operations[handle].isObserved = true }
  }

  /// Whether every change of an operation is told, because it or its queue is observed.
  @inline(__always)
  func isObserved(_ handle: OperationHandle) -> Bool {
    if operations[handle].isObserved { return true }
    return operations[handle].queue.map { lists[$0].isObserved } ?? false
  }
}
