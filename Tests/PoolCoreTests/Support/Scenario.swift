import PoolModel
import Testing

@testable import PoolCore

/// A machine that is told of events one by one, and whose whole answer is compared each time.
///
/// Each method is one turn of the shell: the event, then ``PoolMachine/dispatch(at:)``. It takes
/// what is expected as sentences, one an effect, in order; an effect that is not listed fails,
/// and so does a broken invariant. Operations have names, workers and worker configurations their
/// numbers.
final class Scenario {
  var machine: PoolMachine
  var now = Instant.zero
  /// All settlements so far, by the operation's name.
  private(set) var settlements: [String: Settlement] = [:]
  /// All steps of teardown sequences that were taken so far.
  private(set) var stepsTaken: [String] = []
  private var ids: [String: OperationID] = [:]
  private var names: [OperationID: String] = [:]
  private var dispatches: [String: (worker: WorkerID, reference: DispatchReference)] = [:]
  private var preparations: [String: UInt64] = [:]
  var kinds: [KindID] = []
  /// Where everything happens unless a scenario names another one.
  let fleet: FleetID
  let queue: QueueID

  /// An operation that is to be submitted.
  struct Plan {
    var name: String
    var after: [String] = []
    var when = PoolRequirement.succeeded
    var priority = PoolQueuePriority.normal
    var timeout: Int64?
    var retries = 0
    var kind = 0
    var slots = 1
    var claims: [ResourceID] = []
    var isBarrier = false
    var role = OperationRole.plain
    var members: [String] = []
    var raises = false
    var prepares = false
    var isIdempotent = false
    var earlier: EarlierAttempts?
  }

  /// Makes a pool of that many kinds and these worker configurations; a worker configuration's
  /// kinds are numbers.
  init(
    kinds count: Int = 1,
    configurations: [ConfigurationSpec]? = nil,
    workers: Int = 1,
    policy: PoolPolicy = PoolPolicy()
  ) {
    machine = PoolMachine(policy: policy)
    for _ in 0..<count { kinds.append(machine.dispatcher.addKind()) }
    fleet = machine.addFleet()
    queue = machine.addQueue(to: fleet)
    let configurations = configurations ?? [ConfigurationSpec(count: workers, kinds: kinds)]
    for configuration in configurations { _ = machine.addConfiguration(configuration, to: fleet) }
  }

  /// One more fleet, with a queue of its own.
  func addFleet(_ configurations: ConfigurationSpec...) -> (FleetID, QueueID) {
    let fleet = machine.addFleet()
    for configuration in configurations { _ = machine.addConfiguration(configuration, to: fleet) }
    return (fleet, machine.addQueue(to: fleet))
  }

  /// Makes operations of the first kind so short that workers may hold them.
  func expectShort() { expect(1_000) }

  /// Makes operations of the first kind known to take so long.
  func expect(_ length: Int64) {
    let kindQueue = machine.dispatcher.kindQueue(of: kinds[0], in: queue)
    machine.dispatcher.kindQueues[kindQueue].estimate.add(average: length, count: 100)
  }

  func id(_ name: String) -> OperationID { ids[name] ?? OperationID(rawValue: .max) }

  /// The latest dispatch of an operation, or one that was never made.
  func reference(_ name: String) -> DispatchReference {
    dispatches[name]?.reference
      ?? DispatchReference(operation: id(name), dispatch: DispatchNumber(rawValue: 1 << 40))
  }

  func worker(of name: String) -> WorkerID {
    dispatches[name]?.worker ?? WorkerID(rawValue: 1)
  }

  /// One turn with any event; returns what was done, in sentences.
  func context<Answer>(_ event: (inout PoolMachine, Instant) -> Answer) -> (Answer, [String]) {
    let answer = event(&machine, now)
    machine.dispatch(at: now)
    var effects: [Effect] = []
    machine.takeEffects(into: &effects)
    for effect in effects { note(effect) }
    return (answer, effects.compactMap(sentence))
  }

  /// One turn whose effects must be these.
  @discardableResult
  func expect<Answer>(
    _ expected: [String],
    _ location: SourceLocation,
    _ event: (inout PoolMachine, Instant) -> Answer
  ) -> Answer {
    let (answer, sentences) = context(event)
    #expect(sentences == expected, sourceLocation: location)
    #expect(machine.brokenInvariants() == [], sourceLocation: location)
    return answer
  }

  /// Makes an operation known without adding it to the queue.
  func create(_ plan: Plan) {
    create(plan, in: &machine)
  }

  /// Makes an operation known within a turn.
  func create(_ plan: Plan, in machine: inout PoolMachine) {
    var spec = OperationSpec(
      kind: kinds[plan.kind],
      priority: plan.priority,
      timeout: plan.timeout,
      retries: plan.retries
    )
    spec.slots = plan.slots
    spec.claims = plan.claims
    spec.isBarrier = plan.isBarrier
    spec.role = plan.role
    spec.raisesDependencies = plan.raises
    spec.needsPreparation = plan.prepares
    spec.isIdempotent = plan.isIdempotent
    spec.earlier = plan.earlier
    name(machine.create(spec), plan.name)
  }

  /// The number of an operation's latest preparation.
  func preparation(of name: String) -> UInt64 { preparations[name] ?? 1 << 40 }

  /// Gives an operation its name.
  func name(_ id: OperationID, _ name: String) {
    ids[name] = id
    names[id] = name
  }

  private func note(_ effect: Effect) {
    switch effect {
    case .dispatch(let worker, let reference, _):
      dispatches[name(reference.operation)] = (worker, reference)
    case .settle(let settlement):
      settlements[name(settlement.operation)] = settlement
    case .recordStep(let operation, let step, let instant):
      stepsTaken.append("\(name(operation)): \(step) at \(instant.seconds)")
    case .prepare(let operation, let number):
      preparations[name(operation)] = number
    case .spawn, .welcome, .recall, .requestCancel, .signal, .ping, .retire, .lapse, .notifyChange,
      .start,
      .passOn, .retry, .blame, .announce, .meetShortage, .giveUp, .reopen, .removeConfiguration,
      .forwardSignal,
      .forwardSignalToGroup, .stopFar, .stop, .runDeadline:
      break
    }
  }

  func name(_ id: OperationID) -> String { names[id] ?? "?\(id)" }
}

// MARK: - Sentences

extension Scenario {
  /// What an effect says; steps of teardown sequences are kept apart, beside what they do.
  private func sentence(_ effect: Effect) -> String? {
    switch effect {
    case .spawn(let worker, let configuration): "spawn \(worker) of \(configuration.rawValue)"
    case .dispatch(let worker, let reference, let attempt):
      "dispatch \(name(reference.operation)) to \(worker) as attempt \(attempt)"
    case .recall(let worker, let reference):
      "recall \(name(reference.operation)) from \(worker)"
    case .recordStep, .welcome: nil
    case .requestCancel(let worker, let reference, _):
      "ask \(worker) to stop \(name(reference.operation))"
    case .signal(let worker, let signal, let reason):
      "signal \(worker) with \(signal)" + (reason.isNamed ? " for \(reason)" : "")
    case .ping(let worker, _): "ping \(worker)"
    case .forwardSignal(let worker, let signal): "pass \(signal) to \(worker)"
    case .forwardSignalToGroup(_, let group, let signal): "pass \(signal) to group \(group)"
    case .stopFar(let worker, let isOn): "ask \(worker) to \(isOn ? "stop" : "go on")"
    case .stop: "stop"
    case .runDeadline: "runDeadline"
    case .retire(let worker): "retire \(worker)"
    case .lapse(let worker): "lapse \(worker)"
    case .start(let operation, let worker, let attempt):
      "\(name(operation)) executes on \(worker) as attempt \(attempt)"
    case .prepare(let operation, _): "prepare \(name(operation))"
    // Told of every member, observed or not: each of these settles, or is asked to stop.
    case .notifyChange(_, .cancelledWithGroup): nil
    case .notifyChange(let operation, let change): "note \(name(operation)) \(change)"
    case .passOn(let operation, _): "passOn \(name(operation))"
    case .retry(let settlement): "retry \(sentence(settlement))"
    case .blame(let operation, let worker, _): "blame \(name(operation)) for \(worker)"
    case .settle(let settlement): "settle \(sentence(settlement))"
    case .announce(let configuration): "announce \(configuration.rawValue)"
    case .meetShortage(let configuration): "go on with \(configuration.rawValue)"
    case .giveUp(let configuration, _): "give up \(configuration.rawValue)"
    case .reopen(let configuration): "try \(configuration.rawValue) again"
    case .removeConfiguration(let configuration, _): "forget \(configuration.rawValue)"
    }
  }

  private func sentence(_ settlement: Settlement) -> String {
    var text = "\(name(settlement.operation)) \(settlement.ending) by \(settlement.cause)"
    if settlement.root != settlement.operation { text += " of \(name(settlement.root))" }
    if settlement.attempt > 0 { text += " in attempt \(settlement.attempt)" }
    if let worker = settlement.worker { text += " on \(worker)" }
    return text
  }
}

extension SignalReason {
  /// Whether a scenario's text names it.
  fileprivate var isNamed: Bool {
    switch self {
    case .teardown, .violation, .shutdown: false
    case .greeting, .start, .silence, .frame, .end: true
    }
  }
}

extension PoolMachine {
  /// As ``EventContext/take(_:_:)``, for callers that tear nothing down.
  mutating func takeEffects(into list: inout [Effect]) {
    var teardowns: [PoolTeardownSequence] = []
    context.take(&list, &teardowns)
  }
}
