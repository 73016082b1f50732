package import PoolModel

/// Changes of operations that concern the graph alone.
package enum GraphChange: Sendable {
  /// Makes an operation wait for another that is not yet its dependency; no effect once the
  /// operation was dispatched or has settled.
  ///
  /// Refused if it would close a cycle. O(1) for graphs that are built from either end; see
  /// `DependencyGraph`.
  case addDependency(of: OperationID, on: OperationID, requiring: PoolRequirement)
  /// Removes a dependency; no effect once the operation was dispatched or has settled. O(smaller
  /// degree).
  ///
  /// A pending skip of the operation is withdrawn; the caller adds its other dependencies that have
  /// ended again, with their requirements.
  case removeDependency(of: OperationID, on: OperationID)
  /// Makes an operation that is in no queue a member of a group that has not settled: the group's
  /// dependents wait for it, and it waits until the group's dependencies have ended.
  ///
  /// It must enter the group's queue, in the same batch or later; there it is cancelled if the
  /// group is.
  ///
  /// Refused where it would close a cycle.
  case addMember(OperationID, to: OperationID)
  /// Removes an operation that has not entered a queue from a group.
  case removeMember(OperationID, from: OperationID)
  /// Removes an operation that has not entered a queue from whatever group it is in.
  case leaveGroup(OperationID)
  /// Holds an operation back until its gate is open; no effect once it was dispatched or has
  /// settled.
  case addGate(OperationID)
  /// Opens one gate.
  case openGate(OperationID)
  /// Changes how urgent an operation is; O(1), and O(dependencies) where it raises its
  /// dependencies.
  case setPriority(PoolQueuePriority, of: OperationID)
  /// Settles an operation outside all queues: it has no dependencies here, but may have dependents.
  case conclude(OperationID, as: PoolEnding)
  /// The conditions and inputs of an operation were evaluated; ignored if the preparation with this
  /// number is no longer wanted.
  case prepared(OperationID, UInt64, Preparation<DetailID>)
  /// Cancels an operation: before its dispatch it settles at once, later its teardown sequence
  /// begins.
  ///
  /// An operation that is not in a queue is only marked, and settles when it enters one. No effect
  /// on a settled one. O(degree).
  case cancel(OperationID)
  /// Closes a queue for further operations; it is forgotten when it is empty.
  case dropQueue(QueueID)
}

extension Graph {
  /// Applies a change; returns nil, or the cycle that it would close, in which each operation waits
  /// for the next; then nothing has changed.
  mutating func apply(_ change: GraphChange, _ context: inout EventContext) -> [OperationID]? {
    switch change {
    case .addDependency(let id, let other, let requirement):
      return addDependency(of: id, on: other, requiring: requirement, &context)
    case .addMember(let member, let group): return addMember(member, to: group, &context)
    case .removeDependency(let id, let other): removeDependency(of: id, on: other, &context)
    case .removeMember(let member, let group): removeMember(member, from: group, &context)
    case .leaveGroup(let id):
      guard let handle = outside(id), operations[handle].group != .none else { return nil }
      removeMember(id, from: operations.id(of: operations[handle].group), &context)
    case .addGate(let id): addGate(id, &context)
    case .openGate(let id): openGate(id, &context)
    case .setPriority(let priority, let id): setPriority(priority, of: id)
    case .conclude(let id, let ending): conclude(id, as: ending, &context)
    case .prepared(let id, let number, let result): prepared(id, number, result, &context)
    case .cancel(let id): if let handle = operations.handle(of: id) { cancel(handle, &context) }
    case .dropQueue(let queue): drop(queue)
    }
    return nil
  }

  private mutating func conclude(
    _ id: OperationID,
    as ending: PoolEnding,
    _ context: inout EventContext
  ) {
    guard let handle = outside(id) else { return }
    dissolveGroup(handle, &context)
    let cause = ending == .cancelled ? EndingCause.request : .answer
    settle(handle, as: OperationEnd(ending, cause), &context)
  }

  private mutating func prepared(
    _ id: OperationID,
    _ number: UInt64,
    _ result: Preparation<DetailID>,
    _ context: inout EventContext
  ) {
    guard let handle = operations.handle(of: id), operations[handle].state == .preparing(number)
    else { return }
    switch result {
    case .ready:
      operations[handle].endPreparation()
      if becomesDue(handle) { consequences.append(.due(handle)) }
    case .ended(let ending, let cause, let detail):
      end(handle, as: OperationEnd(ending, cause, detail: detail), &context)
    }
  }

  private mutating func drop(_ queue: QueueID) {
    lists[queue].isDropped = true
    if lists[queue].count == 0 { consequences.append(.emptied(queue)) }
  }

  /// The handle of an operation that has not entered a queue.
  func outside(_ id: OperationID) -> OperationHandle? {
    operations.handle(of: id).flatMap { operations[$0].state.isOutside ? $0 : nil }
  }

  /// The handle of an operation that still accepts dependencies and gates.
  func changeable(_ id: OperationID) -> OperationHandle? {
    operations.handle(of: id).flatMap { operations[$0].state.acceptsDependencies ? $0 : nil }
  }
}
