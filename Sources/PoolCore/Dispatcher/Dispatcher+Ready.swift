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
    guard records[handle].hasClaims else { return offer(handle, &records) }
    let queue = kindQueues[records[handle].kindQueue].queue
    queues[queue].claimantCount += 1
    if queues[queue].isOpen { waitForClaims(handle, &records) }
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
    let queue = kindQueues[records[handle].kindQueue].queue
    cancelReservations(of: handle, in: queue, records)
    guard records[handle].hasClaims else { return }
    queues[queue].claimantCount -= 1
    // An operation that is being dispatched is still `ready`, but has already been removed.
    if records[handle].state.isOffered { records[handle].setOffered(false) }
    if queues[queue].isOpen { withdrawClaims(handle, key, &records) }
  }

  @inline(__always)
  private mutating func offer(_ handle: OperationHandle, _ records: inout OperationTable) {
    records[handle].setOffered(true)
    let isSuspect = suspects.contains(handle)
    if isSuspect { suspects.offeredCount += 1 }
    insert(records[handle].key, records[handle].kindQueue, isSuspect: isSuspect)
  }

  @inline(__always)
  private mutating func removeOffer(
    _ handle: OperationHandle,
    _ key: ReadyKey,
    _ records: borrowing OperationTable
  ) {
    let isSuspect = suspects.contains(handle)
    if isSuspect { suspects.offeredCount -= 1 }
    remove(key, records[handle].kindQueue, isSuspect: isSuspect)
  }

  private mutating func withdraw(_ handle: OperationHandle, _ records: inout OperationTable) {
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
    resources.removeAllWaiting()
    var reentering: [OperationHandle] = []
    order.renumber { handle, position in
      records[handle].position = position
      if records[handle].state.isReady { reentering.append(handle) }
    }
    for handle in reentering {
      let life = records[handle]
      if life.state.isOffered {
        let isSuspect = suspects.contains(handle)
        insert(life.key, life.kindQueue, isSuspect: isSuspect)
      }
      guard life.hasClaims, queues[kindQueues[life.kindQueue].queue].isOpen else { continue }
      for claim in resources.claims(life.claims) { resources[claim].waiting.insert(life.key) }
    }
  }
}

// MARK: - Claims

extension Dispatcher {
  /// A ready operation joins the waiting list of each resource that it claims.
  mutating func waitForClaims(_ handle: OperationHandle, _ records: inout OperationTable) {
    let key = records[handle].key
    // A worker's queue may have units for it to take over.
    markDirty(fleet(of: handle, records))
    for claim in resources.claims(records[handle].claims) {
      // The operation that was the first until now has to wait again.
      if let former = resources[claim].waiting.first, key < former {
        withdraw(order.occupant(former.position), &records)
      }
      resources[claim].waiting.insert(key)
    }
    offerIfFree(handle, &records)
  }

  /// An operation leaves the waiting lists of all resources that it claims; the next ones may go
  /// ahead.
  mutating func withdrawClaims(
    _ handle: OperationHandle,
    _ key: ReadyKey,
    _ records: inout OperationTable
  ) {
    withdraw(handle, &records)
    let claims = resources.claims(records[handle].claims)
    for claim in claims { resources[claim].waiting.remove(key) }
    for claim in claims { refresh(claim, &records) }
  }

  /// Takes a unit of each claimed resource, because a worker is given the operation.
  mutating func takeClaims(_ handle: OperationHandle, _ records: inout OperationTable) {
    let claims = resources.claims(records[handle].claims)
    for claim in claims { resources[claim].inUse += 1 }
    for claim in claims { refresh(claim, &records) }
  }

  /// Frees the units of an operation that no worker has any longer.
  mutating func returnClaims(_ handle: OperationHandle, _ records: inout OperationTable) {
    let claims = resources.claims(records[handle].claims)
    for claim in claims { resources[claim].inUse -= 1 }
    for claim in claims { refresh(claim, &records) }
  }

  /// Stores the claims of a new operation.
  mutating func claims(of spec: borrowing OperationSpec) -> ClaimsHandle {
    let isKnown = spec.role == .group || Int(spec.kind.rawValue) < kindCount
    precondition(isKnown, "a kind is declared before it is used")
    return spec.claims.isEmpty ? .none : resources.keep(spec.claims)
  }

  /// Drops the claims of an operation that was forgotten.
  mutating func forget(_ claims: ClaimsHandle) {
    resources.forget(claims)
  }

  /// Declares a resource with a limited number of units.
  package mutating func addResource(capacity: Int) -> ResourceID {
    resources.add(capacity: capacity)
  }

  /// Forgets a resource that no operation claims any longer.
  package mutating func removeResource(_ id: ResourceID) {
    resources.remove(id)
  }

  /// Changes the number of units; units in use stay in use.
  mutating func setCapacity(_ capacity: Int, of id: ResourceID, _ records: inout OperationTable) {
    resources[id].capacity = capacity
    refresh(id, &records)
  }

  /// Updates the offer of a resource's first operation, after its units or its waiting list have
  /// changed.
  private mutating func refresh(_ claim: ResourceID, _ records: inout OperationTable) {
    guard let first = resources[claim].waiting.first else { return }
    let handle = order.occupant(first.position)
    if !resources[claim].hasFree { return withdraw(handle, &records) }
    offerIfFree(handle, &records)
  }

  private mutating func offerIfFree(_ handle: OperationHandle, _ records: inout OperationTable) {
    guard records[handle].state.isReady, !records[handle].state.isOffered,
      resources.mayTake(records[handle].claims, records[handle].key)
    else { return }
    offer(handle, &records)
  }
}
