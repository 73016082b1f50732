import PoolModel

// What waits for what: edges come and go, and urgency travels along them.

extension Graph {
  /// What came of a new dependency.
  enum Linking {
    /// The operation waits for one more.
    case linked
    /// Nothing has changed: the cycle would be closed, each waiting for the next.
    case cycle([OperationID])
    /// The other one has ended already, as required or not.
    case ended
    /// The other one has ended otherwise than required: the operation, which is in a queue, is
    /// skipped.
    case skipped(root: OperationID)
  }

  /// Lets an operation wait for another that is not its dependency already.
  mutating func link(
    _ handle: OperationHandle,
    to other: OperationHandle,
    requiring requirement: PoolRequirement
  ) -> Linking {
    guard case .settled(let ending, let root) = operations[other].state else {
      return addEdge(handle, other, requirement).map { .cycle($0) } ?? .linked
    }
    if operations[handle].role == .join { tally(handle, ending, root) }
    guard !requirement.isMet(by: ending) else { return .ended }
    if operations[handle].isInQueue { return .skipped(root: root) }
    operations[handle].willSkip(by: root)
    return .ended
  }

  /// Lets an operation not wait for another any more; O(smaller degree).
  ///
  /// One that would have been skipped because of how the other had ended is pardoned: what removes
  /// a dependency says again what it requires of the others that have ended.
  mutating func unlink(
    _ handle: OperationHandle,
    from dependency: OperationID,
    _ turn: inout Turn
  ) {
    operations[handle].pardon()
    guard let other = operations.slot(of: dependency), !operations[other].state.isSettled,
      edges.unlink(handle, from: groups.end(of: other))
    else { return }
    meet(handle, &turn)
  }

  /// Holds an operation back until its gate is open.
  mutating func addGate(_ handle: OperationHandle) {
    operations[handle].unmet += 1
    operations[handle].gateCount += 1
  }

  /// Opens one gate.
  mutating func openGate(_ handle: OperationHandle, _ turn: inout Turn) {
    guard operations[handle].gateCount > 0 else { return }
    operations[handle].gateCount -= 1
    meet(handle, &turn)
  }
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

  /// Takes an edge away of an operation that is not in a queue yet.
  mutating func removeEdge(_ handle: OperationHandle, _ dependency: OperationHandle) {
    if edges.unlink(handle, from: dependency) { operations[handle].unmet -= 1 }
  }

  /// One thing less that an operation waits for.
  mutating func meet(_ handle: OperationHandle, _ turn: inout Turn) {
    operations[handle].unmet -= 1
    guard operations[handle].unmet == 0 else { return }
    switch operations[handle].state {
    case .waiting: if proceed(handle, &turn) { due.append(handle) }
    case .created(isCancelled: false), .willSkip(_, isCancelled: false): note(handle, .ready, &turn)
    case .free, .created, .willSkip, .preparing, .ready, .held, .executing, .settled: break
    }
  }

  /// An operation that was ready, or nearly, has to wait after all; it is not offered any more.
  mutating func unready(_ handle: OperationHandle, _ turn: inout Turn) {
    switch operations[handle].state {
    case .ready:
      operations[handle].waitUnprepared()
      note(handle, .pending, &turn)
    case .preparing: operations[handle].waitUnprepared()
    case .created(isCancelled: false), .willSkip(_, isCancelled: false):
      note(handle, .pending, &turn)
    case .free, .created, .willSkip, .waiting, .held, .executing, .settled: break
    }
  }

  /// A dependency has ended otherwise than an operation required.
  mutating func disappoint(_ handle: OperationHandle, _ root: OperationID, _ turn: inout Turn) {
    if operations[handle].isInQueue {
      settle(handle, as: .skipped, because: .dependency, root: root, &turn)
    } else {
      operations[handle].willSkip(by: root)
    }
  }

  /// Whether an operation may have to raise what it waits for.
  func raises(_ handle: OperationHandle) -> Bool {
    operations[handle].inheritableLevel < UInt8.max
  }

  /// What an operation waits for that is less urgent than it, if it raises its dependencies.
  ///
  /// A level only ever rises, five times at most, so all priority inheritance together is linear in
  /// the edges. What was inherited stays so, even if the heir is cancelled.
  func dependenciesToRaise(by heir: OperationHandle) -> (
    level: UInt8, dependencies: [OperationHandle]
  ) {
    let level = operations[heir].inheritableLevel
    guard level < UInt8.max else { return (level, []) }
    var found: [OperationHandle] = []
    edges.forEachDependency(of: heir) { other, _ in
      if level < operations[other].inheritedLevel { found.append(other) }
    }
    return (level, found)
  }
}

extension OperationLife {
  /// The level that what it waits for inherits; `UInt8.max` for none.
  fileprivate var inheritableLevel: UInt8 { raisesDependencies ? UInt8(level) : inheritedLevel }
}
