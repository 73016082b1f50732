import PoolModel

@testable import PoolCore

/// The states of an operation's life, as the table names them.
enum OperationStateName: String, CaseIterable {
  case free, created, willSkip, waiting, preparing, ready, held, executing, settled

  /// Does not compile until a new state has its name here.
  init(_ state: OperationState) {
    self =
      switch state {
      case .free: .free
      case .created: .created
      case .willSkip: .willSkip
      case .waiting: .waiting
      case .preparing: .preparing
      case .ready: .ready
      case .held: .held
      case .executing: .executing
      case .settled: .settled
      }
  }

  /// A pool whose operation `a` is in this state, with one worker, one retry left, and a dependent.
  ///
  /// `z` is what `a` waits for where it waits, `x` has failed before, `d` waits for `a`.
  func scenario() -> Scenario {
    let scenario = Scenario()
    let resource = scenario.machine.addResource(capacity: 1)
    _ = scenario.turn { machine, now in
      for name in ["x", "z", "d"] { scenario.create(.init(name), in: &machine) }
      scenario.name(machine.create(.group(scenario.kinds[0])), "g")
      var plan = Scenario.Plan("a", claims: [resource], retries: 1, timeout: .seconds(1))
      plan.prepares = self == .preparing
      scenario.create(plan, in: &machine)
      machine.enqueue([scenario.id("x")], in: scenario.queue, at: now)
    }
    _ = scenario.turn { machine, now in
      machine.workerGreeted(
        WorkerID(rawValue: 1),
        kinds: scenario.kinds,
        abilities: .full,
        at: now
      )
    }
    scenario.report(.workerStarted, "x")
    scenario.report(.workerAnsweredFailed, "x")
    scenario.machine.setSuspended(true, scenario.queue)
    reach(in: scenario)
    return scenario
  }

  private func reach(in scenario: Scenario) {
    let (a, d) = (scenario.id("a"), scenario.id("d"))
    _ = scenario.turn { machine, now in
      if self == .waiting || self == .willSkip {
        let other = scenario.id(self == .waiting ? "z" : "x")
        machine.addDependency(of: a, on: other, requiring: .succeeded, at: now)
      }
      machine.addDependency(of: d, on: a, requiring: .succeeded, at: now)
      if self == .free { machine.release(a, at: now) }
      if self != .free { machine.enqueue([d], in: scenario.queue, at: now) }
      switch self {
      case .waiting, .preparing, .ready, .held, .executing, .settled:
        machine.enqueue([a], in: scenario.queue, at: now)
      case .free, .created, .willSkip: break
      }
    }
    guard self == .held || self == .executing || self == .settled else { return }
    scenario.report(.setSuspended, "a")
    if self != .held { scenario.report(.workerStarted, "a") }
    if self == .settled { scenario.report(.workerAnsweredSucceeded, "a") }
    scenario.machine.setSuspended(true, scenario.queue)
  }
}

/// What can happen to an operation: each package method of the machine, with what matters to it.
enum OperationEvent: String, CaseIterable {
  case addDependency, addDependencyFailed, removeDependency, addGate, openGate, setPriority, observe
  case enqueue, conclude, release, cancel, cancelAll, prepared, preparedRefused, dispatch
  case setSuspended, setWidth, setCapacity, ring, closeFleet, dropQueue
  case killOperations, killWorkers
  case workerGreeted, workerStarted, workerAnsweredSucceeded, workerAnsweredFailed
  case workerAnsweredCancelled, workerReturned, workerRemarked, workerPaused
  case workerUnread, workerReadAgain
  case workerViolated, workerHungUp, workerExited, addMember, removeMember, dispatchFailed
  case demandPreparation, drain, workerWeighed

  /// The method that the event is.
  var method: String {
    switch self {
    case .addDependencyFailed: "addDependency"
    case .preparedRefused: "prepared"
    case .workerAnsweredSucceeded, .workerAnsweredFailed, .workerAnsweredCancelled:
      "workerAnswered"
    default: rawValue
    }
  }
}

extension Scenario {
  /// One turn with an event that is about an operation; what was said of it, and done.
  @discardableResult
  func report(
    _ event: OperationEvent,
    _ name: String,
    from other: WorkerID? = nil
  ) -> (String, [String]) {
    let worker = other ?? worker(of: name)
    let reference = reference(name)
    return turn { machine, now in
      let reception = self.apply(event, id(name), worker, reference, to: &machine, at: now)
      return reception.map(self.word) ?? "-"
    }
  }

  private func word(_ reception: PoolMachine.Reception) -> String {
    switch reception {
    case .accepted: "accepted"
    case .stale: "stale"
    case .violation: "violation"
    }
  }

  private func apply(
    _ event: OperationEvent,
    _ id: OperationID,
    _ worker: WorkerID,
    _ reference: DispatchReference,
    to machine: inout PoolMachine,
    at now: Instant
  ) -> PoolMachine.Reception? {
    switch event {
    case .dispatch: machine.dispatch(at: now)
    case .workerWeighed: machine.workerWeighed(worker, bytes: 1 << 40, at: now)
    case .setSuspended: machine.setSuspended(false, queue)
    case .setWidth: machine.setWidth(0, of: queue)
    case .setCapacity: machine.setCapacity(0, of: ResourceID(rawValue: 0))
    case .ring: machine.ring(at: now.advanced(by: .seconds(1)))
    case .closeFleet: machine.closeFleet(fleet, at: now)
    case .dropQueue: machine.dropQueue(queue)
    case .killOperations: machine.killOperations(at: now)
    case .killWorkers: machine.killWorkers()
    case .workerPaused: machine.workerPaused(worker, at: now)
    case .workerUnread: machine.workerUnread(worker, at: now)
    case .workerReadAgain: machine.workerReadAgain(worker, at: now)
    case .workerViolated: machine.workerViolated(worker, at: now)
    case .workerHungUp: machine.workerHungUp(worker, at: now)
    case .workerExited: machine.workerExited(worker, detail: .none, at: now)
    case .dispatchFailed:
      machine.dispatchFailed(worker, reference, because: .input, detail: .none, at: now)
    case .workerGreeted, .workerStarted, .workerAnsweredSucceeded, .workerAnsweredFailed,
      .workerAnsweredCancelled, .workerReturned, .workerRemarked:
      return say(event, worker, reference, to: &machine, at: now)
    default: ask(event, id, of: &machine, at: now)
    }
    return nil
  }

  /// What users do to an operation.
  private func ask(
    _ event: OperationEvent,
    _ id: OperationID,
    of machine: inout PoolMachine,
    at now: Instant
  ) {
    let other = self.id(event == .addDependencyFailed ? "x" : "z")
    switch event {
    case .addDependency, .addDependencyFailed:
      machine.addDependency(of: id, on: other, requiring: .succeeded, at: now)
    case .removeDependency: machine.removeDependency(of: id, on: other, at: now)
    case .addGate: _ = machine.addGate(id)
    case .openGate: machine.openGate(id, at: now)
    case .setPriority: machine.setPriority(.high, of: id)
    case .observe: machine.observe(id)
    case .addMember: _ = machine.addMember(id, to: self.id("g"))
    case .demandPreparation: machine.demandPreparation(of: id)
    case .removeMember: machine.removeMember(id, from: self.id("g"), at: now)
    case .enqueue: machine.enqueue([id], in: queue, at: now)
    case .conclude: machine.conclude(id, as: .succeeded, at: now)
    case .release: machine.release(id, at: now)
    case .cancel: machine.cancel(id, at: now)
    case .cancelAll: machine.cancelAll(in: queue, at: now)
    case .drain: machine.drain(queue, at: now)
    case .prepared: machine.prepared(id, preparation(of: "a"), .go, at: now)
    case .preparedRefused:
      let verdict = PoolMachine.Verdict.end(.failed, .condition, .none)
      machine.prepared(id, preparation(of: "a"), verdict, at: now)
    default: break
    }
  }

  /// What a worker says, and what it is taken for.
  private func say(
    _ event: OperationEvent,
    _ worker: WorkerID,
    _ reference: DispatchReference,
    to machine: inout PoolMachine,
    at now: Instant
  ) -> PoolMachine.Reception? {
    switch event {
    case .workerGreeted:
      machine.workerGreeted(worker, kinds: kinds, abilities: .full, at: now)
    case .workerStarted: machine.workerStarted(worker, reference, group: nil, at: now)
    case .workerAnsweredSucceeded:
      machine.workerAnswered(worker, reference, .succeeded, detail: .none, at: now)
    case .workerAnsweredFailed:
      machine.workerAnswered(worker, reference, .failed, detail: .none, at: now)
    case .workerAnsweredCancelled:
      machine.workerAnswered(worker, reference, .cancelled, detail: .none, at: now)
    case .workerReturned: machine.workerReturned(worker, reference, at: now)
    case .workerRemarked: machine.workerRemarked(worker, reference, detail: .none)
    default: nil
    }
  }
}
