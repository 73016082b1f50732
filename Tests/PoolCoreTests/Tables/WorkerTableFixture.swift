import PoolModel

@testable import PoolCore

/// The states of a worker's life that differ in what can happen to it, as the table names them.
enum WorkerStateName: String, CaseIterable {
  case starting, idle, given, executing, holding, inTeardown, ending, gone

  /// What a worker's life is called; does not compile until a new state has its name here.
  init(_ machine: borrowing PoolMachine) {
    guard let worker = machine.supervisor.worker(WorkerID(rawValue: 1)) else {
      self = .gone
      return
    }
    let life = machine.supervisor.workers[worker]
    let line = machine.dispatcher.assignments[worker].queue
    let isExecuting = life.head?.isExecuting == true
    self =
      switch life.state {
      case .starting: .starting
      case .ending: .ending
      case .serving where life.teardown != nil: .inTeardown
      case .serving where line.isEmpty: .idle
      case .serving where !isExecuting: .given
      case .serving: line.count > 1 ? .holding : .executing
      }
  }

  /// A pool whose worker 1 is in this state; `a` is what it has first, `b` what it holds.
  func scenario() -> Scenario {
    let scenario = Scenario()
    _ = scenario.machine.dispatcher.addResource(capacity: 1)
    scenario.expectShort()
    _ = scenario.context { machine, now in
      scenario.create(.init("a", timeout: .seconds(1)), in: &machine)
      scenario.create(.init("b"), in: &machine)
      scenario.name(machine.create(.gatedGroup()), "g")
      machine.enqueue([scenario.id("a")], in: scenario.queue, at: now)
    }
    if self != .starting { scenario.report(.workerGreeted, "a") }
    switch self {
    case .starting, .given: break
    case .idle: finish(in: scenario)
    case .executing: scenario.report(.workerStarted, "a")
    case .holding, .inTeardown, .ending, .gone: hold(in: scenario)
    }
    return scenario
  }

  private func finish(in scenario: Scenario) {
    scenario.report(.workerStarted, "a")
    scenario.report(.workerAnsweredSucceeded, "a")
  }

  private func hold(in scenario: Scenario) {
    scenario.report(.enqueue, "b")
    scenario.report(.workerStarted, "a")
    if self == .inTeardown { scenario.report(.cancel, "a") }
    if self == .ending { scenario.report(.workerHungUp, "a") }
    if self == .gone { scenario.report(.workerExited, "a") }
  }
}
