import PoolModel

@testable import PoolCore

/// The states of an operation's life, as the table names them.
enum OperationStateName: String, CaseIterable {
  case free, created, willSkip, waiting, preparing, ready, dispatched, executing, open, settled

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
      case .dispatched: .dispatched
      case .executing: .executing
      case .open: .open
      case .settled: .settled
      }
  }

  /// A pool whose operation `a` is in this state, with one worker, one retry left, and a dependent.
  ///
  /// `z` is what `a` waits for where it waits, `x` has failed before, `d` waits for `a`.
  func scenario() -> Scenario {
    let scenario = Scenario()
    let resource = scenario.machine.dispatcher.addResource(capacity: 1)
    _ = scenario.context { machine, now in
      for name in ["x", "z", "d"] { scenario.create(.init(name), in: &machine) }
      scenario.name(machine.create(.gatedGroup()), "g")
      var plan = Scenario.Plan("a", claims: [resource], retries: 1, timeout: .seconds(1))
      plan.prepares = self == .preparing
      if self == .open { plan.role = .gatedGroup }
      scenario.create(plan, in: &machine)
      // It stays open, because this one never enters a queue.
      scenario.create(.init("m"), in: &machine)
      if self == .open {
        machine.change(.addMember(scenario.id("m"), to: scenario.id("a")), at: now)
      }
      machine.enqueue([scenario.id("x")], in: scenario.queue, at: now)
    }
    _ = scenario.context { machine, now in
      machine.workerGreeted(
        WorkerID(rawValue: 1),
        kinds: scenario.kinds,
        capabilities: .full,
        at: now
      )
    }
    scenario.report(.workerStarted, "x")
    scenario.report(.workerAnsweredFailed, "x")
    scenario.machine.change(.suspended(true, scenario.queue))
    reach(in: scenario)
    return scenario
  }

  private func reach(in scenario: Scenario) {
    let (a, d) = (scenario.id("a"), scenario.id("d"))
    _ = scenario.context { machine, now in
      if self == .waiting || self == .willSkip {
        let other = scenario.id(self == .waiting ? "z" : "x")
        machine.change(.addDependency(of: a, on: other, requiring: .succeeded), at: now)
      }
      machine.change(.addDependency(of: d, on: a, requiring: .succeeded), at: now)
      if self == .free { machine.release(a, at: now) }
      if self != .free { machine.enqueue([d], in: scenario.queue, at: now) }
      switch self {
      case .waiting, .preparing, .ready, .dispatched, .executing, .open, .settled:
        machine.enqueue([a], in: scenario.queue, at: now)
      case .free, .created, .willSkip: break
      }
    }
    guard self == .dispatched || self == .executing || self == .settled else { return }
    scenario.report(.suspended, "a")
    if self != .dispatched { scenario.report(.workerStarted, "a") }
    if self == .settled { scenario.report(.workerAnsweredSucceeded, "a") }
    scenario.machine.change(.suspended(true, scenario.queue))
  }
}

/// What can happen to an operation: each package method of the machine, with what matters to it.
enum OperationEvent: String, CaseIterable {
  case addDependency, addDependencyFailed, removeDependency, addGate, openGate, setPriority, observe
  case enqueue, conclude, release, cancel, cancelAll, prepared, preparedRefused, dispatch
  case suspended, width, capacity, permits, fireTimers, closeFleet, limitWorkers, dropQueue
  case killOperations, killWorkers
  case workerGreeted, workerStarted, workerAnsweredSucceeded, workerAnsweredFailed
  case workerAnsweredCancelled, workerReturned, workerRemarked, workerWasRead
  case workerUnread, workerReadAgain
  case workerViolated, workerHungUp, workerExited, addMember, removeMember, dispatchFailed
  case requestPreparation, bound, leaveGroup, drain, workerMeasured, workerCrashing, workerProved
  case workerTimed, workerCongested, workerRenewed, workerContinued

  /// The method or the value that the event is.
  var method: String {
    switch self {
    case .addDependencyFailed: "addDependency"
    case .drain: "cancelAll"
    case .preparedRefused: "prepared"
    case .workerStarted: "executing"
    case .workerAnsweredSucceeded, .workerAnsweredFailed, .workerAnsweredCancelled: "answered"
    case .workerReturned: "returned"
    case .workerRemarked: "remarked"
    case .dispatchFailed: "unsent"
    case .workerUnread: "pauseReading"
    case .workerReadAgain: "resumeReading"
    case .workerViolated: "violated"
    case .workerHungUp: "hungUp"
    case .workerMeasured: "memoryMeasured"
    case .workerCrashing: "crashing"
    case .workerProved: "proved"
    case .workerTimed: "measured"
    case .workerCongested: "congested"
    case .workerRenewed: "renewed"
    case .workerContinued: "continued"
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
    return context { machine, now in
      let reception = self.apply(event, id(name), worker, reference, to: &machine, at: now)
      return reception.map(self.word) ?? "-"
    }
  }

  private func word(_ reception: Reception) -> String {
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
  ) -> Reception? {
    switch event {
    case .dispatch: machine.dispatch(at: now)
    case .workerMeasured: machine.supervise(.memoryMeasured(worker, bytes: 1 << 40), at: now)
    case .workerProved: machine.supervise(.proved(worker), at: now)
    case .workerTimed: machine.supervise(.measured(worker, roundTrip: 1_000_000), at: now)
    case .workerCongested: machine.supervise(.congested(worker, true), at: now)
    case .workerRenewed: machine.supervise(.renewed(worker), at: now)
    case .workerContinued: machine.supervise(.continued(worker), at: now)
    case .workerCrashing: machine.supervise(.crashing(worker), at: now)
    case .suspended: machine.change(.suspended(false, queue))
    case .width: machine.change(.width(0, of: queue))
    case .capacity: machine.change(.capacity(0, of: ResourceID(rawValue: 0)))
    case .permits: machine.change(.permits(0, of: queue))
    case .fireTimers: machine.fireTimers(at: now.advanced(by: .seconds(1)))
    case .closeFleet: machine.supervise(.closeFleet(fleet), at: now)
    case .limitWorkers: machine.limitWorkers(of: ConfigurationID(rawValue: 0), to: 0, at: now)
    case .dropQueue: machine.change(.dropQueue(queue), at: now)
    case .killOperations: machine.supervise(.killOperations, at: now)
    case .killWorkers: machine.supervise(.killWorkers, at: now)
    case .workerWasRead: machine.workerWasRead(worker, at: now)
    case .workerUnread: machine.supervise(.pauseReading(worker), at: now)
    case .workerReadAgain: machine.supervise(.resumeReading(worker), at: now)
    case .workerViolated: machine.supervise(.violated(worker), at: now)
    case .workerHungUp: machine.supervise(.hungUp(worker), at: now)
    case .workerExited: machine.workerExited(worker, detail: .none, at: now)
    case .dispatchFailed:
      _ = machine.workerReported(.unsent(.input, .none), reference, by: worker, at: now)
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
      machine.change(.addDependency(of: id, on: other, requiring: .succeeded), at: now)
    case .removeDependency: machine.change(.removeDependency(of: id, on: other), at: now)
    case .addGate: _ = machine.change(.addGate(id), at: now)
    case .openGate: machine.change(.openGate(id), at: now)
    case .setPriority: machine.change(.setPriority(.high, of: id), at: now)
    case .observe: machine.graph.observe(id)
    case .addMember: _ = machine.change(.addMember(id, to: self.id("g")), at: now)
    case .leaveGroup: machine.change(.leaveGroup(id), at: now)
    case .bound: machine.bound(id, by: ResourceID(rawValue: 0))
    case .requestPreparation: machine.graph.requestPreparation(of: id)
    case .removeMember: machine.change(.removeMember(id, from: self.id("g")), at: now)
    case .enqueue: machine.enqueue([id], in: queue, at: now)
    case .conclude: machine.change(.conclude(id, as: .succeeded), at: now)
    case .release: machine.release(id, at: now)
    case .cancel: machine.change(.cancel(id), at: now)
    case .cancelAll: machine.cancelAll(in: queue, at: now)
    case .drain: machine.cancelAll(in: queue, isDrain: true, at: now)
    case .prepared: machine.change(.prepared(id, preparation(of: "a"), .ready), at: now)
    case .preparedRefused:
      let result = Preparation<DetailID>.ended(.failed, .condition, .none)
      machine.change(.prepared(id, preparation(of: "a"), result), at: now)
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
  ) -> Reception? {
    switch event {
    case .workerGreeted:
      machine.workerGreeted(worker, kinds: kinds, capabilities: .full, at: now)
    case .workerStarted:
      machine.workerReported(.executing(group: nil), reference, by: worker, at: now)
    case .workerAnsweredSucceeded:
      machine.workerReported(.answered(.succeeded, .error, .none), reference, by: worker, at: now)
    case .workerAnsweredFailed:
      machine.workerReported(.answered(.failed, .error, .none), reference, by: worker, at: now)
    case .workerAnsweredCancelled:
      machine.workerReported(.answered(.cancelled, .error, .none), reference, by: worker, at: now)
    case .workerReturned: machine.workerReported(.returned, reference, by: worker, at: now)
    case .workerRemarked: machine.workerReported(.remarked(.none), reference, by: worker, at: now)
    default: nil
    }
  }
}
