import PoolModel

// Workers are started where there is work for them.

extension PoolMachine {
  /// Asks for as many workers as there is work for, within each recipe's count.
  mutating func startWorkers(at now: Instant) {
    for recipe in recipes.indices where !fleets[recipes[recipe].fleet].isClosing {
      while needsWorker(recipe) {
        let restartAt = max(recipes[recipe].restartAt, recipes[recipe].shortage.roomAt)
        guard restartAt <= now else {
          restarts.arm(recipe, at: restartAt)
          break
        }
        spawn(recipe, at: now)
      }
    }
  }

  /// Asked in each turn, so that the recipe is not copied.
  private func needsWorker(_ index: Int) -> Bool {
    guard recipes[index].live < recipes[index].spec.count, !recipes[index].isExhausted else {
      return false
    }
    let (fleet, starting) = (recipes[index].fleet, recipes[index].starting)
    guard let kinds = recipes[index].kinds else {
      return recipes[index].spec.isEager || unclaimedCount(in: fleet) > starting
    }
    if recipes[index].spec.isReserve, !isReserveNeeded(kinds, in: fleet) { return false }
    let suspectCount = suspectCount(for: index)
    if suspectCount > 0, suspectCount > starting + freshIdleCount(of: index) { return true }
    return readyCount(for: index) + suspectCount > starting + recipes[index].idle.count
      && recipes[index].live < width(ofFleet: fleet)
  }

  /// Ready operations of which nobody has said yet that he serves their kind.
  private func unclaimedCount(in fleet: Int) -> Int {
    fleets[fleet].queues.reduce(0) { sum, queue in
      guard queues[queue].isOpen else { return sum }
      return queues[queue].laneOfKind.reduce(sum) { sum, lane in
        guard lane >= 0 else { return sum }
        // Suspects, too, wait for somebody who serves them.
        let count = lanes[Int(lane)].ready.count + lanes[Int(lane)].suspects.count
        guard count > 0 else { return sum }
        let kind = lanes[Int(lane)].kind
        // A reserve serves only what everybody else was asked for in vain.
        let isServed = fleets[fleet].recipes.contains {
          recipes[$0].kinds?.contains(kind) == true && !recipes[$0].isBroken
            && !recipes[$0].spec.isReserve
        }
        return isServed ? sum : sum + count
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

  /// Whether all other recipes have said what they serve, and one of these kinds was not among it.
  ///
  /// A recipe that was given up before it said so might have served anything: its operations fail
  /// rather than be executed where the caller did not ask for it.
  private func isReserveNeeded(_ kinds: [KindID], in fleet: Int) -> Bool {
    let others = fleets[fleet].recipes.map { recipes[$0] }.filter { !$0.spec.isReserve }
    return kinds.contains { kind in !others.contains { $0.claims(kind) } }
  }

  private mutating func spawn(_ index: Int, at now: Instant) {
    let isInProcess = recipes[index].spec.isInProcess
    let deadline = isInProcess ? .distantFuture : now.advanced(by: policy.greetingTimeout)
    let recipe = RecipeID(rawValue: UInt16(index))
    let (slot, id) = workers.add(of: recipe, deadline: deadline)
    recipes[index].live += 1
    recipes[index].starting += 1
    arm(slot)
    recipes[index].shortage.noteSpawn(id, policy.shortageBackOff, at: now)
    effects.append(.spawn(id, recipe))
  }
}
