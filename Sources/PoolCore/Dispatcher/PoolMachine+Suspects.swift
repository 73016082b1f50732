import PoolModel

// Operations under which workers have died are tried again where they can harm nobody else.

extension PoolMachine {
  /// A worker's death is held against the operation that it executed, or was about to; returns
  /// whether that was one too many.
  mutating func blame(_ slot: Int, _ worker: WorkerID, _ detail: DetailID) -> Bool {
    effects.append(.blame(operations.id(of: slot), worker, detail))
    return suspects.count(slot) >= policy.quarantineLimit
  }

  /// Gives suspects to fresh workers, and lets others go to make room for fresh ones.
  mutating func feedSuspects(at now: Instant) {
    for recipe in recipes.indices where !fleets[recipes[recipe].fleet].isClosing {
      while let (lane, key) = firstSuspect(for: recipe), room(for: key, lane, recipe) == .free,
        let worker = workerForSuspect(of: recipe)
      {
        beginWork(worker, at: now)
        workers[worker].isAlone = true
        assign(lane, key, to: worker, expected: 0)
        arm(worker)
      }
      while lacksFreshWorker(recipe), let worker = recipes[recipe].idle.first {
        retire(worker, at: now)
      }
    }
  }

  /// Whether a suspect is the next that the recipe's workers would execute, all of them have
  /// executed something before, and none is about to be replaced.
  ///
  /// Then they hold nothing, so that one of them soon has nothing to do. O(workers).
  func lacksFreshWorker(_ recipe: Int) -> Bool {
    let life = recipes[recipe]
    guard suspects.offeredCount > 0, !life.isExhausted, life.live >= life.spec.count,
      let (_, key) = firstSuspect(for: recipe), isNext(key, for: recipe)
    else { return false }
    let departing = workers.living.count {
      workers[$0].recipe.rawValue == recipe && workers[$0].state == .ending
    }
    return suspectCount(for: recipe) > departing + life.starting + freshIdleCount(of: recipe)
  }

  /// Suspects that the recipe's workers could be given; O(lanes).
  func suspectCount(for recipe: Int) -> Int {
    guard suspects.offeredCount > 0 else { return 0 }
    return recipes[recipe].lanes.reduce(0) { sum, lane in
      queues[lanes[lane].queue].hasRoom ? sum + lanes[lane].suspects.count : sum
    }
  }

  /// Workers with nothing to do that have never executed anything.
  func freshIdleCount(of recipe: Int) -> Int {
    workers.living.count { isFresh($0, of: recipe) }
  }

  private func isFresh(_ worker: Int, of recipe: Int) -> Bool {
    workers[worker].recipe.rawValue == recipe && workers[worker].isIdle
      && workers[worker].answered == 0
  }

  /// The first of the suspects in queues that have room.
  private func firstSuspect(for recipe: Int) -> (lane: Int, key: ReadyKey)? {
    var best: (lane: Int, key: ReadyKey)?
    for lane in recipes[recipe].lanes where queues[lanes[lane].queue].hasRoom {
      guard let key = lanes[lane].suspects.first else { continue }
      if let current = best, current.key < key { continue }
      best = (lane, key)
    }
    return best
  }

  /// Whether nothing else that the recipe's workers may be given comes before it.
  private func isNext(_ key: ReadyKey, for recipe: Int) -> Bool {
    recipes[recipe].lanes.allSatisfy { lane in
      guard queues[lanes[lane].queue].hasRoom, let other = lanes[lane].ready.first else {
        return true
      }
      return key < other
    }
  }

  /// An idle worker that has executed nothing yet; any, where there will be no fresh one.
  private func workerForSuspect(of recipe: Int) -> Int? {
    if recipes[recipe].isExhausted { return recipes[recipe].idle.first }
    guard !recipes[recipe].idle.isEmpty else { return nil }
    return workers.living.first { isFresh($0, of: recipe) }
  }
}
