package import PoolModel

// The ready operations: queued for a worker, and for the resources that they claim.

extension Dispatcher {
  /// Appends an operation to the submission order, and sets its kind queue.
  @inline(__always)
  mutating func enter(_ handle: OperationHandle, in queue: QueueID, _ records: inout OperationTable)
  {
    records[handle].kindQueue = kindQueue(of: records[handle].kind, in: queue)
    if order.isWorthRenumbering { renumber(&records) }
    records[handle].position = order.place(handle)
  }

  /// An operation has left its queue.
  @inline(__always)
  mutating func leave(_ handle: OperationHandle, _ position: UInt32) {
    order.vacate(position)
    suspects.forget(handle)
  }

  /// An operation becomes ready and waits for a worker; O(1) and O(claims).
  mutating func enterReady(_ handle: OperationHandle, _ records: inout OperationTable) {
    readyCount += 1
    hasReadyChanged = true
    guard records[handle].contends else { return offer(handle, &records) }
    let queue = kindQueues[records[handle].kindQueue].queue
    queues[queue].contenderCount += 1
    if queues[queue].isOpen { contend(handle, &records) }
  }

  /// An operation that was ready at this priority level no longer is.
  mutating func withdraw(
    _ handle: OperationHandle,
    _ level: UInt8,
    isOffered: Bool,
    _ records: inout OperationTable
  ) {
    removeReady(handle, level, isOffered: isOffered, &records)
    // Others may have waited behind it.
    markDirty(fleet(of: handle, records))
  }

  /// Removes an operation that was ready at this priority level; O(1) and O(claims).
  mutating func removeReady(
    _ handle: OperationHandle,
    _ level: UInt8,
    isOffered: Bool,
    _ records: inout OperationTable
  ) {
    let key = ReadyKey(level: Int(level), position: Int(records[handle].position))
    readyCount -= 1
    hasReadyChanged = true
    if isOffered { removeOffer(handle, key, records) }
    guard records[handle].contends else { return }
    let queue = kindQueues[records[handle].kindQueue].queue
    queues[queue].contenderCount -= 1
    // An operation that is being dispatched is still `ready`, but has already been removed.
    if records[handle].state.isOffered { records[handle].setOffered(false) }
    if queues[queue].isOpen { endContention(handle, key, isOffered: isOffered, &records) }
  }

  @inline(__always)
  mutating func offer(_ handle: OperationHandle, _ records: inout OperationTable) {
    records[handle].setOffered(true)
    let isSuspect = suspects.contains(handle)
    if isSuspect { suspects.offeredCount += 1 }
    insert(records[handle].key, records[handle].kindQueue, isSuspect: isSuspect)
  }

  @inline(__always)
  mutating func removeOffer(
    _ handle: OperationHandle,
    _ key: ReadyKey,
    _ records: borrowing OperationTable
  ) {
    let isSuspect = suspects.contains(handle)
    if isSuspect { suspects.offeredCount -= 1 }
    remove(key, records[handle].kindQueue, isSuspect: isSuspect)
  }

  /// Offers an operation to workers no longer.
  mutating func withdraw(_ handle: OperationHandle, _ records: inout OperationTable) {
    guard records[handle].state.isOffered else { return }
    records[handle].setOffered(false)
    markDirty(fleet(of: handle, records))
    removeOffer(handle, records[handle].key, records)
  }

  /// Closes the gaps that settled operations left in the order of submission.
  private mutating func renumber(_ records: inout OperationTable) {
    for kindQueue in kindQueues.indices {
      kindQueues[kindQueue].removeAllReady()
      kindQueues[kindQueue].listedUnder = .max
    }
    for kind in fleetKinds.indices { fleetKinds[kind].readyCount = 0 }
    for configuration in configurations.indices {
      configurations[configuration].kindQueueHeap.removeAll()
    }
    removeAllContenders()
    var reentering: [OperationHandle] = []
    order.renumber { handle, position in
      records[handle].position = position
      if records[handle].state.isReady { reentering.append(handle) }
    }
    var contending: [OperationHandle] = []
    for handle in reentering {
      let life = records[handle]
      if life.contends {
        if life.state.isOffered, suspects.contains(handle) { suspects.offeredCount -= 1 }
        records[handle].setOffered(false)
        if queues[kindQueues[life.kindQueue].queue].isOpen { contending.append(handle) }
      } else if life.state.isOffered {
        insert(life.key, life.kindQueue, isSuspect: suspects.contains(handle))
      }
    }
    for handle in contending { contend(handle, &records) }
  }

  private mutating func removeAllContenders() {
    contenders.removeAll()
    resources.removeAllWaiting()
    for fleet in fleets.indices { fleets[fleet].waiting.removeAll() }
    for queue in queues.indices { queues[queue].wideCount = 0 }
  }
}

// MARK: - Claims

extension Dispatcher {
  /// Stores the claims of a new operation.
  mutating func claims(of spec: borrowing OperationSpec) -> ClaimsHandle {
    let isKnown = spec.role.hasMembers || Int(spec.kind.rawValue) < kindCount
    precondition(isKnown, "a kind is declared before it is used")
    return spec.claims.isEmpty ? .none : resources.keep(spec.claims)
  }

  /// Makes an operation that waits for no worker claim what another one claims, too.
  mutating func addClaims(
    _ others: ClaimsHandle,
    to handle: OperationHandle,
    _ records: inout OperationTable
  ) {
    if others != .none { addClaims(resources.claims(others), to: handle, &records) }
  }

  private mutating func addClaims(
    _ others: [ResourceID],
    to handle: OperationHandle,
    _ records: inout OperationTable
  ) {
    let own = resources.claims(records[handle].claims)
    guard !others.allSatisfy({ own.contains($0) }) else { return }
    resources.forget(records[handle].claims)
    records[handle].claims = resources.keep(own + others.filter { !own.contains($0) })
  }

  /// Makes operations claim a resource, too, except those that a worker has.
  mutating func addClaim(
    on resource: ResourceID,
    to handles: [OperationHandle],
    _ records: inout OperationTable
  ) {
    for handle in handles where records[handle].state.dispatch == nil {
      guard case .ready(let isOffered) = records[handle].state else {
        addClaims([resource], to: handle, &records)
        continue
      }
      withdraw(handle, UInt8(records[handle].level), isOffered: isOffered, &records)
      records[handle].setOffered(false)
      addClaims([resource], to: handle, &records)
      enterReady(handle, &records)
    }
  }

  /// Drops the claims of an operation that was forgotten.
  mutating func forget(_ claims: ClaimsHandle) {
    resources.forget(claims)
  }

  /// Declares a resource with a limited number of units.
  ///
  /// Operations take one unit of it, or, where it counts slots, as many as they have slots.
  package mutating func addResource(capacity: Int, countsSlots: Bool = false) -> ResourceID {
    resources.add(capacity: capacity, countsSlots: countsSlots)
  }

  /// Forgets a resource that no operation claims any longer.
  package mutating func removeResource(_ id: ResourceID) {
    resources.remove(id)
  }
}
