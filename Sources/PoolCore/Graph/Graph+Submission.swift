import PoolModel

// Operations are created, and enter a queue.

extension Graph {
  /// Makes room for this number of additional operations.
  package mutating func reserve(_ count: Int) {
    operations.reserve(count)
    // This is enough: free handles already have nodes.
    edges.reserve(operations.capacity)
  }

  /// Creates an operation that is not in a queue yet; amortised O(1).
  mutating func create(_ spec: borrowing OperationSpec, claims: ClaimsHandle) -> OperationID {
    let id = operations.create(spec, as: spec.role, claims: claims)
    edges.addNode(id.handle)
    if spec.retryRule != nil { retries.rules[id.handle] = spec.retryRule }
    if spec.role == .gatedGroup { addGroupEnd(of: id.handle) }
    if let earlier = spec.earlier { hold(id.handle, until: earlier.end) }
    return id
  }

  /// Creates a hidden operation: it can wait for others, and others for it.
  mutating func makeHidden(_ role: OperationRole) -> OperationHandle {
    let handle = operations.create(.group, as: role, claims: .none).handle
    edges.addNode(handle)
    return handle
  }

  /// Appends operations that are in no queue to a queue: all of them, or none if a barrier would
  /// close a cycle; then returns the cycle, in which each operation waits for the next.
  ///
  /// A barrier costs one step for each operation since the previous barrier, and in a group one for
  /// each member.
  mutating func enter(
    _ handles: [OperationHandle],
    in queue: QueueID,
    areRanked: Bool
  ) -> [OperationID]? {
    // The barriers that were the latest before those of the batch.
    var former: [(scope: BarrierScope, ends: BarrierEnds)] = []
    for (index, handle) in handles.enumerated() {
      // Most have nothing to do with barriers.
      if knowsNoBarrier(handle, in: queue) {
        append(handle, to: queue)
        continue
      }
      let scope = scope(of: handle, in: queue)
      let ends = operations[handle].isBarrier ? self[scope] : nil
      if let cycle = enter(handle, queue, scope) {
        for handle in handles[..<index].reversed() { leave(handle, queue) }
        for (scope, ends) in former.reversed() { self[scope] = ends }
        return cycle
      }
      if let ends { former.append((scope, ends)) }
    }
    if areRanked { lists[queue].isRanked = true }
    return nil
  }

  @inline(__always)
  private func knowsNoBarrier(_ handle: OperationHandle, in queue: QueueID) -> Bool {
    !operations[handle].isBarrier && operations[handle].group == .none
      && lists[queue].barriers.exit == nil
  }

  /// Appends an operation to the queue's list, after its barriers.
  private mutating func enter(
    _ handle: OperationHandle,
    _ queue: QueueID,
    _ scope: BarrierScope
  ) -> [OperationID]? {
    let isBarrier = operations[handle].isBarrier
    let cycle = isBarrier ? addBarrier(handle, in: scope) : waitForBarrier(handle, in: scope)
    if cycle == nil { append(handle, to: queue) }
    return cycle
  }

  /// Takes an operation out again, because another one of its batch could not enter.
  private mutating func leave(_ handle: OperationHandle, _ queue: QueueID) {
    removeBarrierEdges(handle)
    remove(handle, from: queue)
    operations[handle].queue = nil
  }

  /// Activates an operation that has entered and has its position in the submission order; returns
  /// whether it is due.
  @inline(__always)
  mutating func activate(_ handle: OperationHandle, _ context: inout EventContext) -> Bool {
    unsettledCount += 1
    // Everything before a barrier inherits the urgency of the barrier and of what comes after it.
    raiseDependencies(of: handle)
    // Observers of the queue have not been told that it became ready before it entered.
    if let queue = operations[handle].queue, lists[queue].isObserved,
      operations[handle].lastNotified == .ready
    {
      operations[handle].lastNotified = nil
    }
    let before = operations[handle].enter()
    if before.isCancelled {
      end(handle, as: OperationEnd(.cancelled, .request), &context)
    } else if case .willSkip(let root, _) = before {
      end(handle, as: OperationEnd(.skipped, .dependency, root: root), &context)
    } else if operations[handle].unmet == 0 {
      return proceed(handle, &context)
    } else {
      note(handle, .pending, &context)
    }
    return false
  }

  /// Forgets an operation that has settled or that never entered a queue, and frees its handle.
  ///
  /// If it never entered a queue, it ends as cancelled for its dependents, because it can no longer
  /// be added. O(degree). Returns its claims, or nil if nothing was forgotten.
  mutating func release(_ id: OperationID, _ context: inout EventContext) -> ClaimsHandle? {
    guard let handle = operations.handle(of: id), !operations[handle].isInQueue else { return nil }
    let claims = operations[handle].claims
    if !operations[handle].state.isSettled {
      dissolveGroup(handle, &context)
      concludeGroup(handle, .cancelled, root: id)
      noteDependents(of: handle, ending: .cancelled, root: id)
    }
    forget(handle)
    return claims
  }

  /// Frees the handle of an operation that is in no queue.
  mutating func forget(_ handle: OperationHandle) {
    edges.release(handle)
    if operations[handle].role != .plain { forgetTally(handle) }
    if !retries.rules.isEmpty { retries.rules[handle] = nil }
    operations.release(handle)
  }
}

// MARK: - The list of a queue

extension Graph {
  private mutating func append(_ handle: OperationHandle, to queue: QueueID) {
    precondition(operations[handle].queue == nil, "an operation is added once")
    let last = lists[queue].last
    operations[handle].previous = last
    operations[handle].next = .none
    if last == .none {
      lists[queue].first = handle
    } else {
      operations[last].next = handle
    }
    lists[queue].last = handle
    lists[queue].count += 1
    if operations[handle].group != .none { lists[queue].memberCount += 1 }
    operations[handle].queue = queue
  }

  mutating func remove(_ handle: OperationHandle, from queue: QueueID) {
    let (previous, next) = (operations[handle].previous, operations[handle].next)
    if previous == .none {
      lists[queue].first = next
    } else {
      operations[previous].next = next
    }
    if next == .none {
      lists[queue].last = previous
    } else {
      operations[next].previous = previous
    }
    lists[queue].count -= 1
    if operations[handle].group != .none { lists[queue].memberCount -= 1 }
  }
}
