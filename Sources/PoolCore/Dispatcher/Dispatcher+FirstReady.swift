import PoolModel

// Finds the first operation for the workers of a configuration, and the fleets that must be looked
// at. Neither cost depends on the number of queues, kinds and fleets.

extension Dispatcher {
  /// Lists a fleet where something has changed, so that it may dispatch or need a worker.
  @inline(__always)
  mutating func markDirty(_ fleet: FleetID) {
    guard !fleets[fleet].isDirty else { return }
    fleets[fleet].isDirty = true
    dirtyFleets.append(fleet)
  }

  /// Lists the fleet of a configuration.
  mutating func markDirty(_ configuration: ConfigurationID) {
    markDirty(configurations[configuration].fleet)
  }

  /// Returns the configurations that may have to start workers now: those of all fleets while
  /// suspects wait, since any fleet may hold one.
  mutating func configurationsToSupply() -> [ConfigurationID] {
    if hasSuspects { for fleet in fleets.indices { markDirty(fleet) } }
    return dirtyFleets.count == 1
      ? fleets[dirtyFleets[0]].configurations
      : dirtyFleets.flatMap { fleets[$0].configurations }
  }

  /// Unlists a fleet that is about to be looked at: any later change lists it again.
  mutating func clearDirty(_ fleet: FleetID) {
    fleets[fleet].isDirty = false
    for kindQueue in fleets[fleet].dirtyKindQueues { kindQueues[kindQueue].isDirty = false }
    fleets[fleet].dirtyKindQueues.removeAll(keepingCapacity: true)
  }

  /// Offers an operation to workers.
  @inline(__always)
  mutating func insert(_ key: ReadyKey, _ kindQueue: KindQueueHandle, isSuspect: Bool) {
    kindQueues[kindQueue].insert(key, isSuspect: isSuspect)
    if !kindQueues[kindQueue].isDirty { markDirty(kindQueue) }
    guard !isSuspect else { return }
    fleetKinds[kindQueues[kindQueue].counter].readyCount += 1
    if key.packed < kindQueues[kindQueue].listedUnder { list(kindQueue, under: key.packed) }
  }

  /// No longer offers an operation to workers.
  @inline(__always)
  mutating func remove(_ key: ReadyKey, _ kindQueue: KindQueueHandle, isSuspect: Bool) {
    kindQueues[kindQueue].remove(key, isSuspect: isSuspect)
    if isSuspect {
      markDirty(queues[kindQueues[kindQueue].queue].fleet)
    } else {
      fleetKinds[kindQueues[kindQueue].counter].readyCount -= 1
    }
  }

  private mutating func markDirty(_ kindQueue: KindQueueHandle) {
    let fleet = queues[kindQueues[kindQueue].queue].fleet
    kindQueues[kindQueue].isDirty = true
    fleets[fleet].dirtyKindQueues.append(kindQueue)
    markDirty(fleet)
  }

  /// Lists a kind queue in the heaps of all configurations that serve it.
  ///
  /// Without ready operations, it is listed with the next one.
  mutating func list(_ kindQueue: KindQueueHandle, under key: UInt64) {
    kindQueues[kindQueue].listedUnder = key
    guard key != .max else { return }
    let fleet = queues[kindQueues[kindQueue].queue].fleet
    for place in 0..<fleets[fleet].configurations.count {
      let configuration = fleets[fleet].configurations[place]
      guard configurations[configuration].kindQueueHeap.serves(kindQueue) else { continue }
      configurations[configuration].kindQueueHeap.list(kindQueue, under: key)
    }
  }

  /// Lists the kind queues of a queue that has room again.
  mutating func unpark(_ queue: QueueID) {
    guard queues[queue].hasRoom else { return }
    var parked: [KindQueueHandle] = []
    swap(&parked, &queues[queue].parked)
    for kindQueue in parked {
      list(kindQueue, under: kindQueues[kindQueue].ready.first?.packed ?? .max)
    }
    parked.removeAll(keepingCapacity: true)
    swap(&parked, &queues[queue].parked)
    markDirty(queues[queue].fleet)
  }

  /// The first ready operation that the configuration serves and whose queue has room; amortised
  /// O(log of the kind queues that have ready operations).
  mutating func firstReady(
    for configuration: ConfigurationID,
    _ records: inout OperationTable
  ) -> (kindQueue: KindQueueHandle, key: ReadyKey)? {
    while !configurations[configuration].kindQueueHeap.isEmpty {
      let kindQueue = configurations[configuration].kindQueueHeap.first.kindQueue
      guard let key = kindQueues[kindQueue].ready.first else {
        configurations[configuration].kindQueueHeap.remove(kindQueue)
        // So that the next operation, whatever its key, lists the kind queue in every heap.
        kindQueues[kindQueue].listedUnder = .max
        continue
      }
      let queue = kindQueues[kindQueue].queue
      guard queues[queue].hasRoom else {
        park(kindQueue, of: configuration)
        continue
      }
      guard configurations[configuration].kindQueueHeap.isFirst(under: key.packed) else {
        delay(kindQueue, to: key.packed, of: configuration)
        continue
      }
      if isUncrowded(for: key, queue, records)
        || hasRoom(for: key, kindQueue, configuration, records)
      {
        return (kindQueue, key)
      }
      return searchedFirst(for: configuration, &records)
    }
    return nil
  }

  /// Corrects the key of a heap's first entry, whose first operation has left.
  private mutating func delay(
    _ kindQueue: KindQueueHandle,
    to key: UInt64,
    of configuration: ConfigurationID
  ) {
    configurations[configuration].kindQueueHeap.delayFirst(to: key)
    if key > kindQueues[kindQueue].listedUnder { kindQueues[kindQueue].listedUnder = key }
  }

  /// Takes a kind queue out of the heap until its queue has room.
  private mutating func park(_ kindQueue: KindQueueHandle, of configuration: ConfigurationID) {
    configurations[configuration].kindQueueHeap.remove(kindQueue)
    kindQueues[kindQueue].listedUnder = 0
    queues[kindQueues[kindQueue].queue].parked.append(kindQueue)
  }

  /// The first operation while some need several slots: looks at every kind queue that has ready
  /// operations, and sets those aside that find too few slots.
  private mutating func searchedFirst(
    for configuration: ConfigurationID,
    _ records: inout OperationTable
  ) -> (kindQueue: KindQueueHandle, key: ReadyKey)? {
    while true {
      var best: (kindQueue: KindQueueHandle, key: ReadyKey)?
      var wide: [OperationHandle] = []
      for entry in configurations[configuration].kindQueueHeap.entries {
        guard let key = kindQueues[entry.kindQueue].ready.first else { continue }
        if let current = best, current.key < key { continue }
        if hasRoom(for: key, entry.kindQueue, configuration, records) {
          best = (entry.kindQueue, key)
        } else if mustMakeWay(order.occupant(key.position), entry.kindQueue, records) {
          wide.append(order.occupant(key.position))
        }
      }
      if wide.isEmpty { return best }
      for handle in wide { setAside(handle, &records) }
    }
  }

  /// Whether an operation finds too few slots, where fewer may be enough for the next one.
  private func mustMakeWay(
    _ handle: OperationHandle,
    _ kindQueue: KindQueueHandle,
    _ records: borrowing OperationTable
  ) -> Bool {
    records[handle].slots > 1 && handle != overtaking.reserver
      && queues[kindQueues[kindQueue].queue].hasRoom
  }

  /// Operations that the configuration's workers could be given; O(kinds).
  func readyCount(for configuration: ConfigurationID) -> Int {
    configurations[configuration].fleetKinds.reduce(0) { $0 + fleetKinds[$1].readyCount }
  }
}

// MARK: - Counts

extension Dispatcher {
  /// Counts the ready operations of closed queues.
  static var closedCounter: FleetKindHandle { FleetKindHandle(0) }

  /// The entry of a kind in a fleet; created if there is none.
  mutating func fleetKind(of kind: KindID, in fleet: FleetID) -> FleetKindHandle {
    if let known = fleets[fleet].kinds[kind] { return known }
    let made = vacantFleetKinds.add(FleetKind(), to: &fleetKinds)
    fleets[fleet].kinds[kind] = made
    for configuration in fleets[fleet].configurations
    where configurations[configuration].kinds?.contains(kind) == true {
      configurations[configuration].fleetKinds.append(made)
    }
    return made
  }

  /// The expected length of an operation of the kind queue, if known: by its own queue, or else by
  /// all queues of the fleet.
  func expectation(of kindQueue: KindQueueHandle) -> Int64? {
    kindQueues[kindQueue].estimate.known
      ?? fleetKinds[kindQueues[kindQueue].fleetKind].estimate.known
  }

  /// Moves the counts of a queue's ready operations, after the queue has opened or closed.
  mutating func recount(_ queue: QueueID) {
    for kindQueue in queues[queue].queueOfKind where kindQueue != .none {
      let count = kindQueues[kindQueue].ready.count
      fleetKinds[kindQueues[kindQueue].counter].readyCount -= count
      kindQueues[kindQueue].counter =
        queues[queue].isOpen ? kindQueues[kindQueue].fleetKind : Self.closedCounter
      fleetKinds[kindQueues[kindQueue].counter].readyCount += count
    }
  }
}
