import PoolModel
import PoolTestSupport

@testable import PoolCore

// What the machine wants done, and whether it may want it.

extension SimulatedPool {
  mutating func perform(_ effect: Effect) {
    switch effect {
    case .spawn(let id, let configuration): spawn(id, configuration)
    case .dispatch(let id, let reference, _): take(reference, by: id)
    case .recall(let id, let reference): recall(reference, from: id)
    case .requestCancel(let id, let reference, _): stop(reference, by: id)
    case .ping(let id, _):
      if let index = worker(id) { workers[index].isPinged = true }
    case .signal(let id, _, let reason):
      checkSignal(id, reason)
      if let index = worker(id) { workers[index].isDoomed = true }
    case .retire(let id):
      if let index = worker(id) { workers[index].isDoomed = true }
    case .lapse(let id): lapse(id)
    case .prepare(let id, let number): prepare(id, number)
    case .notifyChange(let id, let change): note(id, change)
    case .start(let id, _, _): update(id) { $0.isToldReady = $0.isToldReady.map { _ in false } }
    case .blame(let id, let worker, _): blame(id, worker)
    case .settle(let settlement): settle(settlement)
    case .removeConfiguration(let configuration, _): forget(configuration)
    case .announce(let configuration), .meetShortage(let configuration),
      .giveUp(let configuration, _),
      .reopen(let configuration):
      if configurations[configuration] == nil {
        problems.append("\(effect) after its fleet was forgotten")
      }
    case .welcome, .passOn, .retry, .recordStep, .forwardSignal, .forwardSignalToGroup, .stopFar,
      .stop, .runDeadline:
      break
    }
  }

  private mutating func spawn(_ id: WorkerID, _ configuration: ConfigurationID) {
    guard let known = configurations[configuration], !fleets[known.fleet].isClosing else {
      return problems.append("worker \(id) was asked for of a fleet that is closing")
    }
    workers.append(SimulatedWorker(id: id, configuration: known))
  }

  private mutating func forget(_ configuration: ConfigurationID) {
    guard let known = configurations.removeValue(forKey: configuration),
      fleets[known.fleet].isClosing
    else {
      return problems.append(
        "worker configuration \(configuration) was forgotten, and nobody had closed its fleet"
      )
    }
    if workers.contains(where: { $0.configuration.fleet == known.fleet }) {
      problems.append(
        "worker configuration \(configuration) was forgotten before its workers had ended"
      )
    }
  }

  /// A worker's death is held against an operation: against no more than one.
  private mutating func blame(_ id: OperationID, _ worker: WorkerID) {
    if !blamed.insert(worker).inserted { problems.append("worker \(worker) died of two") }
    if workers.contains(where: { $0.id == worker }) { problems.append("\(worker) has not died") }
    update(id) { $0.deaths += 1 }
  }

  private mutating func prepare(_ id: OperationID, _ number: UInt64) {
    guard let index = indices[id] else { return problems.append("\(id) is nobody's") }
    checkAllowed(index)
    if !operations[index].spec.needsPreparation || operations[index].isPrepared {
      problems.append("\(index) was prepared for nothing")
    }
    operations[index].preparation = number
  }

  private mutating func note(_ id: OperationID, _ change: OperationChange) {
    if change == .cancelledWithGroup { return update(id) { $0.isCancelled = true } }
    guard let index = indices[id], let isToldReady = operations[index].isToldReady else {
      return problems.append("\(change) of \(id) was told to nobody")
    }
    if operations[index].ending != nil { problems.append("\(change) of \(index) after its end") }
    switch change {
    case .cancelled:
      if !operations[index].isCancelled { problems.append("\(index) was not cancelled") }
    case .ready, .pending:
      if isToldReady == (change == .ready), !operations[index].isUntold {
        problems.append("\(change) of \(index) was told twice")
      }
      operations[index].isToldReady = change == .ready
      operations[index].isUntold = false
    case .opened: operations[index].isToldReady = false
    case .cancelledWithGroup: break
    }
  }

  private mutating func take(_ reference: DispatchReference, by id: WorkerID) {
    guard let index = indices[reference.operation], let worker = worker(id) else {
      return problems.append("\(reference) is nobody's")
    }
    checkAllowed(index)
    checkGroupsOpen(of: index)
    checkRoom(index, workers[worker])
    checkClaims(index, on: workers[worker])
    checkIsolation(index, workers[worker])
    operations[index].worker = id
    workers[worker].line.append(reference)
  }

  private mutating func settle(_ settlement: Settlement) {
    guard let index = indices[settlement.operation] else {
      return problems.append("\(settlement.operation) is nobody's")
    }
    let operation = operations[index]
    if operation.ending != nil { problems.append("\(index) settled twice") }
    if operation.queue == nil { problems.append("\(index) settled outside") }
    let isExecuted = !operation.spec.role.hasMembers
    if settlement.ending == .succeeded, operation.starts == 0, isExecuted {
      problems.append("\(index) succeeded without having started")
    }
    if settlement.attempt != operation.starts, isExecuted {
      problems.append("\(index) started \(operation.starts) times, not \(settlement.attempt)")
    }
    if settlement.ending == .cancelled, !operation.isCancelled, operation.spec.role != .group {
      problems.append("\(index) was cancelled by nobody")
    }
    if (settlement.cause == .quarantined)
      != (operation.deaths >= machine.supervisor.policy.quarantineLimit)
    {
      problems.append("\(index) ended by \(settlement.cause) after \(operation.deaths) deaths")
    }
    if operation.spec.role == .group { checkGroup(operation, settlement) }
    if operation.spec.role == .gatedGroup { checkGatedGroup(index, settlement) }
    operations[index].ending = settlement.ending
    // What a worker has that is out of reach is given up when it is cancelled.
    for worker in workers.indices where workers[worker].isOutOfReach {
      if workers[worker].line.first?.operation == settlement.operation {
        workers[worker].isExecuting = false
      }
      workers[worker].line.removeAll { $0.operation == settlement.operation }
    }
    operations[index].worker = nil
    operations[index].preparation = nil
    operations[index].gateCount = 0
  }
}
