import PoolModel

extension PoolMachine {
  /// What is wrong with the machine as a whole, in words; empty if nothing is; O(everything).
  ///
  /// For tests, which ask after each event.
  package func brokenInvariants() -> [String] {
    var demand = Demands()
    demand(aftermath.isEmpty, "no event leaves settlements half told")
    let tally = tally()
    demand(tally.inQueue == unsettledCount, "the count of unsettled operations is right")
    demand(tally.ready == readyCount, "the count of ready operations is right")
    demand(tally.executing == executingCount, "the count of executing operations is right")
    demand(
      kindQueues.reduce(0) { $0 + $1.ready.count + $1.suspects.count } == tally.offered,
      "every operation on offer is in its kind queue"
    )
    demand(
      kindQueues.reduce(0) { $0 + $1.suspects.count } == suspects.offeredCount,
      "the count of suspects on offer is right"
    )
    demand(
      suspects.deaths.allSatisfy { $1 < policy.quarantineLimit && operations[$0].isInQueue },
      "only what has not settled is suspect, and not for ever"
    )
    demand(order.count == unsettledCount, "positions belong to what is in a queue")
    demand(
      tally.unmet == graph.count + tally.gateCount,
      "every edge is something somebody waits for"
    )
    demand(roots.keys.allSatisfy { operations[$0].role.executesNothing }, "only joins have tallies")
    for slot in operations.handles { demandSound(slot, &demand) }
    for index in queues.indices where !vacancies.queues.contains(index) {
      demandSound(queues[index], index, &demand)
    }
    demandSoundResources(&demand)
    for slot in workers.living { demandSound(workers[slot], at: slot, &demand) }
    for configuration in configurations.indices {
      demandSound(configurations[configuration], &demand)
    }
    for index in fleets.indices where !vacancies.fleets.contains(index) {
      demandSound(fleets[index], index, &demand)
    }
    return demand.broken + graph.brokenInvariants()
  }

  private struct Tally {
    var inQueue = 0
    var ready = 0
    var offered = 0
    var executing = 0
    var unmet = 0
    var gateCount = 0
  }

  /// How many operations are in which state; one pass, because tests ask very often.
  private func tally() -> Tally {
    var tally = Tally()
    for slot in operations.handles where !operations[slot].state.isFree {
      let life = operations[slot]
      tally.unmet += Int(life.unmet)
      tally.gateCount += Int(life.gateCount)
      if life.isInQueue { tally.inQueue += 1 }
      if life.state.isReady { tally.ready += 1 }
      if life.state.isOffered { tally.offered += 1 }
      if case .executing = life.state { tally.executing += 1 }
    }
    return tally
  }

  private func demandSound(_ slot: OperationHandle, _ demand: inout Demands) {
    let life = operations[slot]
    demand(!life.state.isOffered || life.state.isReady, "\(slot) is offered while it is ready only")
    guard life.isInQueue else { return }
    demand(order.occupant(Int(life.position)) == slot, "\(slot) has its position")
    switch life.state {
    case .ready:
      demandSoundReady(slot, life, &demand)
    case .waiting:
      demand(life.unmet > 0, "\(slot) waits for something")
    case .preparing:
      demand(life.unmet == 0 && life.preparation == .needed, "\(slot) is prepared when it must be")
    case .held(let dispatch), .executing(let dispatch):
      demand(life.unmet == 0, "\(slot) was dispatched after its dependencies")
      let line = workers.slot(of: dispatch.worker).flatMap { workers[$0].line }
      demand(line?.contains(dispatch.number) ?? false, "\(slot) is in its worker's line")
    case .free, .created, .willSkip, .settled:
      break
    }
  }

  private func demandSoundReady(
    _ slot: OperationHandle,
    _ life: OperationLife,
    _ demand: inout Demands
  ) {
    demand(life.unmet == 0, "\(slot) is ready with no unmet dependency")
    let kindQueue = kindQueues[life.kindQueue]
    demand(kindQueue.service == .possible, "\(slot) waits for a kind that somebody may serve")
    let isSuspect = suspects.contains(slot)
    demand(
      kindQueue.ready.contains(life.key) == (life.state.isOffered && !isSuspect)
        && kindQueue.suspects.contains(life.key) == (life.state.isOffered && isSuspect),
      "\(slot) is in its kind queue if offered"
    )
    guard life.hasClaims else { return demand(life.state.isOffered, "\(slot) is offered") }
    let isOpen = queues[kindQueue.queue].isOpen
    let claims = resources.claims(life.claims)
    demand(
      claims.allSatisfy { resources[$0].waiting.contains(life.key) == isOpen },
      "\(slot) is in the line for each of its claims while its queue is open"
    )
    demand(
      life.state.isOffered == (isOpen && resources.mayTake(life.claims, life.key)),
      "\(slot) is offered when its turn has come for all that it claims"
    )
  }

  private func demandSound(_ queue: QueueLife, _ index: QueueID, _ demand: inout Demands) {
    var members: [OperationHandle] = []
    var slot = queue.first
    while slot != OperationHandle.none {
      members.append(slot)
      slot = operations[slot].next
    }
    demand(members.count == queue.unsettledCount, "queue \(index) lists what is in it")
    demand(
      members.allSatisfy { operations[$0].isInQueue }
        && zip(members, members.dropFirst()).allSatisfy {
          queue.isRanked || operations[$0].position < operations[$1].position
        },
      "queue \(index) is in the order of submission"
    )
    let lives = members.map { operations[$0] }
    let assigned = lives.filter { $0.state.dispatch != nil }.reduce(0) { $0 + Int($1.slots) }
    demand(assigned == queue.assignedSlots, "queue \(index) knows how many slots are taken")
    let claimants = lives.count { $0.state.isReady && $0.hasClaims }
    demand(claimants == queue.claimantCount, "queue \(index) knows how many have claims")
  }

  private func demandSoundResources(_ demand: inout Demands) {
    var inUse = Array(repeating: 0, count: resources.indices.count)
    for slot in operations.handles where operations[slot].state.dispatch != nil {
      for claim in resources.claims(operations[slot].claims) { inUse[Int(claim.rawValue)] += 1 }
    }
    for index in resources.indices {
      let resource = resources[ResourceID(rawValue: UInt32(index))]
      demand(resource.inUse == inUse[index], "resource \(index) knows how much of it is in use")
    }
  }

  private func demandSound(_ fleet: FleetLife, _ index: FleetID, _ demand: inout Demands) {
    let lives = workers.living.map { workers[$0] }.filter {
      let configuration = configurations[$0.configuration]
      return configuration.fleet == index && !configuration.spec.isInProcess
    }
    demand(lives.count { !$0.line.isEmpty } == fleet.busyCount, "fleet \(index) knows who is busy")
    let extra = lives.flatMap { $0.line.held.map(\.slot) + ($0.line.first.map { [$0.slot] } ?? []) }
      .reduce(0) { $0 + Int(operations[$1].slots) - 1 }
    demand(fleet.extraSlots == extra, "fleet \(index) knows how many places are taken")
  }

  private func demandSound(_ worker: WorkerLife, at slot: WorkerHandle, _ demand: inout Demands) {
    demand(workers.slot(of: worker.id) == slot, "worker \(worker.id) is where it is said to be")
    let isIdleListed = configurations[worker.configuration].idle.contains(slot)
    demand(isIdleListed == worker.isIdle, "worker \(worker.id) is idle if and only if listed so")
    demand(
      worker.line.count <= 1 || worker.abilities.prefetches && !worker.isAlone,
      "worker \(worker.id) holds only what it can hold"
    )
    demand(
      worker.line.count <= PrefetchPolicy.heldCountLimit + 1,
      "worker \(worker.id) stays within its prefetch"
    )
    demand(!worker.isExecuting || !worker.line.isEmpty, "worker \(worker.id) executes something")
    let listings = configurations[worker.configuration].listed.count { $0 == slot }
    demand(listings == (worker.isListed ? 1 : 0), "worker \(worker.id) is listed once or not")
    let due = deadline(of: slot) ?? .distantFuture
    demand(
      due == .distantFuture || alarms.next.map { $0 <= due } ?? false,
      "worker \(worker.id) is looked at when something is due for it"
    )
  }

  private func demandSound(_ configuration: ConfigurationLife, _ demand: inout Demands) {
    demand(
      configuration.live <= configuration.spec.count,
      "no worker configuration has more workers than it may"
    )
    demand(
      configuration.listed.allSatisfy { workers.isLiving($0) },
      "only living workers are listed"
    )
    guard configurations.count == 1 else { return }
    let living = workers.living.map { workers[$0] }
    demand(living.count == configuration.live, "the count of living workers is right")
    let starting = living.count { $0.state == .starting }
    demand(starting == configuration.starting, "the count of starting workers is right")
  }
}

/// Collects the invariants that do not hold.
private struct Demands {
  var broken: [String] = []

  mutating func callAsFunction(_ holds: Bool, _ invariant: @autoclosure () -> String) {
    if !holds { broken.append(invariant()) }
  }
}
