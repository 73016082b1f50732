import PoolModel

// Ready operations meet workers.

extension Dispatcher {
  /// Gives each idle worker of a fleet an operation: always the one that is first among all that an
  /// idle worker serves.
  mutating func feedIdle(
    of fleet: FleetID,
    _ records: inout OperationTable,
    _ turn: inout Turn
  ) {
    while let (configuration, kindQueue, key) = head(of: fleet, records),
      let worker = configurations[configuration].idle.first
    {
      beginWork(worker, at: turn.now)
      let expected = kindQueues[kindQueue].estimate.known ?? 0
      assign(kindQueue, key, to: worker, expected: expected, &records, &turn)
      list(worker)
    }
  }

  /// An idle worker is about to have something.
  mutating func beginWork(_ worker: WorkerHandle, at now: Instant) {
    let configuration = lines[worker].configuration
    configurations[configuration].idle.remove(worker)
    if !configurations[configuration].spec.isInProcess {
      fleets[configurations[configuration].fleet].busyCount += 1
      busyWorkerCount += 1
    }
    lines[worker].answerRate = AnswerRate(since: now)
    begun.append(worker)
  }

  /// A worker of the configuration has nothing to do any more.
  private mutating func endWork(_ configuration: ConfigurationID) {
    guard !configurations[configuration].spec.isInProcess else { return }
    fleets[configurations[configuration].fleet].busyCount -= 1
    busyWorkerCount -= 1
  }

  /// The head of what the idle workers of a fleet serve.
  private mutating func head(
    of fleet: FleetID,
    _ records: borrowing OperationTable
  ) -> (configuration: ConfigurationID, kindQueue: KindQueueHandle, key: ReadyKey)? {
    var best: (configuration: ConfigurationID, kindQueue: KindQueueHandle, key: ReadyKey)?
    for place in 0..<fleets[fleet].configurations.count {
      let configuration = fleets[fleet].configurations[place]
      guard !configurations[configuration].idle.isEmpty,
        let (kindQueue, key) = head(for: configuration, records)
      else { continue }
      if let current = best, current.key < key { continue }
      best = (configuration, kindQueue, key)
    }
    return best
  }

  /// Gives busy workers of a configuration more, an even share each, as long as the head may be
  /// prefetched.
  mutating func feedListed(
    _ configuration: ConfigurationID,
    _ records: inout OperationTable,
    _ turn: inout Turn
  ) {
    guard !configurations[configuration].listed.isEmpty,
      headExpectation(for: configuration, records) != nil
    else { return }
    let count = readyCount(for: configuration)
    let share = max(1, count / configurations[configuration].listed.count)
    var kept: [WorkerHandle] = []
    for worker in configurations[configuration].listed {
      if fill(worker, of: configuration, upTo: share, &records, &turn) {
        kept.append(worker)
      } else {
        lines[worker].isListed = false
      }
    }
    configurations[configuration].listed = kept
  }

  /// Gives a worker operations to hold; false when it has no room left.
  private mutating func fill(
    _ worker: WorkerHandle,
    of configuration: ConfigurationID,
    upTo share: Int,
    _ records: inout OperationTable,
    _ turn: inout Turn
  ) -> Bool {
    guard hasPatience(worker, records, at: turn.now) else { return false }
    // What it holds from now on must be asked back in time.
    filled.append(worker)
    for _ in 0..<share {
      guard let (kindQueue, key, expected) = headExpectation(for: configuration, records) else {
        return true
      }
      guard lines[worker].hasRoom(for: expected) else { return false }
      assign(kindQueue, key, to: worker, expected: expected, &records, &turn)
    }
    return true
  }

  /// Whether what the worker executes has not been executing for long.
  private func hasPatience(
    _ worker: WorkerHandle,
    _ records: borrowing OperationTable,
    at now: Instant
  ) -> Bool {
    guard let first = lines[worker].line.first, records[first.slot].state.isExecuting else {
      return true
    }
    return now < records[first.slot].startedAt.advanced(by: PrefetchPolicy.patience)
  }

  /// Operations that the configuration's workers could be given; O(kind queues).
  func readyCount(for configuration: ConfigurationID) -> Int {
    configurations[configuration].kindQueues.reduce(0) { sum, kindQueue in
      queues[kindQueues[kindQueue].queue].isOpen ? sum + kindQueues[kindQueue].ready.count : sum
    }
  }

  /// The head of the ready queue, as far as the configuration serves it and its queue has room.
  private mutating func head(
    for configuration: ConfigurationID,
    _ records: borrowing OperationTable
  ) -> (kindQueue: KindQueueHandle, key: ReadyKey)? {
    scan: while true {
      var best: (kindQueue: KindQueueHandle, key: ReadyKey)?
      for place in 0..<configurations[configuration].kindQueues.count {
        let kindQueue = configurations[configuration].kindQueues[place]
        guard let key = kindQueues[kindQueue].ready.first else { continue }
        if let current = best, current.key < key { continue }
        switch room(for: key, kindQueue, configuration, records) {
        case .free: best = (kindQueue, key)
        case .none: continue
        // Those that were looked at before may have to wait for it.
        case .reserved: continue scan
        }
      }
      return best
    }
  }

  /// The head, if its expected length is known and short enough to be held, and nothing but a
  /// worker's time is taken by it.
  private mutating func headExpectation(
    for configuration: ConfigurationID,
    _ records: borrowing OperationTable
  ) -> (kindQueue: KindQueueHandle, key: ReadyKey, expected: Int64)? {
    guard let (kindQueue, key) = head(for: configuration, records),
      let expected = kindQueues[kindQueue].estimate.known,
      expected <= PrefetchPolicy.heldWorkLimit
    else { return nil }
    let handle = order.occupant(key.position)
    guard records[handle].slots == 1, !records[handle].hasClaims else { return nil }
    return (kindQueue, key, expected)
  }

  mutating func assign(
    _ kindQueue: KindQueueHandle,
    _ key: ReadyKey,
    to worker: WorkerHandle,
    expected: Int64,
    _ records: inout OperationTable,
    _ turn: inout Turn
  ) {
    let handle = order.occupant(key.position)
    let number = DispatchNumber(rawValue: nextNumber)
    nextNumber += 1
    removeReady(handle, &records)
    let id = lines[worker].id
    let takesPlaces = !configurations[lines[worker].configuration].spec.isInProcess
    records[handle].dispatch(
      OperationDispatch(worker: id, takesPlaces: takesPlaces, number: number)
    )
    occupy(handle, &records)
    lines[worker].line.append(Assignment(slot: handle, number: number, expected: expected))
    let reference = DispatchReference(operation: records.id(of: handle), dispatch: number)
    let attempt = Int(records[handle].attempt) + 1
    turn.effects.append(.dispatch(id, reference, attempt: attempt))
  }

  /// Notes that a busy worker may have room.
  private mutating func list(_ worker: WorkerHandle) {
    guard !lines[worker].isListed, lines[worker].canHold else { return }
    lines[worker].isListed = true
    configurations[lines[worker].configuration].listed.append(worker)
  }
}

// MARK: - Lines

extension Dispatcher {
  /// A worker is started; it takes nothing yet.
  mutating func add(_ worker: WorkerHandle, _ id: WorkerID, of configuration: ConfigurationID) {
    lines.put(WorkerLine(id: id, configuration: configuration), at: worker)
  }

  /// A worker takes operations from now on.
  mutating func open(_ worker: WorkerHandle, _ abilities: WorkerAbilities, allowance: Int) {
    lines[worker].isOpen = true
    lines[worker].returns = abilities.returns
    lines[worker].prefetches = abilities.prefetches && abilities.returns && abilities.stops
    lines[worker].allowance = allowance
    configurations[lines[worker].configuration].idle.insert(worker)
  }

  /// A worker gets nothing more.
  mutating func close(_ worker: WorkerHandle) {
    if lines[worker].isIdle { configurations[lines[worker].configuration].idle.remove(worker) }
    lines[worker].isOpen = false
  }

  /// A worker may answer no more than so many.
  mutating func setAllowance(_ allowance: Int, of worker: WorkerHandle) {
    lines[worker].allowance = allowance
  }

  /// A worker is gone; returns what it had.
  mutating func remove(_ worker: WorkerHandle) -> AssignmentLine {
    close(worker)
    let line = lines[worker].line
    let configuration = lines[worker].configuration
    if !line.isEmpty { endWork(configuration) }
    if lines[worker].isListed { configurations[configuration].listed.removeAll { $0 == worker } }
    lines[worker].isListed = false
    lines[worker].line = AssignmentLine()
    return line
  }

  /// What a worker executes, or is about to.
  @inline(__always)
  func first(of worker: WorkerHandle) -> Assignment? { lines[worker].line.first }

  /// Whether a worker has something.
  func isBusy(_ worker: WorkerHandle) -> Bool { !lines[worker].line.isEmpty }

  /// Whether operations wait behind what a worker executes that have not been asked back.
  func hasFollowers(_ worker: WorkerHandle) -> Bool {
    lines[worker].line.count > 1 && !lines[worker].hasRecalled
  }

  /// Whether a number is one that dispatches have had; they begin with 1.
  func wasGiven(_ number: DispatchNumber) -> Bool {
    number.rawValue > 0 && number.rawValue < nextNumber
  }

  /// Whether a worker's operations were asked back.
  func hasRecalled(_ worker: WorkerHandle) -> Bool { lines[worker].hasRecalled }

  /// The operation of a dispatch that the worker has.
  func operation(of number: DispatchNumber, on worker: WorkerHandle) -> OperationHandle? {
    lines[worker].line.slot(of: number)
  }

  /// An operation that is not the first of the worker's line is not the worker's any more; false
  /// where there is none with the number.
  mutating func removeHeld(_ number: DispatchNumber, from worker: WorkerHandle) -> Bool {
    lines[worker].line.removeHeld(number)
  }

  /// The first of a worker's line was answered, from a kind queue, or given back; returns what
  /// comes next.
  @inline(__always)
  mutating func endFirst(
    of worker: WorkerHandle,
    answered kindQueue: KindQueueHandle?,
    allowance: Int
  ) -> OperationHandle? {
    lines[worker].line.removeFirst()
    lines[worker].isAlone = false
    lines[worker].isTornDown = false
    lines[worker].allowance = allowance
    if let kindQueue {
      lines[worker].isFresh = false
      lines[worker].answerRate.answers += 1
      lines[worker].answerRate.kindQueue = kindQueue
    }
    if let first = lines[worker].line.first { return first.slot }
    lines[worker].hasRecalled = false
    let configuration = lines[worker].configuration
    endWork(configuration)
    if lines[worker].isOpen { configurations[configuration].idle.insert(worker) }
    return nil
  }

  /// Asks back everything behind the first of the worker's line.
  mutating func recall(
    from worker: WorkerHandle,
    _ records: borrowing OperationTable,
    _ turn: inout Turn
  ) {
    guard lines[worker].returns, !lines[worker].hasRecalled else { return }
    for held in lines[worker].line.held {
      let operation = records.id(of: held.slot)
      let reference = DispatchReference(operation: operation, dispatch: held.number)
      turn.effects.append(.recall(lines[worker].id, reference))
    }
    lines[worker].hasRecalled = !lines[worker].line.held.isEmpty
  }

  /// The first of the worker's line is being made to end: nothing more is put behind it.
  mutating func beginTeardown(of worker: WorkerHandle) {
    lines[worker].isTornDown = true
  }

  /// A bunch of a worker's answers ends here: how long they took says how long others will take.
  mutating func endBunch(of worker: WorkerHandle, at now: Instant) {
    guard let kindQueue = lines[worker].answerRate.kindQueue else { return }
    let rate = lines[worker].answerRate
    let average = (now.nanoseconds - rate.since.nanoseconds) / Int64(rate.answers)
    kindQueues[kindQueue].estimate.add(average: average, count: rate.answers)
    lines[worker].answerRate = AnswerRate(since: now)
    if lines[worker].line.isHalfSpent { list(worker) }
  }
}

// MARK: - Demand

extension Dispatcher {
  /// What workers of a configuration are needed for; nil for a reserve that is not.
  func demand(for configuration: ConfigurationID) -> WorkerDemand? {
    let service = configurations[configuration]
    guard let kinds = service.kinds else {
      return WorkerDemand(isKnown: false, unclaimed: unclaimedCount(in: service.fleet))
    }
    if service.spec.isReserve, !isReserveNeeded(kinds, in: service.fleet) { return nil }
    let quarantined = quarantinedCount(for: configuration)
    var demand = WorkerDemand(isKnown: true)
    demand.ready = readyCount(for: configuration)
    demand.quarantined = quarantined
    demand.idle = service.idle.count
    demand.fresh = quarantined > 0 ? freshIdleCount(of: configuration) : 0
    demand.width = width(ofFleet: service.fleet)
    return demand
  }

  /// Ready operations whose kind no worker has announced.
  private func unclaimedCount(in fleet: FleetID) -> Int {
    fleets[fleet].queues.reduce(0) { sum, queue in
      guard queues[queue].isOpen else { return sum }
      return queues[queue].queueOfKind.reduce(sum) { sum, kindQueue in
        guard kindQueue != .none else { return sum }
        // Those in quarantine, too, wait for a worker that serves them.
        let count = kindQueues[kindQueue].ready.count + kindQueues[kindQueue].quarantined.count
        guard count > 0 else { return sum }
        let kind = kindQueues[kindQueue].kind
        // A reserve serves only what everything else was asked for in vain.
        let isServed = fleets[fleet].configurations.contains {
          configurations[$0].kinds?.contains(kind) == true && !configurations[$0].isBroken
            && !configurations[$0].spec.isReserve
        }
        return isServed ? sum : sum + count
      }
    }
  }

  /// How many operations of a fleet's queues may be with workers at once.
  private func width(ofFleet fleet: FleetID) -> Int {
    fleets[fleet].queues.reduce(0) { sum, queue in
      // Most queues have no limit, and their sum must not overflow. What was dispatched from a
      // queue that is closed by now keeps its workers, and no other queue's are fewer for that.
      let width = queues[queue].isOpen ? min(queues[queue].width, 1 << 32) : 0
      return sum + max(width, queues[queue].assignedSlots)
    }
  }

  /// Whether all other configurations have said what they serve, and one of these kinds was not
  /// among it.
  ///
  /// One that was given up before it said so might have served anything: its operations fail rather
  /// than be executed where the caller did not ask for it.
  private func isReserveNeeded(_ kinds: [KindID], in fleet: FleetID) -> Bool {
    let others = fleets[fleet].configurations.filter { !configurations[$0].spec.isReserve }
    return kinds.contains { kind in !others.contains { configurations[$0].claims(kind) } }
  }
}

// MARK: - Timeouts

extension Dispatcher {
  /// The longest execution of an operation that begins, or goes on, now: its own, or, where it has
  /// none, what the median allows; nanoseconds.
  @inline(__always)
  func executionLimit(own: Int64) -> Int64 {
    guard own == .max, let relative = relativeTimeout,
      successes.count >= RelativeTimeout.leastCount
    else { return own }
    return Int64(clamping: Double(successes.value) * Double(relative.percent) / 100)
  }

  /// An execution of this length has succeeded; returns whether others may be too long from now on.
  ///
  /// Those that began before there was a median are watched from now on; later ones are when they
  /// begin, and asked again when their time has come.
  @inline(__always)
  mutating func noteSuccess(_ length: Int64) -> Bool {
    guard relativeTimeout != nil else { return false }
    successes.insert(length)
    return successes.count == RelativeTimeout.leastCount
  }
}
