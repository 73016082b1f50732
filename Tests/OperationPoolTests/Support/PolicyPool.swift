import PoolCore
import PoolModel
import PoolSystem
import PoolTestSupport
import PoolWire

@testable import OperationPool
@testable import PoolContents

/// A pool of the tests' own worker with a policy of the test's choice, without the library's face.
final class PolicyPool: EngineClient {
  private struct State {
    var executions: [OperationID: OperationExecution] = [:]
    var outcomes: [OperationID: PoolOutcome] = [:]
    var failures: [PoolFailure] = []
    var deaths: [PoolWorkerDeath] = []
    var started: Set<OperationID> = []
    var isStopped = false
  }

  let engine: PoolEngine
  private let fleet: FleetID
  private let queue: QueueID
  private let state = Monitor(State())

  init(_ policy: PoolPolicy = PoolPolicy(), workers: PoolWorkerConfiguration? = nil) throws {
    engine = PoolEngine(policy: policy)
    fleet = engine.addFleet([
      workers ?? .executable(Repository.program("test-worker"), count: 1)
    ])
    let fleet = fleet
    queue = engine.tell { machine, _ in machine.addQueue(to: fleet) }
    try engine.run(for: self)
  }

  /// Adds an operation of the worker's.
  func submit(_ kind: String, _ payload: String = "null", retries: Int = 0) -> OperationID {
    let execution = OperationExecution(
      kind: kind,
      qualityOfService: .default,
      payload: Array(payload.utf8)
    )
    let number = engine.kind(ConstrainedKind(kind))
    return engine.tell { machine, now in
      let id = machine.create(OperationSpec(kind: number, retries: retries))
      state.withLock { $0.executions[id] = execution }
      machine.enqueue([id], in: queue, at: now)
      return id
    }
  }

  /// Waits for an operation's end.
  func outcome(of id: OperationID) async throws -> PoolOutcome {
    try await wait { $0.outcomes[id] }
  }

  /// Waits until an operation executes.
  func starts(_ id: OperationID) async throws {
    try await wait { $0.started.contains(id) ? true : nil }
  }

  /// Waits until so many workers have died.
  func losesWorkers(_ count: Int) async throws {
    try await wait { $0.deaths.count >= count ? true : nil }
  }

  /// Ends the pool, and returns the deaths of all its workers.
  func close() async throws -> [PoolWorkerDeath] {
    engine.tell { machine, now in machine.supervise(.closeFleet(fleet), at: now) }
    return try await wait { $0.isStopped ? $0.deaths : nil }
  }

  /// Why attempts were repeated.
  var failures: [PoolFailure] { state.withLock { $0.failures } }

  /// Waits, for five minutes at most, until there is something.
  @discardableResult
  private func wait<Value: Sendable>(
    _ look: @escaping @Sendable (State) -> Value?
  ) async throws -> Value {
    try await Blocking.run { [state] in
      let isThere = state.wait(until: MonotonicClock.now + .seconds(1_200)) { look($0) == nil }
      guard isThere, let value = state.withLock({ look($0) }) else {
        throw Refusal(description: "it did not come")
      }
      return value
    }
  }

  private func update(_ change: (inout State) -> Void) {
    state.withLock { change(&$0) }
    state.broadcast()
  }
}

extension PolicyPool {
  func execution(of operation: OperationID) -> OperationExecution {
    state.withLock { $0.executions[operation] }
      ?? OperationExecution(kind: "noop", qualityOfService: .default, payload: [])
  }

  func handle(_ event: RunEvent, number: Int) {
    switch event {
    case .started(let operation, _, _, _): update { $0.started.insert(operation) }
    case .retrying(let settlement, let report):
      guard let failure = PoolOutcome(settlement, report).failure else { return }
      update { $0.failures.append(failure) }
    case .settled(let settlement, let report):
      update { $0.outcomes[settlement.operation] = PoolOutcome(settlement, report) }
    case .fleet(.died(let death)): update { $0.deaths.append(death) }
    case .stopped: update { $0.isStopped = true }
    default: break
    }
  }
}

extension PoolEngine {
  /// Tells the machine of an event that no door of the engine's has.
  func tell<Value>(_ body: (inout PoolMachine, Instant) -> sending Value) -> sending Value {
    update { body(&$0.machine, $0.now) }
  }

  /// Asks the machine what no door of the engine's tells.
  func ask<Value>(_ body: (borrowing PoolMachine) -> sending Value) -> sending Value {
    read { body($0.machine) }
  }
}
