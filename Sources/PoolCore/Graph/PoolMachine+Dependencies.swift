package import PoolModel

// Who waits for whom: edges come and go, and urgency travels along them.

extension PoolMachine {
  /// Lets an operation wait for another; no effect once it was dispatched or has settled.
  ///
  /// The other one must not be a dependency already. Returns nil, or, changing nothing, the cycle
  /// that would be closed, each waiting for the next. O(1) for graphs that are built from either
  /// end; see ``DependencyGraph``.
  @discardableResult
  package mutating func addDependency(
    of dependent: OperationID,
    on dependency: OperationID,
    requiring requirement: PoolRequirement,
    at now: Instant
  ) -> [OperationID]? {
    guard let slot = operations.slot(of: dependent), let other = operations.slot(of: dependency),
      operations[slot].state.acceptsDependencies
    else { return nil }
    if case .settled(let ending, let root) = operations[other].state {
      if operations[slot].role == .join { tally(slot, ending, root) }
      if !requirement.isMet(by: ending) { disappoint(slot, root, at: now) }
      settleAftermath(at: now)
      return nil
    }
    if let cycle = addEdge(slot, other, requirement) { return cycle }
    unready(slot)
    raiseDependencies(from: slot)
    return nil
  }

  /// Whether an operation can still be told to wait for something.
  package func acceptsDependencies(_ id: OperationID) -> Bool {
    operations.slot(of: id).map { operations[$0].state.acceptsDependencies } ?? false
  }

  /// Lets an operation not wait for another any more; O(smaller degree).
  ///
  /// No effect once it was dispatched or has settled.
  ///
  /// One that would have been skipped because of how the other had ended is pardoned: whoever
  /// removes a dependency says again what it requires of the others that have ended.
  package mutating func removeDependency(
    of dependent: OperationID,
    on dependency: OperationID,
    at now: Instant
  ) {
    guard let slot = operations.slot(of: dependent), operations[slot].state.acceptsDependencies
    else {
      return
    }
    operations[slot].pardon()
    guard let other = operations.slot(of: dependency), !operations[other].state.isSettled else {
      return
    }
    guard graph.unlink(slot, from: groups.end(of: other)) else { return }
    meet(slot, at: now)
    settleAftermath(at: now)
  }

  /// Holds an operation back until ``openGate(_:at:)``; false once it was dispatched or has
  /// settled.
  package mutating func addGate(_ id: OperationID) -> Bool {
    guard let slot = operations.slot(of: id), operations[slot].state.acceptsDependencies else {
      return false
    }
    operations[slot].unmet += 1
    operations[slot].gateCount += 1
    unready(slot)
    return true
  }

  /// Takes one hold back.
  package mutating func openGate(_ id: OperationID, at now: Instant) {
    guard let slot = operations.slot(of: id), operations[slot].gateCount > 0 else { return }
    operations[slot].gateCount -= 1
    meet(slot, at: now)
    settleAftermath(at: now)
  }

  /// Changes how urgent an operation is; O(1), and O(dependencies) where it raises its
  /// dependencies.
  package mutating func setPriority(_ priority: PoolQueuePriority, of id: OperationID) {
    guard let slot = operations.slot(of: id) else { return }
    change(slot) { $0.priority = priority }
    raiseDependencies(from: slot)
  }
}

extension PoolMachine {
  /// Adds an edge between two operations that have not settled.
  mutating func addEdge(
    _ slot: OperationHandle,
    _ dependency: OperationHandle,
    _ requirement: PoolRequirement
  ) -> [OperationID]? {
    if let cycle = graph.link(slot, to: groups.end(of: dependency), requirement) {
      return cycle.compactMap { name(of: $0) }
    }
    operations[slot].unmet += 1
    return nil
  }

  /// Takes an edge away of an operation that is not in a queue yet.
  mutating func removeEdge(_ slot: OperationHandle, _ dependency: OperationHandle) {
    if graph.unlink(slot, from: dependency) { operations[slot].unmet -= 1 }
  }

  /// One thing less that an operation waits for.
  mutating func meet(_ slot: OperationHandle, at now: Instant) {
    operations[slot].unmet -= 1
    guard operations[slot].unmet == 0 else { return }
    switch operations[slot].state {
    case .waiting: proceed(slot, at: now)
    case .created(isCancelled: false), .willSkip(_, isCancelled: false): note(slot, .ready)
    case .free, .created, .willSkip, .preparing, .ready, .held, .executing, .settled: break
    }
  }

  /// An operation that was ready, or nearly, has to wait after all.
  private mutating func unready(_ slot: OperationHandle) {
    switch operations[slot].state {
    case .ready: dispatcher.removeReady(slot, &operations)
    case .preparing: break
    case .created(isCancelled: false), .willSkip(_, isCancelled: false):
      return note(slot, .pending)
    case .free, .created, .willSkip, .waiting, .held, .executing, .settled: return
    }
    let wasReady = operations[slot].state.isReady
    operations[slot].waitUnprepared()
    if wasReady { note(slot, .pending) }
  }

  /// A dependency has ended otherwise than an operation required.
  mutating func disappoint(_ slot: OperationHandle, _ root: OperationID, at now: Instant) {
    if operations[slot].isInQueue {
      settle(slot, as: .skipped, because: .dependency, root: root, at: now)
    } else {
      operations[slot].willSkip(by: root)
    }
  }

  /// What an operation waits for becomes as urgent as it is, and so on, if it raises its
  /// dependencies.
  ///
  /// A level only ever rises, five times at most, so all priority inheritance together is linear in
  /// the edges. What was lent stays lent, even if the lender is cancelled.
  mutating func raiseDependencies(from slot: OperationHandle) {
    guard operations[slot].inheritableLevel < UInt8.max else { return }
    var work = [slot]
    while let heir = work.popLast() {
      let level = operations[heir].inheritableLevel
      var dependencies: [OperationHandle] = []
      graph.forEachDependency(of: heir) { other, _ in dependencies.append(other) }
      for other in dependencies where level < operations[other].inheritedLevel {
        change(other) { $0.inheritedLevel = level }
        work.append(other)
      }
    }
  }

  /// Changes what an operation's place in the ready queue depends on.
  private mutating func change(_ slot: OperationHandle, _ body: (inout OperationLife) -> Void) {
    guard operations[slot].state.isReady else { return body(&operations[slot]) }
    dispatcher.removeReady(slot, &operations)
    body(&operations[slot])
    dispatcher.enterReady(slot, &operations)
  }
}

extension OperationLife {
  /// The level that what it waits for inherits; `UInt8.max` for none.
  fileprivate var inheritableLevel: UInt8 { raisesDependencies ? UInt8(level) : inheritedLevel }
}
