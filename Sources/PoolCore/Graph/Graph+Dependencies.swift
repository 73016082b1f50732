package import PoolModel

// Adds and removes dependencies and gates, and passes inherited priorities along them.

extension Graph {
  /// See ``GraphChange/addDependency(of:on:requiring:)``.
  mutating func addDependency(
    of dependent: OperationID,
    on dependency: OperationID,
    requiring requirement: PoolRequirement,
    _ context: inout EventContext
  ) -> [OperationID]? {
    guard let handle = changeable(dependent), let other = operations.handle(of: dependency)
    else { return nil }
    return link(handle, to: other, requiring: requirement, &context)
  }

  /// Makes an operation wait for another that is not yet its dependency; returns the cycle if that
  /// would close one.
  mutating func link(
    _ handle: OperationHandle,
    to other: OperationHandle,
    requiring requirement: PoolRequirement,
    _ context: inout EventContext
  ) -> [OperationID]? {
    guard case .settled(let ending, let root) = operations[other].state else {
      if let cycle = addEdge(handle, other, requirement) { return cycle }
      revokeReadiness(handle, &context)
      raiseDependencies(of: handle)
      return nil
    }
    if operations[handle].role == .group { tally(handle, ending, root) }
    if !requirement.isMet(by: ending) { failDependency(handle, root, &context) }
    return nil
  }

  /// See ``GraphChange/removeDependency(of:on:)``.
  mutating func removeDependency(
    of dependent: OperationID,
    on dependency: OperationID,
    _ context: inout EventContext
  ) {
    guard let handle = changeable(dependent) else { return }
    operations[handle].withdrawSkip()
    guard let other = operations.handle(of: dependency), !operations[other].state.isSettled,
      edges.unlink(handle, from: groups.end(of: other))
    else { return }
    meetDependency(handle, &context)
  }

  /// Holds an operation back until its gate is open.
  mutating func addGate(_ id: OperationID, _ context: inout EventContext) {
    guard let handle = changeable(id) else { return }
    operations[handle].unmet += 1
    operations[handle].gateCount += 1
    revokeReadiness(handle, &context)
  }

  /// Opens one gate.
  mutating func openGate(_ id: OperationID, _ context: inout EventContext) {
    guard let handle = operations.handle(of: id), operations[handle].gateCount > 0 else { return }
    operations[handle].gateCount -= 1
    meetDependency(handle, &context)
  }

  /// Whether an operation still accepts dependencies and gates.
  package func acceptsDependencies(_ id: OperationID) -> Bool { changeable(id) != nil }
}

extension Graph {
  /// Adds an edge between two operations that have not settled.
  mutating func addEdge(
    _ handle: OperationHandle,
    _ dependency: OperationHandle,
    _ requirement: PoolRequirement
  ) -> [OperationID]? {
    if let cycle = edges.link(handle, to: groups.end(of: dependency), requirement) {
      return cycle.compactMap { name(of: $0) }
    }
    operations[handle].unmet += 1
    return nil
  }

  /// Removes an edge of an operation that is not in a queue yet.
  mutating func removeEdge(_ handle: OperationHandle, _ dependency: OperationHandle) {
    if edges.unlink(handle, from: dependency) { operations[handle].unmet -= 1 }
  }

  /// Counts one dependency or gate less; the last one makes the operation proceed.
  mutating func meetDependency(_ handle: OperationHandle, _ context: inout EventContext) {
    operations[handle].unmet -= 1
    guard operations[handle].unmet == 0 else { return }
    switch operations[handle].state {
    case .waiting: if proceed(handle, &context) { consequences.append(.due(handle)) }
    case .created(isCancelled: false), .willSkip(_, isCancelled: false):
      note(handle, .ready, &context)
    case .free, .created, .willSkip, .preparing, .ready, .dispatched, .executing, .open, .settled:
      break
    }
  }

  /// An operation that was ready, or being prepared, must wait again; it is not offered any more.
  mutating func revokeReadiness(_ handle: OperationHandle, _ context: inout EventContext) {
    withdraw(handle)
    switch operations[handle].state {
    case .ready:
      operations[handle].waitUnprepared()
      note(handle, .pending, &context)
    case .preparing: operations[handle].waitUnprepared()
    case .created(isCancelled: false), .willSkip(_, isCancelled: false):
      note(handle, .pending, &context)
    case .free, .created, .willSkip, .waiting, .dispatched, .executing, .open, .settled: break
    }
  }

  /// A dependency has ended in a way that does not meet the operation's requirement.
  mutating func failDependency(
    _ handle: OperationHandle,
    _ root: OperationID,
    _ context: inout EventContext
  ) {
    if operations[handle].isInQueue {
      end(handle, as: OperationEnd(.skipped, .dependency, root: root), &context)
    } else {
      operations[handle].willSkip(by: root)
    }
  }
}

// MARK: - Urgency

extension Graph {
  /// An operation that inherits the priority level of a dependent.
  struct Rise {
    let handle: OperationHandle
    let level: UInt8
  }

  /// See ``GraphChange/setPriority(_:of:)``.
  mutating func setPriority(_ priority: PoolQueuePriority, of id: OperationID) {
    guard let handle = operations.handle(of: id) else { return }
    move(handle) { $0.priority = priority }
    raiseDependencies(of: handle)
  }

  /// Passes an operation's level on to its dependencies, and on from these, if it raises its
  /// dependencies.
  ///
  /// A level only rises, at most five times, so all priority inheritance together is linear in the
  /// number of edges. An inherited level stays, even if the dependent is cancelled.
  @inline(__always)
  mutating func raiseDependencies(of handle: OperationHandle) {
    let level = operations[handle].inheritableLevel
    if level < UInt8.max { raiseDependencies(of: handle, to: level) }
  }

  private mutating func raiseDependencies(of handle: OperationHandle, to level: UInt8) {
    var found: [PendingChange] = []
    edges.forEachDependency(of: handle) { other, _ in
      if level < operations[other].inheritedLevel {
        found.append(.rise(Rise(handle: other, level: level)))
      }
    }
    pendingChanges += found
  }

  /// Applies each rise before the next, so that the ready queues agree with the records.
  mutating func raise(_ rise: Rise) {
    guard rise.level < operations[rise.handle].inheritedLevel else { return }
    move(rise.handle) { $0.inheritedLevel = rise.level }
    raiseDependencies(of: rise.handle)
  }

  /// Changes a property that determines the operation's position in the ready queue.
  private mutating func move(_ handle: OperationHandle, _ body: (inout OperationLife) -> Void) {
    let level = operations[handle].level
    body(&operations[handle])
    guard case .ready(let isOffered) = operations[handle].state, operations[handle].level != level
    else { return }
    consequences.append(.withdrawn(handle, level: UInt8(level), isOffered: isOffered))
    operations[handle].setOffered(false)
    consequences.append(.moved(handle))
  }
}

extension OperationLife {
  /// The level that its dependencies inherit; `UInt8.max` for none.
  fileprivate var inheritableLevel: UInt8 { raisesDependencies ? UInt8(level) : inheritedLevel }
}
