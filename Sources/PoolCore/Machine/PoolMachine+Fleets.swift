package import PoolModel

// Fleets and queues come and go.

extension PoolMachine {
  /// Makes a fleet with no workers.
  package mutating func addFleet() -> FleetID {
    fleetCount += 1
    return FleetID(rawValue: UInt16(vacancies.fleets.place(FleetLife(), in: &fleets)))
  }

  /// Gives a fleet one more way to start workers.
  package mutating func addRecipe(_ spec: RecipeSpec, to fleet: FleetID) -> RecipeID {
    let index = Int(fleet.rawValue)
    let life = RecipeLife(spec, fleet: index, budget: RestartBudget(limit: policy.restartLimit))
    let recipe = vacancies.recipes.place(life, in: &recipes)
    fleets[index].recipes.append(recipe)
    if !spec.isInProcess { fleets[index].places += spec.count }
    for queue in fleets[index].queues {
      for lane in queues[queue].laneOfKind where lane >= 0 {
        lanes[Int(lane)].service = .possible
      }
    }
    connectLanes(of: recipe)
    return RecipeID(rawValue: UInt16(recipe))
  }

  /// Makes an empty queue whose operations the fleet executes.
  package mutating func addQueue(to fleet: FleetID) -> QueueID {
    let life = QueueLife(fleet: Int(fleet.rawValue))
    let queue = vacancies.queues.place(life, in: &queues)
    fleets[life.fleet].queues.append(queue)
    return QueueID(rawValue: UInt16(queue))
  }

  /// Nobody can add to the queue any more: it is forgotten when it is empty.
  package mutating func dropQueue(_ id: QueueID) {
    let queue = Int(id.rawValue)
    queues[queue].isDropped = true
    if queues[queue].unsettledCount == 0 { removeQueue(queue) }
  }

  mutating func removeQueue(_ queue: Int) {
    for lane in queues[queue].laneOfKind where lane >= 0 {
      lanes[Int(lane)].service = .possible
      vacancies.lanes.append(Int(lane))
      for recipe in fleets[queues[queue].fleet].recipes {
        recipes[recipe].lanes.removeAll { $0 == Int(lane) }
      }
    }
    queues[queue].laneOfKind = []
    fleets[queues[queue].fleet].queues.removeAll { $0 == queue }
    vacancies.queues.append(queue)
    giveBack(fleet: queues[queue].fleet)
  }

  /// Nothing more is expected of a fleet: its workers end when they have finished what they have,
  /// and then it is forgotten.
  ///
  /// What is in its queues by then stays there until it is cancelled.
  package mutating func closeFleet(_ id: FleetID, at now: Instant) {
    let fleet = Int(id.rawValue)
    guard !fleets[fleet].isClosing else { return }
    fleets[fleet].isClosing = true
    for worker in workers.living
    where recipes[recipe(of: worker)].fleet == fleet && workers[worker].line.isEmpty {
      retire(worker, at: now)
    }
    forgetFleet(fleet)
  }

  /// Forgets a closed fleet once its last worker is gone.
  mutating func forgetFleet(_ fleet: Int) {
    guard fleets[fleet].isClosing, !fleets[fleet].isGone,
      fleets[fleet].recipes.allSatisfy({ recipes[$0].live == 0 })
    else { return }
    fleets[fleet].isGone = true
    fleetCount -= 1
    for recipe in fleets[fleet].recipes {
      recipes[recipe].retireForGood()
      vacancies.recipes.append(recipe)
      effects.append(.forget(RecipeID(rawValue: UInt16(recipe))))
    }
    fleets[fleet].recipes = []
    giveBack(fleet: fleet)
  }

  /// Lets a fleet's number name another one when nobody can mean the old one any more: queues
  /// that were not dropped still do.
  private mutating func giveBack(fleet: Int) {
    if fleets[fleet].isGone, fleets[fleet].queues.isEmpty { vacancies.fleets.append(fleet) }
  }

  /// Whether every recipe of the fleet has said what it serves, or was given up.
  package func isKnown(_ fleet: FleetID) -> Bool {
    fleets[Int(fleet.rawValue)].recipes.allSatisfy {
      recipes[$0].kinds != nil || recipes[$0].isBroken
    }
  }

  /// The fleet of a recipe, and its index among that fleet's; nil where the fleet is gone.
  package func place(of recipe: RecipeID) -> (fleet: FleetID, index: Int)? {
    let fleet = recipes[Int(recipe.rawValue)].fleet
    return fleets[fleet].recipes.firstIndex(of: Int(recipe.rawValue)).map {
      (FleetID(rawValue: UInt16(fleet)), $0)
    }
  }

  /// Whether all that the fleet's workers serve is known, and the kind is not among it.
  package func isUnserved(_ kind: KindID, by fleet: FleetID) -> Bool {
    service(of: kind, by: Int(fleet.rawValue)) == .unserved
  }
}

// MARK: - What a queue is told

extension PoolMachine {
  /// Operations of a queue that were added and have not settled; O(1).
  package func unsettledCount(of queue: QueueID) -> Int {
    queues[Int(queue.rawValue)].unsettledCount
  }

  /// Whether nothing of the queue is dispatched.
  package func isSuspended(_ queue: QueueID) -> Bool {
    queues[Int(queue.rawValue)].isSuspended
  }

  /// Lets nothing more of the queue be dispatched, or lets it go on.
  package mutating func setSuspended(_ isSuspended: Bool, _ queue: QueueID) {
    change(Int(queue.rawValue)) { $0.isSuspended = isSuspended }
  }

  /// How many slots of the queue's operations workers may have at once.
  package func width(of queue: QueueID) -> Int {
    queues[Int(queue.rawValue)].width
  }

  /// Changes how many slots of the queue's operations workers may have; they keep what they have.
  package mutating func setWidth(_ width: Int, of queue: QueueID) {
    change(Int(queue.rawValue)) { $0.width = max(width, 0) }
  }

  /// Tells all changes of all operations of the queue from now on.
  package mutating func observe(_ queue: QueueID) {
    queues[Int(queue.rawValue)].isObserved = true
  }

  /// Changes a queue; the claims of one that cannot dispatch hold nobody else back.
  private mutating func change(_ queue: Int, _ body: (inout QueueLife) -> Void) {
    let wasOpen = queues[queue].isOpen
    body(&queues[queue])
    guard queues[queue].isOpen != wasOpen, queues[queue].claimantCount > 0 else { return }
    forEachOperation(in: queue) { machine, slot in
      guard machine.operations[slot].state == .ready, machine.operations[slot].hasClaims else {
        return
      }
      if wasOpen { machine.withdrawClaims(slot) } else { machine.waitForClaims(slot) }
    }
  }

  /// Calls a closure for each operation in the queue, in the order of submission.
  mutating func forEachOperation(in queue: Int, _ body: (inout Self, Int) -> Void) {
    var slot = queues[queue].first
    while slot != OperationLife.none {
      let next = operations[Int(slot)].next
      body(&self, Int(slot))
      slot = next
    }
  }

  /// The operations in the queue, in the order of submission; O(operations).
  package func operations(in queue: QueueID) -> [OperationID] {
    var list: [OperationID] = []
    var slot = queues[Int(queue.rawValue)].first
    while slot != OperationLife.none {
      list.append(operations.id(of: Int(slot)))
      slot = operations[Int(slot)].next
    }
    return list
  }
}

// MARK: - Lanes

extension PoolMachine {
  /// The lane of a kind in a queue, made where there is none; amortised O(1).
  mutating func lane(of kind: KindID, in queue: Int) -> Int {
    let number = Int(kind.rawValue)
    while queues[queue].laneOfKind.count <= number { queues[queue].laneOfKind.append(-1) }
    let known = queues[queue].laneOfKind[number]
    if known >= 0 { return Int(known) }
    var life = Lane(queue: queue, kind: kind)
    life.service = service(of: kind, by: queues[queue].fleet)
    let lane = vacancies.lanes.place(life, in: &lanes)
    queues[queue].laneOfKind[number] = Int32(lane)
    for recipe in fleets[queues[queue].fleet].recipes
    where recipes[recipe].kinds?.contains(kind) == true {
      recipes[recipe].lanes.append(lane)
    }
    return lane
  }

  /// Finds the lanes that a recipe serves, once it is known what it serves.
  mutating func connectLanes(of recipe: Int) {
    guard let kinds = recipes[recipe].kinds else { return }
    recipes[recipe].lanes = fleets[recipes[recipe].fleet].queues.flatMap { queue in
      kinds.compactMap { kind in
        let lanes = queues[queue].laneOfKind
        let number = Int(kind.rawValue)
        return number < lanes.count && lanes[number] >= 0 ? Int(lanes[number]) : nil
      }
    }
  }
}

extension [Int] {
  /// Puts a life into the latest of these vacancies, or behind all others; returns its index.
  fileprivate mutating func place<Life>(_ life: Life, in lives: inout Slab<Life>) -> Int {
    guard let vacancy = popLast() else {
      lives.append(life)
      return lives.count - 1
    }
    lives[vacancy] = life
    return vacancy
  }
}
