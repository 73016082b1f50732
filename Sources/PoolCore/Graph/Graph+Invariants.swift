import PoolModel

extension Graph {
  /// Records broken invariants of operations and lists.
  func demandSound(_ demand: inout InvariantCheck) {
    let isAllTold = pendingEnds.isEmpty && consequences.isEmpty && pendingChanges.isEmpty
    demand(isAllTold, "every event delivers all ends")
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
    demand(unmet == edges.count + gates, "every edge is something an operation waits for")
    demand(
      roots.keys.allSatisfy { operations[$0].role.executesNothing },
      "only what executes nothing has a tally"
    )
    for queue in lists.indices { demandSound(lists[queue], queue, &demand) }
    for problem in edges.brokenInvariants() { demand(false, problem) }
  }

  private func demandSound(
    _ handle: OperationHandle,
    _ life: OperationLife,
    _ demand: inout InvariantCheck
  ) {
    guard life.isInQueue else { return }
    switch life.state {
    case .ready: demand(life.unmet == 0, "\(handle) is ready with no unmet dependency")
    case .waiting: demand(life.unmet > 0, "\(handle) waits for something")
    case .preparing:
      let isNeeded = life.unmet == 0 && life.preparation == .needed
      demand(isNeeded, "\(handle) is prepared when it must be")
    case .dispatched, .executing:
      demand(life.unmet == 0, "\(handle) was dispatched after its dependencies")
    case .open: demand(life.role == .gatedGroup, "\(handle) is a group")
    case .free, .created, .willSkip, .settled: break
    }
  }

  private func demandSound(_ list: QueueList, _ queue: QueueID, _ demand: inout InvariantCheck) {
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
    let memberCount = members.count { operations[$0].group != .none }
    demand(memberCount == list.memberCount, "\(queue) counts members of groups")
  }
}
