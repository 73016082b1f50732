import PoolModel

extension Dispatcher {
  /// Records broken invariants of queues, assignments and room; O(everything), for tests.
  func demandSound(_ records: borrowing OperationTable, _ demand: inout InvariantCheck) {
    demand(supplied.isEmpty, "no dispatch leaves a worker unwatched")
    demandSoundReady(records, &demand)
    demandSoundResources(records, &demand)
    for queue in queues.indices where !vacantQueues.contains(queue) {
      demandSoundRoom(of: queue, records, &demand)
    }
    for fleet in fleets.indices { demandSoundRoom(of: fleet, records, &demand) }
    for worker in assignments.indices { demandSoundAssignments(of: worker, records, &demand) }
    for configuration in configurations.indices {
      let holders = assignments.indices.count {
        assignments[$0].configuration == configuration && assignments[$0].queue.count > 1
      }
      demand(
        holders == configurations[configuration].prefetchingCount,
        "the count of workers that hold something is right"
      )
    }
    let holding = configurations.reduce(0) { $0 + $1.prefetchingCount }
    demand(holding == prefetchingWorkerCount, "the count of all that hold something is right")
    for configuration in configurations.indices {
      demandSoundHeads(of: configuration, &demand)
    }
    for fleet in fleets.indices { demandSoundCounts(of: fleet, &demand) }
    let busy = fleets.reduce(0) { $0 + $1.busyCount }
    demand(busy == busyWorkerCount, "the count of busy workers is right")
  }

  /// Records a configuration that only one of dispatcher and supervisor has given up.
  func demandBroken(_ isBroken: (ConfigurationID) -> Bool, _ demand: inout InvariantCheck) {
    for configuration in configurations.indices where configurations[configuration].isBroken {
      demand(isBroken(configuration), "\(configuration) is not given up by one machine alone")
    }
  }

  private func demandSoundHeads(
    of configuration: ConfigurationID,
    _ demand: inout InvariantCheck
  ) {
    let service = configurations[configuration]
    let fleet = service.fleet
    guard fleets[fleet].configurations.contains(configuration) else { return }
    var count = 0
    for queue in fleets[fleet].queues {
      for kindQueue in queues[queue].queueOfKind where kindQueue != .none {
        let life = kindQueues[kindQueue]
        let isServed = service.kinds?.contains(life.kind) == true
        demand(
          service.kindQueueHeap.serves(kindQueue) == isServed,
          "\(kindQueue) is known where served"
        )
        guard isServed else { continue }
        if queues[queue].isOpen { count += life.ready.count }
        guard queues[queue].hasRoom, let key = life.ready.first else { continue }
        let listed = service.kindQueueHeap.key(of: kindQueue) ?? .max
        demand(listed <= key.packed, "\(kindQueue) is listed in time")
        demand(listed <= life.listedUnder, "\(kindQueue) knows under which key it is listed")
        let isHeldBack = hasSuspects || queues[queue].reservedFor != nil
        demand(
          service.idle.isEmpty || isHeldBack || fleets[fleet].reservedFor != nil
            || fleets[fleet].extraSlots > 0,
          "\(kindQueue) does not wait while a worker has nothing to do"
        )
      }
    }
    demand(count == readyCount(for: configuration), "the count of what can be given is right")
  }

  private func demandSoundCounts(of fleet: FleetID, _ demand: inout InvariantCheck) {
    let width = fleets[fleet].queues.reduce(0) { $0 + queues[$1].openWidth }
    demand(width == fleets[fleet].openWidth, "\(fleet) knows how wide its queues are")
    for (place, queue) in fleets[fleet].queues.enumerated() {
      demand(queues[queue].place == place, "\(queue) knows its place in its fleet")
    }
  }

  private func demandSoundReady(_ records: borrowing OperationTable, _ demand: inout InvariantCheck)
  {
    var (ready, offered) = (0, 0)
    for handle in records.handles where records[handle].state.isReady {
      ready += 1
      if records[handle].state.isOffered { offered += 1 }
      demandSoundOffer(of: handle, records[handle], records, &demand)
    }
    demand(ready == readyCount, "the count of ready operations is right")
    let suspectCount = kindQueues.reduce(0) { $0 + $1.suspects.count }
    demand(
      kindQueues.reduce(suspectCount) { $0 + $1.ready.count } == offered,
      "every operation on offer is in its kind queue"
    )
    demand(suspectCount == suspects.offeredCount, "the count of suspects is right")
    var areSound = true
    for (handle, count) in suspects.deaths
    where count >= quarantineLimit || !records[handle].isInQueue { areSound = false }
    demand(areSound, "only unsettled operations are suspects, below the limit of deaths")
  }

  private func demandSoundOffer(
    of handle: OperationHandle,
    _ life: OperationLife,
    _ records: borrowing OperationTable,
    _ demand: inout InvariantCheck
  ) {
    let kindQueue = kindQueues[life.kindQueue]
    demand(order.occupant(Int(life.position)) == handle, "\(handle) has its position")
    demand(kindQueue.service == .possible, "\(handle) waits for a kind that may be served")
    let isSuspect = suspects.contains(handle)
    demand(
      kindQueue.ready.contains(life.key) == (life.state.isOffered && !isSuspect)
        && kindQueue.suspects.contains(life.key) == (life.state.isOffered && isSuspect),
      "\(handle) is in its kind queue if offered"
    )
    guard life.contends else { return demand(life.state.isOffered, "\(handle) is offered") }
    let isOpen = queues[kindQueue.queue].isOpen
    demand(
      contenders.contains(life.key) == isOpen,
      "\(handle) contends while its queue is open"
    )
    demandSoundWait(of: handle, life, isOpen: isOpen, records, &demand)
  }

  /// A contender is offered, or waits for one thing: one that it lacks, or that another one of its
  /// class is offered before it.
  private func demandSoundWait(
    of handle: OperationHandle,
    _ life: OperationLife,
    isOpen: Bool,
    _ records: borrowing OperationTable,
    _ demand: inout InvariantCheck
  ) {
    let members = waitingClass(of: handle, records)
    var lists = resources.claims(life.claims).map { claim in
      (resources[claim].waiting, hasUnit(of: claim, for: handle, records))
    }
    // Whether there are slots is known only when the operation is about to be dispatched.
    if life.slots > 1 { lists.append((fleets[fleet(of: handle, records)].waiting, false)) }
    var waits = 0
    for (waiting, isFree) in lists {
      let other = waiting.offered(of: members)
      demand(
        (other == life.key) == life.state.isOffered,
        "\(handle) is noted as offered wherever it needs something"
      )
      guard waiting.contains(life.key, of: members) else { continue }
      waits += 1
      let isBehind = other.map { $0 < life.key } == true
      demand(!isFree || isBehind, "\(handle) waits only for what it cannot have")
    }
    demand(
      waits == (isOpen && !life.state.isOffered ? 1 : 0),
      "\(handle) waits in one list, or is offered"
    )
    let isFree = resources.claims(life.claims).allSatisfy { hasUnit(of: $0, for: handle, records) }
    demand(!life.state.isOffered || isFree, "\(handle) is offered only while it lacks no unit")
  }

  private func demandSoundResources(
    _ records: borrowing OperationTable,
    _ demand: inout InvariantCheck
  ) {
    var inUse = Array(repeating: 0, count: resources.indices.count)
    for worker in assignments.indices {
      var before: [ResourceID] = []
      for (place, assignment) in assignments[worker].queue.all.enumerated() {
        let claims = resources.claims(records[assignment.handle].claims)
        let slots = records[assignment.handle].slots
        for claim in claims where place == 0 {
          inUse[Int(claim.rawValue)] += resources[claim].units(for: slots)
        }
        demand(
          place == 0 || claims.isEmpty || claims == before,
          "\(assignment.handle) takes over what the one before it claims"
        )
        before = claims
      }
    }
    for index in resources.indices {
      let resource = resources[ResourceID(rawValue: UInt32(index))]
      demand(resource.inUse == inUse[index], "resource \(index) knows how much of it is in use")
    }
  }

  private func demandSoundRoom(
    of queue: QueueID,
    _ records: borrowing OperationTable,
    _ demand: inout InvariantCheck
  ) {
    var (assigned, contending, wide) = (0, 0, 0)
    for handle in records.handles where records[handle].isInQueue && records[handle].queue == queue
    {
      if records[handle].state.dispatch != nil { assigned += Int(records[handle].slots) }
      guard records[handle].state.isReady, records[handle].contends else { continue }
      contending += 1
      if records[handle].slots > 1, queues[queue].isOpen { wide += 1 }
    }
    demand(assigned == queues[queue].assignedSlots, "\(queue) knows how many slots are taken")
    demand(contending == queues[queue].contenderCount, "\(queue) knows how many contend")
    demand(wide == queues[queue].wideCount, "\(queue) knows how many need several slots")
  }

  private func demandSoundRoom(
    of fleet: FleetID,
    _ records: borrowing OperationTable,
    _ demand: inout InvariantCheck
  ) {
    var (busy, extra) = (0, 0)
    for worker in assignments.indices where !assignments[worker].queue.isEmpty {
      let service = configurations[assignments[worker].configuration]
      guard service.fleet == fleet, !service.spec.executesBlocks else { continue }
      busy += 1
      for assignment in assignments[worker].queue.all {
        extra += Int(records[assignment.handle].slots) - 1
      }
    }
    demand(busy == fleets[fleet].busyCount, "\(fleet) knows which workers are busy")
    demand(extra == fleets[fleet].extraSlots, "\(fleet) knows how many slots are taken")
  }

  private func demandSoundAssignments(
    of worker: WorkerHandle,
    _ records: borrowing OperationTable,
    _ demand: inout InvariantCheck
  ) {
    let entry = assignments[worker]
    let service = configurations[entry.configuration]
    demand(
      service.idle.contains(worker) == entry.isIdle,
      "worker \(entry.id) is idle if and only if listed so"
    )
    demand(
      entry.queue.count <= 1 || entry.prefetches && !entry.isAlone,
      "worker \(entry.id) has only what it may prefetch"
    )
    demand(
      entry.queue.count <= PrefetchWindow.farthestCount + 1,
      "worker \(entry.id) stays within what may be prefetched"
    )
    let listings = service.listed.count { $0 == worker }
    demand(listings == (entry.isListed ? 1 : 0), "worker \(entry.id) is listed once or not")
    for assignment in entry.queue.all {
      demand(
        records[assignment.handle].state.dispatch?.number == assignment.number,
        "\(assignment.handle) is where its worker's queue says"
      )
    }
  }
}
