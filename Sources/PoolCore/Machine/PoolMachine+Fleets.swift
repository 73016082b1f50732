package import PoolModel

// Fleets and queues come and go.

extension PoolMachine {
  /// Makes a fleet with no workers.
  package mutating func addFleet() -> FleetID {
    fleetCount += 1
    return vacancies.fleets.place(FleetLife(), in: &fleets)
  }

  /// Gives a fleet one more way to start workers.
  package mutating func addConfiguration(_ spec: ConfigurationSpec, to fleet: FleetID)
    -> ConfigurationID
  {
    let index = fleet
    let life = ConfigurationLife(
      spec,
      fleet: index,
      budget: RestartBudget(limit: policy.restartLimit)
    )
    let configuration = vacancies.configurations.place(life, in: &configurations)
    fleets[index].configurations.append(configuration)
    if !spec.isInProcess { fleets[index].places += spec.count }
    for queue in fleets[index].queues {
      for kindQueue in queues[queue].queueOfKind where kindQueue != .none {
        kindQueues[kindQueue].service = .possible
      }
    }
    connectKindQueues(of: configuration)
    return configuration
  }

  /// Makes an empty queue whose operations the fleet executes.
  package mutating func addQueue(to fleet: FleetID) -> QueueID {
    let life = QueueLife(fleet: fleet)
    let queue = vacancies.queues.place(life, in: &queues)
    fleets[life.fleet].queues.append(queue)
    return queue
  }

  /// Nobody can add to the queue any more: it is forgotten when it is empty.
  package mutating func dropQueue(_ id: QueueID) {
    let queue = id
    queues[queue].isDropped = true
    if queues[queue].unsettledCount == 0 { removeQueue(queue) }
  }

  mutating func removeQueue(_ queue: QueueID) {
    for kindQueue in queues[queue].queueOfKind where kindQueue != .none {
      kindQueues[kindQueue].service = .possible
      vacancies.kindQueues.append(kindQueue)
      for configuration in fleets[queues[queue].fleet].configurations {
        configurations[configuration].kindQueues.removeAll { $0 == kindQueue }
      }
    }
    queues[queue].queueOfKind = []
    fleets[queues[queue].fleet].queues.removeAll { $0 == queue }
    vacancies.queues.append(queue)
    giveBack(fleet: queues[queue].fleet)
  }

  /// Nothing more is expected of a fleet: its workers end when they have finished what they have,
  /// and then it is forgotten.
  ///
  /// What is in its queues by then stays there until it is cancelled.
  package mutating func closeFleet(_ id: FleetID, at now: Instant) {
    let fleet = id
    guard !fleets[fleet].isClosing else { return }
    fleets[fleet].isClosing = true
    for worker in workers.living
    where configurations[configuration(of: worker)].fleet == fleet && workers[worker].line.isEmpty {
      retire(worker, at: now)
    }
    forgetFleet(fleet)
  }

  /// Forgets a closed fleet once its last worker is gone.
  mutating func forgetFleet(_ fleet: FleetID) {
    guard fleets[fleet].isClosing, !fleets[fleet].isGone,
      fleets[fleet].configurations.allSatisfy({ configurations[$0].live == 0 })
    else { return }
    fleets[fleet].isGone = true
    fleetCount -= 1
    for configuration in fleets[fleet].configurations {
      configurations[configuration].retireForGood()
      vacancies.configurations.append(configuration)
      effects.append(.forget(configuration))
    }
    fleets[fleet].configurations = []
    giveBack(fleet: fleet)
  }

  /// Lets a fleet's number name another one when nobody can mean the old one any more: queues
  /// that were not dropped still do.
  private mutating func giveBack(fleet: FleetID) {
    if fleets[fleet].isGone, fleets[fleet].queues.isEmpty { vacancies.fleets.append(fleet) }
  }

  /// Whether every worker configuration of the fleet has said what it serves, or was given up.
  package func isKnown(_ fleet: FleetID) -> Bool {
    fleets[fleet].configurations.allSatisfy {
      configurations[$0].kinds != nil || configurations[$0].isBroken
    }
  }

  /// The fleet of a worker configuration, and its index among that fleet's; nil where the fleet is
  /// gone.
  package func place(of configuration: ConfigurationID) -> (fleet: FleetID, index: Int)? {
    let fleet = configurations[configuration].fleet
    return fleets[fleet].configurations.firstIndex(of: configuration).map {
      (fleet, $0)
    }
  }

  /// Whether all that the fleet's workers serve is known, and the kind is not among it.
  package func isUnserved(_ kind: KindID, by fleet: FleetID) -> Bool {
    service(of: kind, by: fleet) == .unserved
  }
}

// MARK: - What a queue is told

extension PoolMachine {
  /// Operations of a queue that were added and have not settled; O(1).
  package func unsettledCount(of queue: QueueID) -> Int {
    queues[queue].unsettledCount
  }

  /// Whether nothing of the queue is dispatched.
  package func isSuspended(_ queue: QueueID) -> Bool {
    queues[queue].isSuspended
  }

  /// Lets nothing more of the queue be dispatched, or lets it go on.
  package mutating func setSuspended(_ isSuspended: Bool, _ queue: QueueID) {
    change(queue) { $0.isSuspended = isSuspended }
  }

  /// How many slots of the queue's operations workers may have at once.
  package func width(of queue: QueueID) -> Int {
    queues[queue].width
  }

  /// Changes how many slots of the queue's operations workers may have; they keep what they have.
  package mutating func setWidth(_ width: Int, of queue: QueueID) {
    change(queue) { $0.width = max(width, 0) }
  }

  /// Tells all changes of all operations of the queue from now on.
  package mutating func observe(_ queue: QueueID) {
    queues[queue].isObserved = true
  }

  /// Changes a queue; the claims of one that cannot dispatch hold nobody else back.
  private mutating func change(_ queue: QueueID, _ body: (inout QueueLife) -> Void) {
    let wasOpen = queues[queue].isOpen
    body(&queues[queue])
    guard queues[queue].isOpen != wasOpen, queues[queue].claimantCount > 0 else { return }
    forEachOperation(in: queue) { machine, slot in
      guard machine.operations[slot].state.isReady, machine.operations[slot].hasClaims else {
        return
      }
      if wasOpen { machine.withdrawClaims(slot) } else { machine.waitForClaims(slot) }
    }
  }

  /// Calls a closure for each operation in the queue, in the order of submission.
  mutating func forEachOperation(in queue: QueueID, _ body: (inout Self, OperationHandle) -> Void) {
    var slot = queues[queue].first
    while slot != OperationHandle.none {
      let next = operations[slot].next
      body(&self, slot)
      slot = next
    }
  }

  /// The operations in the queue, in the order of submission; O(operations).
  package func operations(in queue: QueueID) -> [OperationID] {
    var list: [OperationID] = []
    var slot = queues[queue].first
    while slot != OperationHandle.none {
      list.append(operations.id(of: slot))
      slot = operations[slot].next
    }
    return list
  }
}

// MARK: - Lanes

extension PoolMachine {
  /// The kind queue of a kind in a queue, made where there is none; amortised O(1).
  mutating func kindQueue(of kind: KindID, in queue: QueueID) -> KindQueueHandle {
    let number = Int(kind.rawValue)
    while queues[queue].queueOfKind.count <= number { queues[queue].queueOfKind.append(.none) }
    let known = queues[queue].queueOfKind[number]
    if known != .none { return known }
    var life = KindQueue(queue: queue, kind: kind)
    life.service = service(of: kind, by: queues[queue].fleet)
    let kindQueue = vacancies.kindQueues.place(life, in: &kindQueues)
    queues[queue].queueOfKind[number] = kindQueue
    for configuration in fleets[queues[queue].fleet].configurations
    where configurations[configuration].kinds?.contains(kind) == true {
      configurations[configuration].kindQueues.append(kindQueue)
    }
    return kindQueue
  }

  /// Finds the kind queues that a worker configuration serves, once it is known what it serves.
  mutating func connectKindQueues(of configuration: ConfigurationID) {
    guard let kinds = configurations[configuration].kinds else { return }
    configurations[configuration].kindQueues = fleets[configurations[configuration].fleet].queues
      .flatMap { queue in
        kinds.compactMap { kind in
          let kindQueues = queues[queue].queueOfKind
          let number = Int(kind.rawValue)
          return number < kindQueues.count && kindQueues[number] != .none ? kindQueues[number] : nil
        }
      }
  }
}

extension Array where Element: SlabHandle {
  /// Puts a life into the latest of these vacancies, or behind all others; returns its place.
  fileprivate mutating func place<Life>(_ life: Life, in lives: inout Slab<Element, Life>)
    -> Element
  {
    guard let vacancy = popLast() else { return lives.append(life) }
    lives[vacancy] = life
    return vacancy
  }
}
