package import PoolModel

// From the last dependency's end to ready: preparation, and changes that observers hear of.

extension Graph {
  /// An operation in a queue has no unmet dependency left; returns whether it is due, so that it
  /// can become ready.
  @inline(__always)
  mutating func proceed(_ handle: OperationHandle, _ context: inout EventContext) -> Bool {
    if operations[handle].role.executesNothing {
      settleByTally(handle, &context)
      return false
    }
    guard operations[handle].preparation == .needed else { return becomesDue(handle) }
    let number = nextPreparation
    nextPreparation += 1
    operations[handle].prepare(number)
    note(handle, .pending, &context)
    context.effects.append(.prepare(operations.id(of: handle), number))
    return false
  }

  /// Whether an operation that waits for nothing is due; a group opens instead, but not at once:
  /// groups may be in groups without end.
  @inline(__always)
  mutating func becomesDue(_ handle: OperationHandle) -> Bool {
    guard operations[handle].role == .gatedGroup else { return true }
    pendingChanges.append(.opening(handle))
    return false
  }

  /// A due operation becomes ready; one that a worker returned keeps its `queuedAt`.
  @inline(__always)
  mutating func becomeReady(_ handle: OperationHandle, _ context: inout EventContext) {
    if operations[handle].state.dispatch == nil { operations[handle].queuedAt = context.now }
    operations[handle].becomeReady()
    note(handle, .ready, &context)
  }

  /// Fails an operation that no worker can ever execute.
  mutating func fail(
    _ handle: OperationHandle,
    because cause: EndingCause,
    _ context: inout EventContext
  ) {
    if !operations[handle].state.isReady { operations[handle].queuedAt = context.now }
    settle(handle, as: OperationEnd(.failed, cause), &context)
  }

  /// Requests preparation for an operation that is in no queue yet; see
  /// ``OperationSpec/needsPreparation``.
  package mutating func requestPreparation(of id: OperationID) {
    if let handle = outside(id) { operations[handle].requestPreparation() }
  }
}

// MARK: - Notes

extension Graph {
  /// Reports a change of an operation if it is observed.
  ///
  /// `ready` and `pending` are reported only when they alternate, however often the state is found.
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

  /// Reports every change of an operation from now on.
  package mutating func observe(_ id: OperationID) {
    if let handle = operations.handle(of: id) { operations[handle].isObserved = true }
  }

  /// Whether every change of an operation is reported, because it or its queue is observed.
  @inline(__always)
  func isObserved(_ handle: OperationHandle) -> Bool {
    if operations[handle].isObserved { return true }
    return operations[handle].queue.map { lists[$0].isObserved } ?? false
  }
}
