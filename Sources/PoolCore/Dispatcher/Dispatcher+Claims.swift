import PoolModel

// What operations claim, and how those that lack something wait for it.
//
// An operation that claims units, or that needs several slots, contends with others for scarce
// things. It is offered to workers while it could take all its units, and waits for one thing that
// it lacks otherwise. Nothing is taken before a worker is given the operation, so that none holds
// what another one waits for.

extension Dispatcher {
  /// Something scarce that an operation may lack.
  enum Scarcity {
    case units(ResourceID)
    case slots(FleetID)
  }

  /// A ready operation whose queue is open begins to contend for what it needs.
  mutating func contend(_ handle: OperationHandle, _ records: inout OperationTable) {
    let key = records[handle].key
    let queue = kindQueues[records[handle].kindQueue].queue
    contenders.insert(key)
    if records[handle].slots > 1 { queues[queue].wideCount += 1 }
    // A worker's queue may have units for it to take over.
    markDirty(queues[queue].fleet)
    place(handle, &records)
  }

  /// An operation that contended no longer does; `key` is what it was listed under.
  mutating func endContention(
    _ handle: OperationHandle,
    _ key: ReadyKey,
    isOffered: Bool,
    _ records: inout OperationTable
  ) {
    contenders.remove(key)
    let queue = kindQueues[records[handle].kindQueue].queue
    if records[handle].slots > 1 { queues[queue].wideCount -= 1 }
    // It must be in no list when the units that were reserved for it go to others.
    if isOffered { setMarks(of: handle, nil, records) } else { unpark(handle, key, records) }
    forgetOvertaking(of: handle, &records)
    if isOffered { refillAll(neededBy: handle, &records) }
  }

  /// Takes the claimed units, because a worker is given the operation.
  mutating func takeClaims(_ handle: OperationHandle, _ records: inout OperationTable) {
    changeUnits(of: handle, by: 1, &records)
  }

  /// Frees the units of an operation that no worker has any longer.
  mutating func returnClaims(_ handle: OperationHandle, _ records: inout OperationTable) {
    changeUnits(of: handle, by: -1, &records)
  }

  private mutating func changeUnits(
    of handle: OperationHandle,
    by sign: Int,
    _ records: inout OperationTable
  ) {
    let claims = resources.claims(records[handle].claims)
    let slots = records[handle].slots
    for claim in claims { resources[claim].inUse += sign * resources[claim].units(for: slots) }
    for claim in claims { refresh(claim, &records) }
  }

  /// Changes the number of units; units in use stay in use.
  mutating func setCapacity(_ capacity: Int, of id: ResourceID, _ records: inout OperationTable) {
    let wasPaused = resources[id].capacity <= 0
    resources[id].capacity = capacity
    if wasPaused != (capacity <= 0) { noteLimitPaused(&records) }
    refresh(id, &records)
  }

  /// Looks again at what each class needs of a resource whose free units have changed.
  mutating func refresh(_ claim: ResourceID, _ records: inout OperationTable) {
    var place = 0
    while place < resources[claim].waiting.lists.count {
      if let key = resources[claim].waiting.lists[place].offered {
        let handle = order.occupant(key.position)
        if !hasUnit(of: claim, for: handle, records) { displace(handle, &records) }
      }
      refill(claim, resources[claim].waiting.lists[place].members, &records)
      place += 1
    }
  }

  /// Offers those again that wait for slots of fleets where something has changed.
  ///
  /// Whether they fit is known only when they are about to be dispatched, and they may need a
  /// worker: so this comes before the demand for workers.
  mutating func offerWide(_ records: inout OperationTable) {
    for place in dirtyFleets.indices { offerWide(of: dirtyFleets[place], &records) }
  }

  private mutating func offerWide(of fleet: FleetID, _ records: inout OperationTable) {
    guard fleets[fleet].waiting.count > 0 else { return }
    for place in fleets[fleet].waiting.lists.indices {
      refillSlots(of: fleet, fleets[fleet].waiting.lists[place].members, &records)
    }
  }

  /// An operation that is offered finds too few slots: it waits for them, and the next one may go.
  ///
  /// This lists no fleet: the caller is looking at it.
  mutating func setAside(_ handle: OperationHandle, _ records: inout OperationTable) {
    setMarks(of: handle, nil, records)
    records[handle].setOffered(false)
    removeOffer(handle, records[handle].key, records)
    park(handle, at: .slots(fleet(of: handle, records)), records)
    refillUnits(neededBy: handle, &records)
  }
}

// MARK: - Places

extension Dispatcher {
  /// Offers an operation if it lacks nothing, or lets it wait for one thing that it lacks.
  private mutating func place(_ handle: OperationHandle, _ records: inout OperationTable) {
    if let scarcity = obstacle(of: handle, records) {
      return park(handle, at: scarcity, records)
    }
    let later = offeredLater(than: handle, records)
    for other in later { withdrawOffer(of: other, &records) }
    setMarks(of: handle, records[handle].key, records)
    offer(handle, &records)
    // They wait for the first; whatever else they need may go to others.
    for other in later {
      place(other, &records)
      refillAll(neededBy: other, &records)
    }
  }

  /// The operations of a class that are offered what an earlier one of the class needs.
  private func offeredLater(
    than handle: OperationHandle,
    _ records: borrowing OperationTable
  ) -> [OperationHandle] {
    let members = waitingClass(of: handle, records)
    var keys: [ReadyKey] = []
    for claim in resources.claims(records[handle].claims) {
      if let key = resources[claim].waiting.offered(of: members), !keys.contains(key) {
        keys.append(key)
      }
    }
    if records[handle].slots > 1,
      let key = fleets[fleet(of: handle, records)].waiting.offered(of: members),
      !keys.contains(key)
    {
      keys.append(key)
    }
    return keys.map { order.occupant($0.position) }
  }

  /// The first thing that an operation lacks, or that an earlier one of its class is to take first.
  private func obstacle(
    of handle: OperationHandle,
    _ records: borrowing OperationTable
  ) -> Scarcity? {
    let key = records[handle].key
    let claims = resources.claims(records[handle].claims)
    for claim in claims where !hasUnit(of: claim, for: handle, records) { return .units(claim) }
    let members = waitingClass(of: handle, records)
    for claim in claims {
      if let other = resources[claim].waiting.offered(of: members), other < key {
        return .units(claim)
      }
    }
    guard records[handle].slots > 1 else { return nil }
    let fleet = fleet(of: handle, records)
    let other = fleets[fleet].waiting.offered(of: members)
    return other.map { $0 < key } == true ? .slots(fleet) : nil
  }

  /// Whether an operation may take its units of a resource.
  func hasUnit(
    of claim: ResourceID,
    for handle: OperationHandle,
    _ records: borrowing OperationTable
  ) -> Bool {
    resources[claim].hasFree(
      for: records[handle].slots,
      beside: reservedUnits(of: claim, against: handle, records)
    )
  }

  func waitingClass(of handle: OperationHandle, _ records: borrowing OperationTable) -> WaitingClass
  {
    WaitingClass(kindQueue: records[handle].kindQueue, slots: records[handle].slots)
  }

  private mutating func park(
    _ handle: OperationHandle,
    at scarcity: Scarcity,
    _ records: borrowing OperationTable
  ) {
    let (key, members) = (records[handle].key, waitingClass(of: handle, records))
    switch scarcity {
    case .units(let claim): resources[claim].waiting.insert(key, of: members)
    case .slots(let fleet): fleets[fleet].waiting.insert(key, of: members)
    }
  }

  /// Removes an operation from the list in which it waits.
  private mutating func unpark(
    _ handle: OperationHandle,
    _ key: ReadyKey,
    _ records: borrowing OperationTable
  ) {
    let members = waitingClass(of: handle, records)
    for claim in resources.claims(records[handle].claims) {
      resources[claim].waiting.remove(key, of: members)
    }
    guard records[handle].slots > 1 else { return }
    fleets[fleet(of: handle, records)].waiting.remove(key, of: members)
  }

  /// An operation that is offered may not be any more: it waits again.
  private mutating func displace(_ handle: OperationHandle, _ records: inout OperationTable) {
    withdrawOffer(of: handle, &records)
    place(handle, &records)
    refillAll(neededBy: handle, &records)
  }

  private mutating func withdrawOffer(
    of handle: OperationHandle,
    _ records: inout OperationTable
  ) {
    setMarks(of: handle, nil, records)
    withdraw(handle, &records)
  }
}

// MARK: - What is offered

extension Dispatcher {
  /// Notes at everything that an operation needs that it is offered, or no operation of its class.
  private mutating func setMarks(
    of handle: OperationHandle,
    _ key: ReadyKey?,
    _ records: borrowing OperationTable
  ) {
    let members = waitingClass(of: handle, records)
    for claim in resources.claims(records[handle].claims) {
      resources[claim].waiting.setOffered(key, of: members)
    }
    guard records[handle].slots > 1 else { return }
    fleets[fleet(of: handle, records)].waiting.setOffered(key, of: members)
  }

  /// Lets others of an operation's class have what the operation does not take after all.
  private mutating func refillAll(
    neededBy handle: OperationHandle,
    _ records: inout OperationTable
  ) {
    refillUnits(neededBy: handle, &records)
    guard records[handle].slots > 1 else { return }
    refillSlots(of: fleet(of: handle, records), waitingClass(of: handle, records), &records)
  }

  private mutating func refillUnits(
    neededBy handle: OperationHandle,
    _ records: inout OperationTable
  ) {
    let members = waitingClass(of: handle, records)
    for claim in resources.claims(records[handle].claims) { refill(claim, members, &records) }
  }

  /// Offers the first of a class that waits for a unit, unless one of the class is offered already;
  /// one that lacks something else waits for that from now on.
  private mutating func refill(
    _ claim: ResourceID,
    _ members: WaitingClass,
    _ records: inout OperationTable
  ) {
    while let key = resources[claim].waiting.next(of: members) {
      let handle = order.occupant(key.position)
      guard hasUnit(of: claim, for: handle, records) else { return }
      resources[claim].waiting.remove(key, of: members)
      place(handle, &records)
    }
  }

  private mutating func refillSlots(
    of fleet: FleetID,
    _ members: WaitingClass,
    _ records: inout OperationTable
  ) {
    while let key = fleets[fleet].waiting.next(of: members) {
      fleets[fleet].waiting.remove(key, of: members)
      place(order.occupant(key.position), &records)
    }
  }
}
