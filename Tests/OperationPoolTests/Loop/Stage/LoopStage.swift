import PoolCore
import PoolModel
import PoolSystem
import PoolWire
import Synchronization

@testable import OperationPool
@testable import PoolContents

/// An event loop whose turns a test makes, on a system without processes.
struct LoopStage: ~Copyable {
  let system: FakeSystem
  let engine: PoolEngine
  let client = StageClient()
  let fleet: FleetID
  let queue: QueueID
  private var loop: EventLoop
  private(set) var outlook = EventLoop.TurnDecision(timeout: 0)

  init(
    workers: Int = 1,
    _ policy: PoolPolicy = PoolPolicy(),
    stopLength: Int64 = 0,
    from configuration: (Int) -> PoolWorkerConfiguration = { .command("a worker", count: $0) }
  ) throws {
    system = FakeSystem(stopLength: stopLength)
    engine = PoolEngine(policy: policy, system: system.interface)
    fleet = engine.addFleet([configuration(workers)])
    queue = engine.addQueue(to: fleet)
    guard let (wakePipe, spawner) = try engine.beginLoop(for: client) else {
      preconditionFailure("a new engine has no loop")
    }
    loop = EventLoop(engine, client, spawner, wakePipe)
  }

  /// Adds an operation.
  func submit(
    _ payload: String = "null",
    kind: String = "k",
    timeout: Int64? = nil,
    retries: Int = 0
  ) -> OperationID {
    let spec = OperationSpec(
      kind: engine.kind(ConstrainedKind(kind)),
      timeout: timeout,
      retries: retries
    )
    return Self.submit(payload, spec, to: queue, of: engine, client)
  }

  /// Adds an operation, from any thread.
  static func submit(
    _ payload: String,
    _ spec: OperationSpec? = nil,
    to queue: QueueID,
    of engine: PoolEngine,
    _ client: StageClient
  ) -> OperationID {
    let spec = spec ?? OperationSpec(kind: engine.kind(ConstrainedKind("k")))
    return engine.tell { machine, now in
      let id = machine.create(spec)
      client.keep(payload, of: id)
      machine.enqueue([id], in: queue, at: now)
      return id
    }
  }

  /// Makes turns until nothing is left to do before something comes; returns how many.
  @discardableResult
  mutating func settle() -> Int {
    var turns = 0
    repeat {
      precondition(turns < 100_000, "the loop turns for ever")
      loop.wait(EventLoop.TurnDecision(timeout: 0))
      guard turns == 0 || !isIdle else { return turns }
      outlook = loop.takeTurn()
      turns += 1
    } while true
  }

  /// The last worker is gone.
  mutating func end() {
    precondition(outlook.mayEnd && engine.endLoopIfIdle(), "the loop has something to do")
    loop.end()
  }

  /// Whether nothing has come, and nothing is due.
  private var isIdle: Bool {
    loop.ready.isEmpty && engine.loopMessages.isEmpty && loop.turnEvents.all.isEmpty
      && (loop.limited(outlook.timeout) ?? 1) > 0
  }

  /// Whether the loop would wake up by itself.
  var hasDeadline: Bool { loop.limited(outlook.timeout) != nil }

  /// Lets the time pass until the loop would wake up by itself; returns how much it was.
  @discardableResult
  mutating func advanceToDeadline() throws -> Int64 {
    guard let length = loop.limited(outlook.timeout) else {
      throw Refusal(description: "the loop would wait for ever")
    }
    system.advance(by: max(length, 0))
    settle()
    return length
  }

  /// Starts the worker that was asked for first.
  mutating func startWorker() throws -> FakeWorker {
    guard let request = system.takeRequest() else {
      throw Refusal(description: "no worker is wanted")
    }
    let worker = try FakeWorker(request.ended)
    request.started(worker.makeProcess())
    settle()
    return worker
  }

  /// The same, and has it greet.
  mutating func startGreetedWorker(_ capabilities: Set<Capability> = []) throws -> FakeWorker {
    let worker = try startWorker()
    try worker.greet(capabilities)
    settle()
    return worker
  }
}

/// Keeps what it is told.
final class StageClient: EngineClient {
  private struct State {
    var payloads: [OperationID: String] = [:]
    var outcomes: [OperationID: PoolOutcome] = [:]
    var deaths: [PoolWorkerDeath] = []
    var started: [OperationID] = []
    var logs: [String] = []
    var words: [String] = []
    var deadlines = 0
    var takesRemarks = true
    var outputUse = OutputUse.atEnd
    var permission = DispatchPermission.granted
    var pieces: [String] = []
    var numbers: [Int] = []
    var isStopped = false
    var onRest: (@Sendable () -> Void)?

    mutating func note(_ event: FleetEvent) {
      switch event {
      case .died(let death):
        deaths.append(death)
        words.append("died")
      case .gaveUp: words.append("gave up")
      case .metShortage: words.append("went on")
      case .greeted: words.append("greeted")
      case .announced, .ended, .reopened, .unknownMessage, .wrote, .measured: break
      }
    }
  }

  private let state = Mutex(State())

  func keep(_ payload: String, of operation: OperationID) {
    state.withLock { $0.payloads[operation] = payload }
  }

  func outcome(of operation: OperationID) -> PoolOutcome? {
    state.withLock { $0.outcomes[operation] }
  }

  var deaths: [PoolWorkerDeath] { state.withLock { $0.deaths } }
  var started: [OperationID] { state.withLock { $0.started } }
  var logs: [String] { state.withLock { $0.logs } }
  /// What happened to the fleet, in a word each.
  var words: [String] { state.withLock { $0.words } }
  /// The numbers of all events.
  var numbers: [Int] { state.withLock { $0.numbers } }
  var isStopped: Bool { state.withLock { $0.isStopped } }
  var deadlines: Int { state.withLock { $0.deadlines } }

  /// Has a closure called when nothing is left, once.
  func whenAtRest(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.onRest = body }
  }

  func setTakesRemarks(_ takesRemarks: Bool) {
    state.withLock { $0.takesRemarks = takesRemarks }
  }

  var takesRemarks: Bool { state.withLock { $0.takesRemarks } }

  /// Sets what becomes of outputs that come while operations execute.
  func setOutputUse(_ use: OutputUse) {
    state.withLock { $0.outputUse = use }
  }

  /// Sets whether operations may be sent to workers.
  func setPermission(_ permission: DispatchPermission) {
    state.withLock { $0.permission = permission }
  }

  func dispatchPermission() -> DispatchPermission { state.withLock { $0.permission } }

  func useOfOutput(of operation: OperationID) -> OutputUse { state.withLock { $0.outputUse } }

  /// The pieces of outputs that were taken.
  var pieces: [String] { state.withLock { $0.pieces } }

  func execution(of operation: OperationID) -> OperationExecution {
    let payload = state.withLock { $0.payloads[operation] } ?? "null"
    return OperationExecution(
      kind: "k",
      qualityOfService: .default,
      payload: Array(payload.utf8)
    )
  }

  func handle(_ event: RunEvent, number: Int) {
    if case .becameIdle = event { state.withLock { $0.onRest.take() }?() }
    state.withLock { state in
      state.numbers.append(number)
      switch event {
      case .started(let operation, _, _, _): state.started.append(operation)
      case .settled(let settlement, let report):
        state.outcomes[settlement.operation] = PoolOutcome(settlement, report)
      case .fleet(let event): state.note(event)
      case .wrote(_, let chunk): state.pieces.append(String(decoding: chunk.bytes, as: UTF8.self))
      case .logged(_, let log), .loggedLate(_, let log): state.logs.append(log.message)
      case .deadlinePassed: state.deadlines += 1
      case .stopped: state.isStopped = true
      case .changed, .progressed, .printed, .retrying, .becameIdle: break
      }
    }
  }
}
