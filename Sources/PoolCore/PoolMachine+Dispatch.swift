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
    guard !isSuspended, readyCount > 0 else { return }
    for recipe in recipes.indices { feedIdle(recipe, at: now) }
    for recipe in recipes.indices { feedListed(recipe, at: now) }
  }

  private mutating func feedIdle(_ recipe: Int, at now: Instant) {
    while assignedCount < width, let worker = recipes[recipe].idle.first,
      let (kind, key) = head(for: recipe)
    {
      recipes[recipe].idle.remove(worker)
      workers[worker].pace = Pace(since: now)
      workers[worker].frontSince = now
      assign(kind, key, to: worker, expected: lanes[kind].estimate.known ?? 0)
      arm(worker)
      list(worker)
    }
  }

  /// Fills the credit of busy workers, an even share each, as long as the head may be held.
  private mutating func feedListed(_ recipe: Int, at now: Instant) {
    guard !recipes[recipe].listed.isEmpty, headExpectation(for: recipe) != nil else { return }
    let share = max(1, readyCount / recipes[recipe].listed.count)
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
      guard assignedCount < width, let (kind, key, expected) = headExpectation(for: recipe) else {
        return true
      }
      guard workers[worker].hasRoom(for: expected) else { return false }
      assign(kind, key, to: worker, expected: expected)
    }
    return true
  }

  /// Whether what the worker executes has not been executing for long.
  private func hasPatience(_ worker: Int, at now: Instant) -> Bool {
    guard workers[worker].isExecuting, let first = workers[worker].line.first else { return true }
    return now < operations[first.slot].startedAt.advanced(by: CreditPolicy.patience)
  }

  /// The head of the ready queue, as far as the recipe serves it.
  private func head(for recipe: Int) -> (kind: Int, key: ReadyKey)? {
    var best: (kind: Int, key: ReadyKey)?
    for kind in recipes[recipe].kinds ?? [] {
      guard let key = lanes[Int(kind.rawValue)].ready.first else { continue }
      if let current = best, current.key < key { continue }
      best = (Int(kind.rawValue), key)
    }
    return best
  }

  /// The head, if its expected length is known and short enough to be held.
  private func headExpectation(
    for recipe: Int
  ) -> (kind: Int, key: ReadyKey, expected: Int64)? {
    guard let (kind, key) = head(for: recipe), let expected = lanes[kind].estimate.known,
      expected <= CreditPolicy.heldWorkLimit
    else { return nil }
    return (kind, key, expected)
  }

  private mutating func assign(_ kind: Int, _ key: ReadyKey, to worker: Int, expected: Int64) {
    let slot = order.occupant(key.position)
    let number = DispatchNumber(rawValue: nextDispatch)
    nextDispatch += 1
    lanes[kind].ready.remove(key)
    readyCount -= 1
    assignedCount += 1
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

// MARK: - Starting workers

extension PoolMachine {
  /// Asks for as many workers as there is work for, within each recipe's count.
  private mutating func startWorkers(at now: Instant) {
    guard !isClosing else { return }
    for recipe in recipes.indices {
      while needsWorker(recipe) { spawn(recipe, at: now) }
    }
  }

  private func needsWorker(_ index: Int) -> Bool {
    let recipe = recipes[index]
    guard recipe.live < recipe.spec.count, !recipe.isExhausted else { return false }
    // What a recipe serves that never greeted is only known when all of it was started.
    guard let kinds = recipe.kinds else { return !policy.startsOnDemand || isAnyoneNeeded }
    if recipe.spec.isReserve, !isReserveNeeded(kinds) { return false }
    let ready = kinds.reduce(0) { $0 + lanes[Int($1.rawValue)].ready.count }
    return ready > recipe.starting + recipe.idle.count
      && recipe.live < width
  }

  /// Whether something is ready that those may serve who have not said what they serve.
  private var isAnyoneNeeded: Bool {
    let exclusive = recipes.reduce(0) { sum, recipe in
      guard recipe.spec.isExclusive else { return sum }
      return (recipe.kinds ?? []).reduce(sum) { $0 + lanes[Int($1.rawValue)].ready.count }
    }
    return readyCount > exclusive
  }

  /// Whether everybody else has said what they serve, and one of these kinds was not among it.
  private func isReserveNeeded(_ kinds: [KindID]) -> Bool {
    let others = recipes.filter { !$0.spec.isReserve }
    guard others.allSatisfy({ $0.kinds != nil || $0.isBroken }) else { return false }
    return kinds.contains { kind in !others.contains { $0.mayServe(kind) } }
  }

  private mutating func spawn(_ index: Int, at now: Instant) {
    let deadline = now.advanced(by: policy.greetingTimeout)
    let recipe = RecipeID(rawValue: UInt16(index))
    let (slot, id) = workers.add(of: recipe, deadline: deadline)
    recipes[index].live += 1
    recipes[index].starting += 1
    alarms.arm(slot, at: deadline)
    effects.append(.spawn(id, recipe))
  }
}
