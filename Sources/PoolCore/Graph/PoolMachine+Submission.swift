package import PoolModel

// Operations come in: they are created, and enter a queue.

extension PoolMachine {
  /// Makes room for so many operations at once.
  package mutating func reserve(_ count: Int) {
    operations.reserve(count)
    // No more than that: slots that are free have nodes already.
    graph.reserve(operations.capacity)
  }

  /// Makes an operation that is not in a queue yet; amortised O(1).
  package mutating func create(_ spec: borrowing OperationSpec) -> OperationID {
    let isKnown = spec.isJoin || Int(spec.kind.rawValue) < kindCount
    precondition(isKnown, "a kind is declared before it is used")
    let claims = spec.claims.isEmpty ? ClaimsHandle.none : dispatcher.resources.keep(spec.claims)
    let id = operations.create(spec, as: OperationRole(spec), claims: claims)
    graph.addNode(id.handle)
    if spec.retryRule != nil { retries.rules[id.handle] = spec.retryRule }
    if spec.teardown != nil { teardowns[id.handle] = spec.teardown }
    if spec.isGroup { addGroupEnd(of: id.handle) }
    return id
  }

  /// Makes what no user sees: it waits for others, and others for it.
  mutating func makeHidden(_ role: OperationRole) -> OperationHandle {
    let handle = operations.create(.join, as: role, claims: .none).handle
    graph.addNode(handle)
    return handle
  }

  /// Adds operations to a queue, after everything that is in it: all, or none where a barrier
  /// would close a cycle; then it returns the cycle, each waiting for the next.
  ///
  /// Where ranks are given, one for each, those of one priority are dispatched by rank, the highest
  /// first, and where ranks are equal in the order of the batch; all of the batch still comes
  /// after what was added before.
  ///
  /// O(1) for each operation, and where there are ranks the time to sort them; a barrier costs one
  /// step for each operation since the last one.
  @discardableResult
  package mutating func enqueue(
    _ ids: [OperationID],
    by ranks: [Int64]? = nil,
    in queue: QueueID,
    at now: Instant
  ) -> [OperationID]? {
    tryAgain(dispatcher.fleet(of: queue))
    let slots = ids.compactMap { id in
      operations.slot(of: id).flatMap { operations[$0].state.isOutside ? $0 : nil }
    }
    let gates = (lists[queue].gatesIn, lists[queue].gatesOut)
    for (index, slot) in slots.enumerated() {
      guard let cycle = enter(slot, queue) else { continue }
      for slot in slots[..<index].reversed() { leave(slot, queue) }
      (lists[queue].gatesIn, lists[queue].gatesOut) = gates
      return cycle
    }
    if ranks != nil { lists[queue].isRanked = true }
    // A rank becomes a place in the order of submission: so it costs nothing from here on.
    for slot in ranks.map({ RankOrder.sorted(slots, by: $0) }) ?? slots {
      activate(slot, at: now)
    }
    settleAftermath(at: now)
    return nil
  }

  /// Puts an operation at the end of the queue's list, behind its barriers.
  private mutating func enter(_ slot: OperationHandle, _ queue: QueueID) -> [OperationID]? {
    if let cycle = operations[slot].isBarrier ? addBarrier(slot, queue) : passGate(slot, queue) {
      return cycle
    }
    append(slot, to: queue)
    return nil
  }

  /// Takes an operation back that entered, because another one of its batch could not.
  private mutating func leave(_ slot: OperationHandle, _ queue: QueueID) {
    takeOutOfGates(slot)
    remove(slot, from: queue)
    operations[slot].queue = nil
  }

  /// From here on the operation is in the queue for everybody.
  private mutating func activate(_ slot: OperationHandle, at now: Instant) {
    guard let queue = operations[slot].queue else { return }
    dispatcher.enter(slot, in: queue, &operations)
    unsettledCount += 1
    // What is before a barrier becomes as urgent as it, and as what is behind it.
    raiseDependencies(from: slot)
    // Those who observe the queue were not told that it became ready outside.
    if lists[queue].isObserved, operations[slot].lastNotified == .ready {
      operations[slot].lastNotified = nil
    }
    let before = operations[slot].enter()
    if before.isCancelled {
      settle(slot, as: .cancelled, because: .request, at: now)
    } else if case .willSkip(let root, _) = before {
      settle(slot, as: .skipped, because: .dependency, root: root, at: now)
    } else if operations[slot].unmet == 0 {
      proceed(slot, at: now)
    } else {
      note(slot, .pending)
    }
  }

  /// Forgets an operation that has settled, or that never entered a queue; its slot is used again.
  ///
  /// For those that wait for one that never entered a queue it ends as cancelled: nobody can add
  /// it any more. O(degree).
  package mutating func release(_ id: OperationID, at now: Instant) {
    guard let slot = operations.slot(of: id), !operations[slot].isInQueue else { return }
    dissolveGroup(slot)
    concludeGroup(slot, .cancelled, root: id)
    noteDependents(of: slot, ending: .cancelled, root: id)
    forget(slot)
    settleAftermath(at: now)
  }

  /// Gives the slot of an operation back that is in no queue.
  mutating func forget(_ slot: OperationHandle) {
    graph.release(slot)
    forgetTally(slot)
    dispatcher.resources.forget(operations[slot].claims)
    if !retries.rules.isEmpty { retries.rules[slot] = nil }
    if !teardowns.isEmpty { teardowns[slot] = nil }
    operations.release(slot)
  }

  /// An operation that settles outside: it depends on nothing here, and others may depend on it.
  package mutating func conclude(_ id: OperationID, as ending: PoolEnding, at now: Instant) {
    guard let slot = operations.slot(of: id), operations[slot].state.isOutside else { return }
    settle(slot, as: ending, because: ending == .cancelled ? .request : .answer, at: now)
    settleAftermath(at: now)
  }
}

// MARK: - The list of a queue

extension PoolMachine {
  private mutating func append(_ slot: OperationHandle, to queue: QueueID) {
    precondition(operations[slot].queue == nil, "an operation is added once")
    let last = lists[queue].last
    operations[slot].previous = last
    operations[slot].next = OperationHandle.none
    if last == OperationHandle.none {
      lists[queue].first = slot
    } else {
      operations[last].next = slot
    }
    lists[queue].last = slot
    lists[queue].count += 1
    operations[slot].queue = queue
  }

  mutating func remove(_ slot: OperationHandle, from queue: QueueID) {
    let (previous, next) = (operations[slot].previous, operations[slot].next)
    if previous == OperationHandle.none {
      lists[queue].first = next
    } else {
      operations[previous].next = next
    }
    if next == OperationHandle.none {
      lists[queue].last = previous
    } else {
      operations[next].previous = previous
    }
    lists[queue].count -= 1
  }
}
