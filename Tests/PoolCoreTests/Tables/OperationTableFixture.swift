import PoolModel

@testable import PoolCore

/// The states of an operation's life, as the table names them.
enum OperationStateName: String, CaseIterable {
  case free, created, doomed, waiting, ready, held, executing, forgotten, settled

  /// Does not compile until a new state has its name here.
  init(_ state: OperationLife.State) {
    self =
      switch state {
      case .free: .free
      case .created: .created
      case .doomed: .doomed
      case .waiting: .waiting
      case .ready: .ready
      case .held: .held
      case .executing: .executing
      case .forgotten: .forgotten
      case .settled: .settled
      }
  }

  /// A pool whose operation `a` is in this state, with one worker, one retry left, and a dependent.
  ///
  /// `z` is what `a` waits for where it waits, `x` has failed before, `d` waits for `a`.
  func scenario() -> Scenario {
    let scenario = Scenario()
    _ = scenario.turn { machine, now in
      for name in ["x", "z", "d"] { scenario.create(.init(name), in: &machine) }
      scenario.create(.init("a", timeout: .seconds(1), retries: 1), in: &machine)
      machine.enqueue(scenario.id("x"), at: now)
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
    scenario.machine.isSuspended = true
    reach(in: scenario)
    return scenario
  }

  private func reach(in scenario: Scenario) {
    let (a, x, z, d) = (scenario.id("a"), scenario.id("x"), scenario.id("z"), scenario.id("d"))
    _ = scenario.turn { machine, now in
      if self == .waiting || self == .forgotten {
        machine.addDependency(of: a, on: z, requiring: .succeeded, at: now)
      }
      if self == .doomed {
        machine.addDependency(of: a, on: x, requiring: .succeeded, at: now)
      }
      machine.addDependency(of: d, on: a, requiring: .succeeded, at: now)
      if self != .forgotten, self != .free { machine.enqueue(d, at: now) }
      if self == .free || self == .forgotten { machine.release(a, at: now) }
      switch self {
      case .waiting, .ready, .held, .executing, .settled: machine.enqueue(a, at: now)
      case .free, .created, .doomed, .forgotten: break
      }
    }
    guard self == .held || self == .executing || self == .settled else { return }
    _ = scenario.turn { machine, _ in machine.isSuspended = false }
    if self != .held { scenario.report(.workerStarted, "a") }
    if self == .settled { scenario.report(.workerAnsweredSucceeded, "a") }
    _ = scenario.turn { machine, _ in machine.isSuspended = true }
  }
}

/// What can happen to an operation: each package method of the machine, with what matters to it.
enum OperationEvent: String, CaseIterable {
  case addDependency, addDependencyFailed, enqueue, release, cancel, cancelAll, dispatch
  case ring, close, killWorkers
  case workerGreeted, workerStarted, workerAnsweredSucceeded, workerAnsweredFailed
  case workerAnsweredCancelled, workerReturned, workerRemarked, workerPaused
  case workerViolated, workerHungUp, workerExited

  /// The method that the event is.
  var method: String {
    switch self {
    case .addDependencyFailed: "addDependency"
    case .workerAnsweredSucceeded, .workerAnsweredFailed, .workerAnsweredCancelled:
      "workerAnswered"
    default: rawValue
    }
  }
}

extension Scenario {
  /// Makes an operation known within a turn.
  func create(_ plan: Plan, in machine: inout PoolMachine) {
    let spec = OperationSpec(kind: kinds[0], timeout: plan.timeout, retries: plan.retries)
    name(machine.create(spec), plan.name)
  }

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
    case .addDependency:
      machine.addDependency(of: id, on: self.id("z"), requiring: .succeeded, at: now)
    case .addDependencyFailed:
      machine.addDependency(of: id, on: self.id("x"), requiring: .succeeded, at: now)
    case .enqueue: machine.enqueue(id, at: now)
    case .release: machine.release(id, at: now)
    case .cancel: machine.cancel(id, at: now)
    case .cancelAll: machine.cancelAll(at: now)
    case .dispatch: machine.isSuspended = false
    case .ring: machine.ring(at: now.advanced(by: .seconds(1)))
    case .close: machine.close(at: now)
    case .killWorkers: machine.killWorkers()
    case .workerPaused: machine.workerPaused(worker, at: now)
    case .workerViolated: machine.workerViolated(worker, at: now)
    case .workerHungUp: machine.workerHungUp(worker, at: now)
    case .workerExited: machine.workerExited(worker, detail: .none, at: now)
    case .workerGreeted, .workerStarted, .workerAnsweredSucceeded, .workerAnsweredFailed,
      .workerAnsweredCancelled, .workerReturned, .workerRemarked:
      return say(event, worker, reference, to: &machine, at: now)
    }
    return nil
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
