import PoolModel

extension PoolMachine {
  /// What is wrong with the machine as a whole, in words; empty if nothing is; O(everything).
  ///
  /// For tests, which ask after each event.
  package func brokenInvariants() -> [String] {
    var demand = Demands()
    demandSoundGraph(&demand)
    dispatcher.demandSound(operations, &demand)
    supervisor.demandSound(&demand)
    demandSoundBorders(&demand)
    return demand.broken + graph.brokenInvariants()
  }

  /// What two machines know must be the same.
  private func demandSoundBorders(_ demand: inout Demands) {
    demand(dispatcher.order.count == unsettledCount, "positions belong to what is in a queue")
    for worker in supervisor.living {
      let id = supervisor.id(of: worker)
      demand(dispatcher.lines[worker].id == id, "worker \(id) has its own line")
      demand(
        dispatcher.lines[worker].isOpen == (supervisor.state(of: worker) == .serving),
        "worker \(id) takes operations while it serves"
      )
      supervisor.demandWatched(worker, front(of: worker), &demand)
    }
    for handle in operations.handles {
      guard let dispatch = operations[handle].state.dispatch else { continue }
      let worker = supervisor.worker(dispatch.worker)
      let held = worker.flatMap { dispatcher.operation(of: dispatch.number, on: $0) }
      demand(held == handle, "\(handle) is in its worker's line")
    }
    for configuration in dispatcher.configurations.indices {
      let isBroken = dispatcher.configurations[configuration].isBroken
      demand(
        !isBroken || supervisor.isBroken(configuration),
        "\(configuration) is not given up by one machine alone"
      )
    }
  }
}

extension PoolMachine {
  /// Notes what is wrong with operations and lists.
  private func demandSoundGraph(_ demand: inout Demands) {
    demand(aftermath.isEmpty, "no event leaves settlements half told")
    var (inQueue, executing, unmet, gates) = (0, 0, 0, 0)
    for handle in operations.handles where !operations[handle].state.isFree {
      unmet += Int(operations[handle].unmet)
      gates += Int(operations[handle].gateCount)
      if operations[handle].isInQueue { inQueue += 1 }
      if operations[handle].state.isExecuting { executing += 1 }
      demandSound(handle, operations[handle], &demand)
    }
    demand(inQueue == unsettledCount, "the count of unsettled operations is right")
    demand(executing == executingCount, "the count of executing operations is right")
    demand(unmet == graph.count + gates, "every edge is something an operation waits for")
    demand(
      roots.keys.allSatisfy { operations[$0].role.executesNothing },
      "only joins have tallies"
    )
    for queue in lists.indices { demandSound(lists[queue], queue, &demand) }
  }

  private func demandSound(
    _ handle: OperationHandle,
    _ life: OperationLife,
    _ demand: inout Demands
  ) {
    guard life.isInQueue else { return }
    switch life.state {
    case .ready: demand(life.unmet == 0, "\(handle) is ready with no unmet dependency")
    case .waiting: demand(life.unmet > 0, "\(handle) waits for something")
    case .preparing:
      let isNeeded = life.unmet == 0 && life.preparation == .needed
      demand(isNeeded, "\(handle) is prepared when it must be")
    case .held, .executing:
      demand(life.unmet == 0, "\(handle) was dispatched after its dependencies")
    case .free, .created, .willSkip, .settled: break
    }
  }

  private func demandSound(_ list: QueueList, _ queue: QueueID, _ demand: inout Demands) {
    var members: [OperationHandle] = []
    var handle = list.first
    while handle != .none {
      members.append(handle)
      handle = operations[handle].next
    }
    demand(members.count == list.count, "\(queue) lists what is in it")
    demand(members.allSatisfy { operations[$0].isInQueue }, "\(queue) lists nothing else")
    let isOrdered = zip(members, members.dropFirst()).allSatisfy {
      operations[$0].position < operations[$1].position
    }
    demand(list.isRanked || isOrdered, "\(queue) is in the order of submission")
  }
}
