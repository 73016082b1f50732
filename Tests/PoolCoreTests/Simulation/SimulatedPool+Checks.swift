import PoolModel
import PoolTestSupport

@testable import PoolCore

// The rules, in terms of what was asked for and what was told.

extension SimulatedPool {
  func ending(of id: OperationID) -> PoolEnding? { indices[id].flatMap { operations[$0].ending } }

  func isReleased(_ id: OperationID) -> Bool {
    indices[id].map { operations[$0].isReleased } ?? true
  }

  /// Whether one operation must wait for another, because of a dependency or a barrier.
  private func waits(_ operation: SimulatedOperation, for other: SimulatedOperation) -> Bool {
    guard other.ending == nil else { return false }
    if operation.needs.contains(where: { $0.id == other.id }) { return true }
    return operation.queue != nil && operation.queue == other.queue
      && other.group == operation.group && other.sequence < operation.sequence
      && (operation.spec.isBarrier || other.spec.isBarrier)
      && operation.spec.role != .group && other.spec.role != .group
  }

  /// Nothing may be left that the operation waits for.
  mutating func checkAllowed(_ index: Int) {
    let operation = operations[index]
    if operation.ending != nil { problems.append("\(index) goes on after its end") }
    if operation.gateCount > 0 { problems.append("\(index) is held, and goes on") }
    for need in operation.needs {
      guard let ending = ending(of: need.id), need.requirement.isMet(by: ending) else {
        problems.append("\(index) goes on before \(need.id) allowed it")
        continue
      }
    }
    if let other = operations.firstIndex(where: { waits(operation, for: $0) }) {
      problems.append("\(index) goes on before \(other), because of a barrier")
    }
  }

  /// The queue, the worker and the fleet must have room for the operation.
  mutating func checkRoom(_ index: Int, _ worker: SimulatedWorker) {
    let spec = operations[index].spec
    guard let queue = operations[index].queue else {
      return problems.append("\(index) is in no queue")
    }
    if !queues[queue].isOpen { problems.append("\(index) was dispatched from a closed queue") }
    if spec.needsPreparation, !operations[index].isPrepared {
      problems.append("\(index) was dispatched unprepared")
    }
    if worker.configuration.fleet != queues[queue].fleet
      || !worker.configuration.kinds.contains(spec.kind)
    {
      problems.append("\(index) was dispatched to a worker that is not its")
    }
    let assigned = operations.filter { $0.queue == queue && $0.worker != nil }
      .reduce(0) { $0 + $1.spec.slots }
    if assigned > 0, assigned + spec.slots > queues[queue].width {
      problems.append("\(index) makes its queue wider than it may be")
    }
    guard worker.line.isEmpty, !worker.configuration.executesBlocks else { return }
    let places = fleets[worker.configuration.fleet].places
    let busy = placesTaken(in: worker.configuration.fleet)
    if busy > 0, busy + spec.slots > places { problems.append("\(index) has no place") }
  }

  /// Places that a fleet's workers take: one each that has something, and what is wider more.
  private func placesTaken(in fleet: Int) -> Int {
    workers.filter {
      $0.configuration.fleet == fleet && !$0.configuration.executesBlocks && !$0.line.isEmpty
    }
    .reduce(0) { sum, worker in
      worker.line.reduce(sum + 1) { sum, reference in
        sum + (indices[reference.operation].map { operations[$0].spec.slots } ?? 1) - 1
      }
    }
  }

  /// An operation under which workers have died gets a fresh one, and nothing waits behind it.
  mutating func checkIsolation(_ index: Int, _ worker: SimulatedWorker) {
    if let first = worker.line.first, let other = indices[first.operation],
      operations[other].deaths > 0
    {
      problems.append("\(index) waits behind \(other), which has killed workers")
    }
    if worker.answerCount + worker.line.count >= worker.configuration.operationLimit {
      problems.append("\(index) is more than its worker is to finish")
    }
    guard operations[index].deaths > 0 else { return }
    let hasFresh = machine.supervisor.workers.handle(of: worker.id).map { handle in
      machine.supervisor.configurations[machine.supervisor.workers[handle].configuration]
        .isExhausted
    }
    if !worker.line.isEmpty || worker.answerCount > 0 && hasFresh != true {
      problems.append("\(index) has killed workers, and was given one that is not fresh")
    }
  }

  /// Only a worker that said nothing is killed for that, and none for the coordinator's absence.
  mutating func checkSignal(_ id: WorkerID, _ reason: SignalReason) {
    if reason == .silence, let index = worker(id), !workers[index].isPinged,
      !workers[index].isLeased || !workers[index].isFrozen
    {
      problems.append("\(id) had answered, and was killed for its silence")
    }
    if reason == .frame, let index = worker(id), !workers[index].isWithinFrame {
      problems.append("\(id) had stopped within no frame, and was killed for that")
    }
    let isPatience = [.silence, .start, .greeting, .frame, .end].contains(reason)
    if isLate, isPatience { problems.append("\(id) paid with \(reason) for an absence") }
  }

  /// All that the operation claims must be free, or held for what is right before it in its
  /// worker's line, and it may not take what is reserved.
  mutating func checkClaims(_ index: Int, on worker: SimulatedWorker) {
    let claims = claims(of: index)
    let isHeir = worker.line.last.map { self.claims(of: $0) == claims } ?? false
    if !isHeir, !worker.line.isEmpty, !claims.isEmpty {
      problems.append("\(index) waits for \(claims) behind what has them not")
    }
    var taken: [ResourceID] = []
    for (id, capacity) in resources where claims.contains(id) {
      let holders = workers.filter {
        $0.line.first.map { self.claims(of: $0).contains(id) } ?? false
      }
      if !isHeir, holders.count >= capacity {
        problems.append("\(index) took more of \(id) than there is")
      }
      if holders.count + (isHeir ? 0 : 1) >= capacity { taken.append(id) }
    }
    checkPatience(index, taken)
  }

  private func claims(of reference: DispatchReference) -> [ResourceID] {
    indices[reference.operation].map { claims(of: $0) } ?? []
  }

  /// The first of all that wait may lose the last unit that it needs to a later one, but not too
  /// often.
  private mutating func checkPatience(_ index: Int, _ taken: [ResourceID]) {
    let key = machine.graph.operations[operations[index].id.handle].key
    operations[index].losses = 0
    guard let first = machine.dispatcher.contenders.first, first < key,
      waitingBefore.contains(first),
      let other = indices[
        machine.graph.operations.id(of: machine.dispatcher.order.occupant(first.position))
      ], claims(of: other).contains(where: { taken.contains($0) })
    else { return }
    // One that claims a paused limit could not begin, and keeps nothing from others.
    let claimed = claims(of: other)
    guard resources.allSatisfy({ $0.capacity > 0 || !claimed.contains($0.id) }) else { return }
    operations[other].losses += 1
    operations[other].lossKey = first
    if operations[other].losses > machine.dispatcher.overtaking.patience {
      problems.append("\(index) took \(taken) before \(other), which had lost them too often")
    }
  }

  /// One that has left the waiting operations, or moved among them, begins to wait anew.
  mutating func reviewLosses(of index: Int) {
    let life = machine.graph.operations[operations[index].id.handle]
    let isWaiting = life.state.isReady && machine.dispatcher.contenders.contains(life.key)
    if !isWaiting || operations[index].lossKey != life.key { operations[index].losses = 0 }
  }

  /// A cycle must be one: each waits for the next, and the last for the first.
  mutating func checkCycle(_ cycle: [OperationID]) {
    for (id, next) in zip(cycle, cycle.dropFirst() + cycle.prefix(1)) {
      guard let from = indices[id], let to = indices[next],
        waits(operations[from], for: operations[to]) || areTogether(from, to)
      else { return problems.append("\(cycle) is no cycle") }
    }
    if cycle.isEmpty { problems.append("a cycle of nobody") }
  }

  /// Whether one is the group of the other, or the two are about to be that: the group's end waits
  /// for its members, and these for the group's turn.
  private func areTogether(_ index: Int, _ other: Int) -> Bool {
    operations[index].spec.role == .gatedGroup || operations[other].spec.role == .gatedGroup
  }

  /// A group succeeds when all of its members have, and fails only by the failure of one.
  mutating func checkGroup(_ operation: SimulatedOperation, _ settlement: Settlement) {
    let endings = operation.needs.compactMap { ending(of: $0.id) }
    let failures: Set<PoolEnding> = [.failed, .timedOut, .lost]
    switch settlement.ending {
    case .succeeded where endings.contains { $0 != .succeeded } && !operation.hasLostNeeds:
      problems.append("\(operation.id) succeeded, and not all of its members")
    case .failed where !endings.contains(where: failures.contains) && !operation.hasLostNeeds:
      problems.append("\(operation.id) failed, and none of its members")
    case .timedOut, .lost: problems.append("a group \(settlement.ending)")
    default: break
    }
  }

  /// What observers were told of readiness is so.
  mutating func checkReadiness() {
    for index in operations.indices {
      guard let isToldReady = operations[index].isToldReady, operations[index].ending == nil else {
        continue
      }
      let phase = machine.graph.phase(of: operations[index].id)
      if phase == .ready && !isToldReady || phase == .pending && isToldReady {
        problems.append("\(index) is \(phase), and observers do not know it")
      }
    }
  }
}

// MARK: - Nothing is forgotten

extension SimulatedPool {
  /// No worker is idle while something is ready that it could execute.
  ///
  /// Where an operation needs several slots, room may be kept; such fleets are left out.
  mutating func checkConservation() {
    let waiting = operations.filter { operation in
      operation.isUnsettled && operation.worker == nil
        && machine.graph.operations[operation.id.handle].state.isOffered && operation.deaths == 0
    }
    for handle in machine.supervisor.workers.living
    where machine.dispatcher.assignments[handle].isIdle {
      guard let configuration = configurations[machine.supervisor.workers[handle].configuration]
      else {
        continue
      }
      let others = operations.filter { $0.isUnsettled && isIn($0, configuration.fleet) }
      guard others.allSatisfy({ $0.spec.slots == 1 }) else { continue }
      if waiting.contains(where: { isIn($0, configuration.fleet) && fits($0, configuration) }) {
        problems.append("a worker is idle while work is ready")
      }
    }
  }

  private func isIn(_ operation: SimulatedOperation, _ fleet: Int) -> Bool {
    operation.queue.map { queues[$0].fleet == fleet } ?? false
  }

  private func fits(_ operation: SimulatedOperation, _ configuration: SimulatedConfiguration)
    -> Bool
  {
    guard let queue = operation.queue, queues[queue].isOpen else { return false }
    let assigned = operations.count { $0.queue == queue && $0.worker != nil }
    return configuration.kinds.contains(operation.spec.kind) && assigned < queues[queue].width
  }

  /// When nothing is in flight and nothing held up, nothing may be unsettled.
  mutating func checkStall() {
    let isBusy =
      machine.nextDeadline != nil
      || workers.contains { !$0.line.isEmpty || !$0.hasGreeted || $0.isDoomed }
      || operations.contains { $0.preparation != nil }
    guard !isBusy, let index = operations.firstIndex(where: { $0.isUnsettled }) else { return }
    let state = machine.graph.operations[operations[index].id.handle].state
    problems.append("nothing happens any more, and \(index) is \(state)")
  }

  /// What must be left of it all: nothing.
  mutating func checkEnd() {
    guard problems.isEmpty else { return }
    for index in operations.indices where operations[index].ending == nil {
      problems.append("\(index) has not ended")
    }
    if machine.supervisor.fleetCount != 0 {
      problems.append("\(machine.supervisor.fleetCount) fleets are left")
    }
    if !configurations.isEmpty {
      problems.append("\(configurations.count) worker configurations are left")
    }
    if machine.graph.edges.count != 0 { problems.append("edges are left") }
    if !machine.graph.roots.isEmpty { problems.append("tallies are left") }
    if machine.graph.executingCount + machine.dispatcher.readyCount + machine.graph.unsettledCount
      != 0
    {
      problems.append("counts are left")
    }
    for index in machine.dispatcher.resources.indices
    where machine.dispatcher.resources[ResourceID(rawValue: UInt32(index))].inUse != 0 {
      problems.append("units are left in use")
    }
    checkSlots()
  }

  /// Only operations that were not released have slots; gates have none.
  private mutating func checkSlots() {
    let taken = machine.graph.operations.handles.count {
      !machine.graph.operations[$0].state.isFree
    }
    let known = operations.count { !$0.isReleased }
    if taken != known { problems.append("\(taken) slots are taken by \(known) operations") }
  }
}
