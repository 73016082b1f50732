import PoolModel

// Which operation is the first for the workers of a configuration, and which fleets have to be
// looked at: neither depends on how many queues, kinds and fleets there are.

extension Dispatcher {
  /// Something has changed for a fleet that may allow a dispatch, or ask for a worker.
  @inline(__always)
  mutating func touch(_ fleet: FleetID) {
    guard !fleets[fleet].isRestless else { return }
    fleets[fleet].isRestless = true
    changedFleets.append(fleet)
  }

  /// Something has changed for a configuration's fleet.
  mutating func touch(_ configuration: ConfigurationID) {
    touch(configurations[configuration].fleet)
  }

  /// Returns the configurations that may have to start workers now: those of all fleets while
  /// operations in quarantine wait, since any fleet may hold one.
  mutating func configurationsToSupply() -> [ConfigurationID] {
    if hasQuarantined { for fleet in fleets.indices { touch(fleet) } }
    return changedFleets.count == 1
      ? fleets[changedFleets[0]].configurations
      : changedFleets.flatMap { fleets[$0].configurations }
  }

  /// A fleet is being looked at: what changes from here on has it looked at once more.
  mutating func rest(_ fleet: FleetID) {
    fleets[fleet].isRestless = false
    for kindQueue in fleets[fleet].touched { kindQueues[kindQueue].isTouched = false }
    fleets[fleet].touched.removeAll(keepingCapacity: true)
  }

  /// An operation is where workers are given it from.
  @inline(__always)
  mutating func insert(_ key: ReadyKey, _ kindQueue: KindQueueHandle, isQuarantined: Bool) {
    kindQueues[kindQueue].insert(key, isQuarantined: isQuarantined)
    if !kindQueues[kindQueue].isTouched { touch(kindQueue) }
    guard !isQuarantined else { return }
    fleetKinds[kindQueues[kindQueue].counter].readyCount += 1
    if key.packed < kindQueues[kindQueue].listedUnder { list(kindQueue, under: key.packed) }
  }

  /// An operation is not any more where workers are given it from.
  @inline(__always)
  mutating func remove(_ key: ReadyKey, _ kindQueue: KindQueueHandle, isQuarantined: Bool) {
    kindQueues[kindQueue].remove(key, isQuarantined: isQuarantined)
    if isQuarantined {
      touch(queues[kindQueues[kindQueue].queue].fleet)
    } else {
      fleetKinds[kindQueues[kindQueue].counter].readyCount -= 1
    }
  }

  private mutating func touch(_ kindQueue: KindQueueHandle) {
    let fleet = queues[kindQueues[kindQueue].queue].fleet
    kindQueues[kindQueue].isTouched = true
    fleets[fleet].touched.append(kindQueue)
    touch(fleet)
  }

  /// Lists a kind queue in the heaps of all configurations that serve it; one that has nothing
  /// ready, with the next operation.
  mutating func list(_ kindQueue: KindQueueHandle, under key: UInt64) {
    kindQueues[kindQueue].listedUnder = key
    guard key != .max else { return }
    let fleet = queues[kindQueues[kindQueue].queue].fleet
    for place in 0..<fleets[fleet].configurations.count {
      let configuration = fleets[fleet].configurations[place]
      guard configurations[configuration].heads.serves(kindQueue) else { continue }
      configurations[configuration].heads.list(kindQueue, under: key)
    }
  }

  /// A queue has room that it did not have: what is ready there counts again.
  mutating func unpark(_ queue: QueueID) {
    guard queues[queue].hasRoom else { return }
    var parked: [KindQueueHandle] = []
    swap(&parked, &queues[queue].parked)
    for kindQueue in parked {
      list(kindQueue, under: kindQueues[kindQueue].ready.first?.packed ?? .max)
    }
    parked.removeAll(keepingCapacity: true)
    swap(&parked, &queues[queue].parked)
    touch(queues[queue].fleet)
  }

  /// The head of what is ready, as far as the configuration serves it and its queue has room;
  /// amortised O(log of the kind queues that have something ready).
  mutating func head(
    for configuration: ConfigurationID,
    _ records: borrowing OperationTable
  ) -> (kindQueue: KindQueueHandle, key: ReadyKey)? {
    while !configurations[configuration].heads.isEmpty {
      let kindQueue = configurations[configuration].heads.first.kindQueue
      guard let key = kindQueues[kindQueue].ready.first else {
        configurations[configuration].heads.remove(kindQueue)
        // So that the next operation, whatever it is, lists it everywhere.
        kindQueues[kindQueue].listedUnder = .max
        continue
      }
      let queue = kindQueues[kindQueue].queue
      guard queues[queue].hasRoom else {
        park(kindQueue, of: configuration)
        continue
      }
      guard configurations[configuration].heads.isFirst(under: key.packed) else {
        delay(kindQueue, to: key.packed, of: configuration)
        continue
      }
      if isUncrowded(for: key, queue, records)
        || room(for: key, kindQueue, configuration, records) == .free
      {
        return (kindQueue, key)
      }
      return searchedHead(for: configuration, records)
    }
    return nil
  }

  /// The first of a heap has another head by now.
  private mutating func delay(
    _ kindQueue: KindQueueHandle,
    to key: UInt64,
    of configuration: ConfigurationID
  ) {
    configurations[configuration].heads.delayFirst(to: key)
    if key > kindQueues[kindQueue].listedUnder { kindQueues[kindQueue].listedUnder = key }
  }

  /// Lists a kind queue no more, until its queue has room.
  private mutating func park(_ kindQueue: KindQueueHandle, of configuration: ConfigurationID) {
    configurations[configuration].heads.remove(kindQueue)
    kindQueues[kindQueue].listedUnder = 0
    queues[kindQueues[kindQueue].queue].parked.append(kindQueue)
  }

  /// The head where room is reserved for what needs more of it: all that have something ready are
  /// looked at.
  private mutating func searchedHead(
    for configuration: ConfigurationID,
    _ records: borrowing OperationTable
  ) -> (kindQueue: KindQueueHandle, key: ReadyKey)? {
    scan: while true {
      var best: (kindQueue: KindQueueHandle, key: ReadyKey)?
      for place in 0..<configurations[configuration].heads.entries.count {
        let kindQueue = configurations[configuration].heads.entries[place].kindQueue
        guard let key = kindQueues[kindQueue].ready.first else { continue }
        if let current = best, current.key < key { continue }
        switch room(for: key, kindQueue, configuration, records) {
        case .free: best = (kindQueue, key)
        case .none: continue
        // Operations seen earlier in this search may have to wait for it.
        case .reserved: continue scan
        }
      }
      return best
    }
  }

  /// Operations that the configuration's workers could be given; O(kinds).
  func readyCount(for configuration: ConfigurationID) -> Int {
    configurations[configuration].fleetKinds.reduce(0) { $0 + fleetKinds[$1].readyCount }
  }
}

// MARK: - Counts

extension Dispatcher {
  /// Where the ready operations of queues that are closed are counted.
  static var closedCounter: FleetKindHandle { FleetKindHandle(0) }

  /// What is known of a kind in a fleet, made where there is nothing yet.
  mutating func fleetKind(of kind: KindID, in fleet: FleetID) -> FleetKindHandle {
    if let known = fleets[fleet].kinds[kind] { return known }
    let made = vacantFleetKinds.place(FleetKind(), in: &fleetKinds)
    fleets[fleet].kinds[kind] = made
    for configuration in fleets[fleet].configurations
    where configurations[configuration].kinds?.contains(kind) == true {
      configurations[configuration].fleetKinds.append(made)
    }
    return made
  }

  /// How long an operation of the kind queue is expected to take, if that is known: by its queue,
  /// or else by all of its kind.
  func expectation(of kindQueue: KindQueueHandle) -> Int64? {
    kindQueues[kindQueue].estimate.known
      ?? fleetKinds[kindQueues[kindQueue].fleetKind].estimate.known
  }

  /// Counts the ready operations of a queue's kinds where they belong, now that it is open, or is
  /// not any more.
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
