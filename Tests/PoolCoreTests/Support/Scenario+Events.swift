import PoolModel
import Testing

@testable import PoolCore

extension WorkerAbilities {
  /// All that a worker can say it can do.
  static let full = Self(holds: true, returns: true, stops: true)
}

// What users do. Each method is one turn; what follows from it is written beside it.

extension Scenario {
  typealias Place = SourceLocation

  /// Submits operations as one batch.
  func submit(_ plans: [Plan], _ expected: String..., at place: Place = #_sourceLocation) {
    for plan in plans { create(plan) }
    expect(expected, place) { machine, now in
      for plan in plans {
        for other in plan.after {
          machine.addDependency(of: id(plan.name), on: id(other), requiring: plan.when, at: now)
        }
      }
      for plan in plans { machine.enqueue(id(plan.name), at: now) }
    }
  }

  func enqueue(_ name: String, _ expected: String..., at place: Place = #_sourceLocation) {
    expect(expected, place) { $0.enqueue(id(name), at: $1) }
  }

  func link(
    _ name: String,
    after other: String,
    _ requirement: PoolRequirement,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) {
    expect(expected, place) {
      $0.addDependency(of: id(name), on: id(other), requiring: requirement, at: $1)
    }
  }

  func cancel(_ name: String, _ expected: String..., at place: Place = #_sourceLocation) {
    expect(expected, place) { $0.cancel(id(name), at: $1) }
  }

  func cancelAll(_ expected: String..., at place: Place = #_sourceLocation) {
    expect(expected, place) { $0.cancelAll(at: $1) }
  }

  func close(_ expected: String..., at place: Place = #_sourceLocation) {
    expect(expected, place) { $0.close(at: $1) }
  }

  func set<Value>(
    _ path: WritableKeyPath<PoolMachine, Value>,
    to value: Value,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) {
    expect(expected, place) { machine, _ in machine[keyPath: path] = value }
  }
}

// What workers and time do.

extension Scenario {
  func greet(
    _ worker: UInt32,
    as abilities: WorkerAbilities = .minimal,
    kinds: [KindID]? = nil,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) {
    let reception = expect(expected, place) {
      $0.workerGreeted(
        WorkerID(rawValue: worker),
        kinds: kinds ?? self.kinds,
        abilities: abilities,
        at: $1
      )
    }
    #expect(reception == .accepted, sourceLocation: place)
  }

  func start(
    _ name: String,
    group: Int32? = nil,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) {
    let reception = expect(expected, place) {
      $0.workerStarted(worker(of: name), reference(name), group: group, at: $1)
    }
    #expect(reception == .accepted, sourceLocation: place)
  }

  func answer(
    _ name: String,
    _ ending: PoolEnding = .succeeded,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) {
    let reception = expect(expected, place) {
      $0.workerAnswered(worker(of: name), reference(name), ending, detail: .none, at: $1)
    }
    #expect(reception == .accepted, sourceLocation: place)
  }

  func giveBack(_ name: String, _ expected: String..., at place: Place = #_sourceLocation) {
    let reception = expect(expected, place) {
      $0.workerReturned(worker(of: name), reference(name), at: $1)
    }
    #expect(reception == .accepted, sourceLocation: place)
  }

  func exit(_ worker: UInt32, _ expected: String..., at place: Place = #_sourceLocation) {
    expect(expected, place) {
      $0.workerExited(WorkerID(rawValue: worker), detail: .none, at: $1)
    }
  }

  func violate(_ worker: UInt32, _ expected: String..., at place: Place = #_sourceLocation) {
    expect(expected, place) { $0.workerViolated(WorkerID(rawValue: worker), at: $1) }
  }

  func hangUp(_ worker: UInt32, _ expected: String..., at place: Place = #_sourceLocation) {
    expect(expected, place) { $0.workerHungUp(WorkerID(rawValue: worker), at: $1) }
  }

  func pause(_ worker: UInt32, _ expected: String..., at place: Place = #_sourceLocation) {
    expect(expected, place) { $0.workerPaused(WorkerID(rawValue: worker), at: $1) }
  }

  /// So many nanoseconds pass.
  func pass(_ nanoseconds: Int64, _ expected: String..., at place: Place = #_sourceLocation) {
    now = now.advanced(by: nanoseconds)
    expect(expected, place) { $0.ring(at: $1) }
  }
}

extension Scenario.Plan {
  init(_ name: String, after: [String] = [], when: PoolRequirement = .succeeded) {
    self.init(name: name, after: after, when: when)
  }

  init(_ name: String, _ priority: PoolQueuePriority) {
    self.init(name: name, priority: priority)
  }

  init(_ name: String, timeout: Int64? = nil, retries: Int = 0, kind: Int = 0) {
    self.init(name: name, after: [], timeout: timeout, retries: retries, kind: kind)
  }
}
