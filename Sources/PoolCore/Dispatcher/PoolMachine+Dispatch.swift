package import PoolModel

// Ready operations meet workers.

extension PoolMachine {
  /// Hands ready operations to workers, and asks for workers where some are missing.
  ///
  /// Workers that have nothing to do come first, in the order of their slots; then those that may
  /// hold some behind what they execute, evenly. O(1) for each operation dispatched, whatever the
  /// number of workers and of operations that wait.
  package mutating func dispatch(at now: Instant) {
    defer { hasReadyChanged = false }
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
    if !recipes[recipe].spec.isInProcess {
      fleets[recipes[recipe].fleet].busyCount += 1
      busyWorkerCount += 1
    }
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
  func readyCount(for recipe: Int) -> Int {
    recipes[recipe].lanes.reduce(0) { sum, lane in
      queues[lanes[lane].queue].isOpen ? sum + lanes[lane].ready.count : sum
    }
  }

  /// The head of the ready queue, as far as the recipe serves it and its queue has room.
  private mutating func head(for recipe: Int) -> (lane: Int, key: ReadyKey)? {
    scan: while true {
      var best: (lane: Int, key: ReadyKey)?
      for place in 0..<recipes[recipe].lanes.count {
        let lane = recipes[recipe].lanes[place]
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
