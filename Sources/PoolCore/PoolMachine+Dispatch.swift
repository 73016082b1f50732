package import PoolModel

// Ready operations meet workers.

extension PoolMachine {
  /// Hands ready operations to workers, and asks for workers where some are missing.
  ///
  /// Workers that have nothing to do come first, in the order of their slots; then those that may
  /// hold some behind what they execute, evenly. O(1) for each operation dispatched, whatever the
  /// number of workers and of operations that wait.
  package mutating func dispatch(at now: Instant) {
    startWorkers(at: now)
    guard readyCount > 0 else { return }
    if suspects.offeredCount > 0 { feedSuspects(at: now) }
    for fleet in fleets.indices { feedIdle(of: fleet, at: now) }
    for recipe in recipes.indices { feedListed(recipe, at: now) }
  }

  /// Gives each idle worker of a fleet an operation: always the one that is first among all that
  /// an idle worker serves.
  private mutating func feedIdle(of fleet: Int, at now: Instant) {
    while let (recipe, lane, key) = head(of: fleet), let worker = recipes[recipe].idle.first {
      beginWork(worker, at: now)
      assign(lane, key, to: worker, expected: lanes[lane].estimate.known ?? 0)
      arm(worker)
      list(worker)
    }
  }

  /// An idle worker is about to have something.
  mutating func beginWork(_ worker: Int, at now: Instant) {
    let recipe = recipe(of: worker)
    recipes[recipe].idle.remove(worker)
    if !recipes[recipe].spec.isInProcess { fleets[recipes[recipe].fleet].busyCount += 1 }
    workers[worker].pace = Pace(since: now)
    workers[worker].frontSince = now
  }

  /// The head of what the idle workers of a fleet serve.
  private mutating func head(of fleet: Int) -> (recipe: Int, lane: Int, key: ReadyKey)? {
    var best: (recipe: Int, lane: Int, key: ReadyKey)?
    for recipe in fleets[fleet].recipes where !recipes[recipe].idle.isEmpty {
      guard let (lane, key) = head(for: recipe) else { continue }
      if let current = best, current.key < key { continue }
      best = (recipe, lane, key)
    }
    return best
  }

  /// Fills the credit of busy workers, an even share each, as long as the head may be held.
  private mutating func feedListed(_ recipe: Int, at now: Instant) {
    guard !recipes[recipe].listed.isEmpty, headExpectation(for: recipe) != nil,
      !lacksFreshWorker(recipe)
    else { return }
    let share = max(1, readyCount(for: recipe) / recipes[recipe].listed.count)
    var kept: [Int] = []
    for worker in recipes[recipe].listed {
      if fill(worker, of: recipe, upTo: share, at: now) {
        kept.append(worker)
      } else {
        workers[worker].isListed = false
      }
    }
    recipes[recipe].listed = kept
  }

  /// Gives a worker operations to hold; false when it has no room left.
  private mutating func fill(
    _ worker: Int,
    of recipe: Int,
    upTo share: Int,
    at now: Instant
  ) -> Bool {
    guard hasPatience(worker, at: now) else { return false }
    // What it holds from now on must be asked back in time.
    defer { arm(worker) }
    for _ in 0..<share {
      guard let (lane, key, expected) = headExpectation(for: recipe) else { return true }
      guard workers[worker].hasRoom(for: expected) else { return false }
      assign(lane, key, to: worker, expected: expected)
    }
    return true
  }

  /// Whether what the worker executes has not been executing for long.
  private func hasPatience(_ worker: Int, at now: Instant) -> Bool {
    guard workers[worker].isExecuting, let first = workers[worker].line.first else { return true }
    return now < operations[first.slot].startedAt.advanced(by: CreditPolicy.patience)
  }

  /// Operations that the recipe's workers could be given; O(lanes).
  private func readyCount(for recipe: Int) -> Int {
    recipes[recipe].lanes.reduce(0) { sum, lane in
      queues[lanes[lane].queue].isOpen ? sum + lanes[lane].ready.count : sum
    }
  }

  /// The head of the ready queue, as far as the recipe serves it and its queue has room.
  private mutating func head(for recipe: Int) -> (lane: Int, key: ReadyKey)? {
    scan: while true {
      var best: (lane: Int, key: ReadyKey)?
      for lane in recipes[recipe].lanes {
        guard let key = lanes[lane].ready.first else { continue }
        if let current = best, current.key < key { continue }
        switch room(for: key, lane, recipe) {
        case .free: best = (lane, key)
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
    for recipe: Int
  ) -> (lane: Int, key: ReadyKey, expected: Int64)? {
    guard let (lane, key) = head(for: recipe), let expected = lanes[lane].estimate.known,
      expected <= CreditPolicy.heldWorkLimit
    else { return nil }
    let slot = order.occupant(key.position)
    guard operations[slot].slots == 1, !operations[slot].hasClaims else { return nil }
    return (lane, key, expected)
  }

  mutating func assign(_ lane: Int, _ key: ReadyKey, to worker: Int, expected: Int64) {
    let slot = order.occupant(key.position)
    let number = DispatchNumber(rawValue: nextNumber)
    nextNumber += 1
    removeReady(slot)
    operations[slot].takesPlaces = !recipes[recipe(of: worker)].spec.isInProcess
    occupy(slot)
    let id = workers[worker].id
    operations[slot].state = .held(id, number)
    workers[worker].line.append(Assignment(slot: slot, number: number, expected: expected))
    let reference = DispatchReference(operation: operations.id(of: slot), dispatch: number)
    effects.append(.dispatch(id, reference, attempt: Int(operations[slot].attempt) + 1))
  }

  /// Notes that a busy worker may have room.
  mutating func list(_ worker: Int) {
    guard !workers[worker].isListed, workers[worker].canHold else { return }
    workers[worker].isListed = true
    recipes[recipe(of: worker)].listed.append(worker)
  }
}

// MARK: - Room

extension PoolMachine {
  /// A worker has an operation: its slots and what it claims are taken.
  private mutating func occupy(_ slot: Int) {
    let lane = Int(operations[slot].lane)
    let slots = Int(operations[slot].slots)
    queues[lanes[lane].queue].assignedSlots += slots
    if slots > 1, operations[slot].takesPlaces { fleets[fleet(of: slot)].extraSlots += slots - 1 }
    guard operations[slot].hasClaims else { return }
    takeClaims(slot)
    for claim in resources.claims(operations[slot].claims) { refresh(claim) }
  }

  /// No worker has an operation any more.
  mutating func vacate(_ slot: Int) {
    let lane = Int(operations[slot].lane)
    let slots = Int(operations[slot].slots)
    queues[lanes[lane].queue].assignedSlots -= slots
    if slots > 1, operations[slot].takesPlaces { fleets[fleet(of: slot)].extraSlots -= slots - 1 }
    if operations[slot].hasClaims { returnClaims(slot) }
  }

  enum Room {
    case free
    case none
    /// There is none, and what becomes free was reserved for it just now.
    case reserved
  }

  /// Whether the queue of a ready operation, and the fleet, have room for it.
  ///
  /// One that needs more than is free reserves what becomes free, so that smaller ones which come
  /// later do not keep it waiting for ever; one that needs more than there is gets everything.
  mutating func room(for key: ReadyKey, _ lane: Int, _ recipe: Int) -> Room {
    let queue = lanes[lane].queue
    let fleet = queues[queue].fleet
    let assigned = queues[queue].assignedSlots
    guard queues[queue].isOpen, assigned < queues[queue].width else { return .none }
    let slot = order.occupant(key.position)
    let slots = Int(operations[slot].slots)
    let isCrowded =
      slots > 1 || queues[queue].reservedFor != nil || fleets[fleet].extraSlots > 0
      || fleets[fleet].reservedFor != nil
    guard isCrowded else { return .free }
    let unassigned = assigned == 0 ? Int.max : queues[queue].width - assigned
    guard isFirst(key, before: queues[queue].reservedFor, unassigned) else { return .none }
    guard slots <= unassigned else {
      return reserve(&queues[queue].reservedFor, for: operations.id(of: slot))
    }
    guard !recipes[recipe].spec.isInProcess else { return .free }
    let busy = fleets[fleet].busyCount + fleets[fleet].extraSlots
    let places = busy == 0 ? Int.max : fleets[fleet].places - busy
    guard isFirst(key, before: fleets[fleet].reservedFor, places) else { return .none }
    guard slots <= places else {
      return reserve(&fleets[fleet].reservedFor, for: operations.id(of: slot))
    }
    return .free
  }

  private func reserve(_ room: inout OperationID?, for id: OperationID) -> Room {
    guard room != id else { return .none }
    room = id
    return .reserved
  }

  /// Whether an operation comes before the one for which room is reserved, or is that one.
  ///
  /// One that could have its room by now lacks a worker, and holds back nobody for that.
  private func isFirst(_ key: ReadyKey, before reserved: OperationID?, _ free: Int) -> Bool {
    guard let reserved, let slot = operations.slot(of: reserved),
      operations[slot].state == .ready, operations[slot].isOffered,
      operations[slot].slots > free,
      queues[lanes[Int(operations[slot].lane)].queue].isOpen
    else { return true }
    return key <= operations[slot].key
  }

  /// An operation for which room may be reserved needs none any more.
  mutating func cancelReservations(of slot: Int, in queue: Int) {
    let id = operations.id(of: slot)
    if queues[queue].reservedFor == id { queues[queue].reservedFor = nil }
    let fleet = queues[queue].fleet
    if fleets[fleet].reservedFor == id { fleets[fleet].reservedFor = nil }
  }

  func fleet(of slot: Int) -> Int {
    queues[lanes[Int(operations[slot].lane)].queue].fleet
  }
}

// MARK: - Starting workers

extension PoolMachine {
  /// Asks for as many workers as there is work for, within each recipe's count.
  private mutating func startWorkers(at now: Instant) {
    for recipe in recipes.indices where !fleets[recipes[recipe].fleet].isClosing {
      while needsWorker(recipe) {
        let restartAt = recipes[recipe].restartAt
        guard restartAt <= now else {
          restarts.arm(recipe, at: restartAt)
          break
        }
        spawn(recipe, at: now)
      }
    }
  }

  private func needsWorker(_ index: Int) -> Bool {
    let recipe = recipes[index]
    guard recipe.live < recipe.spec.count, !recipe.isExhausted else { return false }
    guard let kinds = recipe.kinds else {
      return recipe.spec.isEager || unclaimedCount(in: recipe.fleet) > recipe.starting
    }
    if recipe.spec.isReserve, !isReserveNeeded(kinds, in: recipe.fleet) { return false }
    let suspectCount = suspectCount(for: index)
    if suspectCount > 0, suspectCount > recipe.starting + freshIdleCount(of: index) { return true }
    return readyCount(for: index) + suspectCount > recipe.starting + recipe.idle.count
      && recipe.live < width(ofFleet: recipe.fleet)
  }

  /// Ready operations of which nobody has said yet that he serves their kind.
  private func unclaimedCount(in fleet: Int) -> Int {
    fleets[fleet].queues.reduce(0) { sum, queue in
      guard queues[queue].isOpen else { return sum }
      return queues[queue].laneOfKind.reduce(sum) { sum, lane in
        guard lane >= 0, lanes[Int(lane)].ready.count > 0 else { return sum }
        let kind = lanes[Int(lane)].kind
        // A reserve serves only what everybody else was asked for in vain.
        let isServed = fleets[fleet].recipes.contains {
          recipes[$0].kinds?.contains(kind) == true && !recipes[$0].isBroken
            && !recipes[$0].spec.isReserve
        }
        return isServed ? sum : sum + lanes[Int(lane)].ready.count
      }
    }
  }

  /// How many operations of a fleet's queues may be with workers at once.
  private func width(ofFleet fleet: Int) -> Int {
    fleets[fleet].queues.reduce(0) { sum, queue in
      // Most queues have no limit, and their sum must not overflow. What was dispatched from a queue
      // that is closed by now keeps its workers, and no other queue's are fewer for that.
      let width = queues[queue].isOpen ? min(queues[queue].width, 1 << 32) : 0
      return sum + max(width, queues[queue].assignedSlots)
    }
  }

  /// Whether everybody else has said what they serve, and one of these kinds was not among it.
  private func isReserveNeeded(_ kinds: [KindID], in fleet: Int) -> Bool {
    let others = fleets[fleet].recipes.map { recipes[$0] }.filter { !$0.spec.isReserve }
    guard others.allSatisfy({ $0.kinds != nil || $0.isBroken }) else { return false }
    return kinds.contains { kind in !others.contains { $0.mayServe(kind) } }
  }

  private mutating func spawn(_ index: Int, at now: Instant) {
    let isInProcess = recipes[index].spec.isInProcess
    let deadline = isInProcess ? .distantFuture : now.advanced(by: policy.greetingTimeout)
    let recipe = RecipeID(rawValue: UInt16(index))
    let (slot, id) = workers.add(of: recipe, deadline: deadline)
    recipes[index].live += 1
    recipes[index].starting += 1
    arm(slot)
    effects.append(.spawn(id, recipe))
  }
}
