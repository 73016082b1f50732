import PoolCore
import PoolModel
import PoolSystem
import PoolWire
import Synchronization

// Under the lock, the machine gets the events and decides.

extension EventLoop {
  /// Passes all heard events to the machine, lets it dispatch, and takes its effects.
  mutating func decide() -> TurnDecision {
    let now = engine.now
    let engine = engine
    return engine.shared.withLock { shared in
      shared.transaction.advance(to: now)
      turn.begin(at: shared.transaction.now)
      let isBusy = decide(&shared.transaction)
      var decision = decision(&shared)
      decision.settledLast = isBusy && shared.transaction.machine.graph.unsettledCount == 0
      return decision
    }
  }

  /// Returns whether there was anything to do.
  private mutating func decide(_ transaction: inout PoolEngine.Transaction) -> Bool {
    let isBusy =
      transaction.machine.graph.unsettledCount > 0 || !transaction.machine.context.effects.isEmpty
    if !transaction.newPrograms.isEmpty { takePrograms(of: &transaction) }
    for event in turnEvents.all { apply(event, &transaction) }
    turnEvents.removeAll()
    transaction.machine.fireTimers(at: turn.time)
    transaction.machine.dispatch(at: turn.time)
    transaction.takeEffects(for: turn)
    return isBusy
  }

  /// Takes the worker configurations that are new.
  private mutating func takePrograms(of transaction: inout PoolEngine.Transaction) {
    programs.merge(transaction.newPrograms) { $1 }
    transaction.newPrograms = [:]
  }

  /// How, and for how long, the loop waits after it has performed the effects.
  ///
  /// From here on, any message wakes the loop. Messages that came after it last took them have
  /// found it awake: if there are any, it does not wait.
  private func decision(_ shared: inout PoolEngine.Shared) -> TurnDecision {
    let mayEnd = shared.transaction.machine.supervisor.fleetCount == 0
    guard engine.loopMessages.isEmpty else {
      shared.wakeUps.stayAwake()
      return TurnDecision(timeout: 0, mayEnd: mayEnd)
    }
    let spins = spinPolicy.pays(
      busy: shared.transaction.machine.dispatcher.busyWorkerCount,
      of: processors
    )
    shared.wakeUps.beginWaiting(spinning: spins)
    var deadline = shared.transaction.machine.nextDeadline
    if shared.transaction.machine.dispatcher.busyWorkerCount > 0, connections.count > 0,
      let due = memoryKills.due
    {
      deadline = min(deadline ?? due, due)
    }
    let timeout = deadline.map { $0.nanoseconds - turn.time.nanoseconds }
    let gathers = !spins && shared.transaction.machine.dispatcher.gathersAnswers
    return TurnDecision(timeout: timeout, spins: spins, gathers: gathers, mayEnd: mayEnd)
  }

  @inline(__always)
  private mutating func apply(
    _ event: TurnEvents.Event,
    _ transaction: inout PoolEngine.Transaction
  ) {
    switch event {
    case .reported(let worker, let reference, let report):
      let isStale = judge(worker, &transaction) {
        $0.workerReported(report, reference, by: worker, at: $1)
      }
      if isStale { keepLateLog(report, of: reference.operation, by: worker) }
    case .worker(let event):
      transaction.machine.supervise(event, at: turn.time)
    case .operation(let change):
      transaction.machine.change(change, at: turn.time)
    case .read(let worker, let frame):
      transaction.machine.workerWasRead(worker, within: frame, at: turn.time)
      if peer(worker)?.violation != nil {
        transaction.machine.supervise(.violated(worker), at: turn.time)
      }
    case .rare(let place):
      apply(turnEvents.rare[place], &transaction)
    }
  }

  private mutating func apply(
    _ event: TurnEvents.RareEvent,
    _ transaction: inout PoolEngine.Transaction
  ) {
    switch event {
    case .greeted(let connection, let hello):
      greet(connection, hello, &transaction)
    case .ended(let connection, let status, let lackedMemory):
      // The machine does not know yet of a violation in the last bytes.
      var death = connection.death(status)
      death.lackedMemory = lackedMemory
      if death.violation != nil {
        transaction.machine.supervise(.violated(connection.id), at: turn.time)
      }
      apply(death, inDoubtUpTo: connection.lastInDoubt, of: connection.configuration, &transaction)
    case .failed(let configuration, let death):
      apply(death, of: configuration, &transaction)
    case .lapsed(let worker):
      guard let report = lapsing.removeValue(forKey: worker) else { return }
      let detail = turn.keep(.report(report))
      transaction.machine.workerExited(worker, detail: detail, at: turn.time)
    case .widened(let configuration, let count):
      transaction.machine.widen(configuration, by: count)
    }
  }

  /// Tells the machine that a worker has ended, or could not be started.
  private mutating func apply(
    _ death: PoolWorkerDeath,
    inDoubtUpTo sent: DispatchNumber? = nil,
    of configuration: ConfigurationID,
    _ transaction: inout PoolEngine.Transaction
  ) {
    lastDeaths[configuration] = death
    let report = AttemptReport(death: death, printed: lastPrinted(by: death.worker))
    let detail = turn.keep(.report(report))
    var death = death
    death.inDoubtCount = transaction.machine.workerExited(
      death.worker,
      shortOf: death.shortage,
      inDoubtUpTo: sent,
      detail: detail,
      at: turn.time
    )
    if let rest = transaction.machine.supervisor.timeInDoubt(of: death.worker, at: turn.time) {
      lapsing[death.worker] = report
      death.timeInDoubt = rest
    }
    fleetEvents.append(.died(death))
  }

  /// Passes a worker's report to the machine; a report that makes no sense is a violation.
  ///
  /// Returns whether the report is about a dispatch that has ended.
  @inline(__always) @discardableResult
  private mutating func judge(
    _ worker: WorkerID,
    _ transaction: inout PoolEngine.Transaction,
    _ event: (inout PoolMachine, Instant) -> Reception
  ) -> Bool {
    switch event(&transaction.machine, turn.time) {
    case .accepted: return false
    case .stale: return true
    case .violation(let what):
      if let peer = peer(worker), peer.violation == nil { peer.violation = .unexpected(what) }
      transaction.machine.supervise(.violated(worker), at: turn.time)
      return false
    }
  }

  /// A worker may log what it notices of an operation after its answer.
  private mutating func keepLateLog(
    _ report: WorkerReport,
    of operation: OperationID,
    by worker: WorkerID
  ) {
    guard case .remarked(let detail) = report,
      case .log(let log) = turn.details[Int(detail.rawValue)]
    else { return }
    lateLogs.append((worker, operation, log))
  }

  private mutating func greet(
    _ connection: WorkerPeer,
    _ hello: Hello,
    _ transaction: inout PoolEngine.Transaction
  ) {
    let names = Set(hello.kinds)
    let kinds = transaction.kinds.numbers(of: names, for: connection.configuration)
    let objection =
      hello.objection
      ?? (transaction.kinds.lacksSome(names, of: connection.configuration)
        ? "a 'hello' that lacks kinds which its worker configuration serves" : nil)
    var isGreeted = false
    judge(connection.id, &transaction) { machine, now in
      if let objection { return .violation(objection) }
      let reception = machine.workerGreeted(
        connection.id,
        kinds: kinds,
        capabilities: connection.capabilitiesForCore(hello.capabilities),
        at: now
      )
      isGreeted = reception == .accepted
      return reception
    }
    if isGreeted { transaction.kinds.note(names, of: connection.configuration) }
  }

  mutating func result(_ preparation: Preparation<AttemptReport>) -> Preparation<DetailID> {
    switch preparation {
    case .ready: .ready
    case .ended(let ending, let cause, let report):
      .ended(ending, cause, turn.keep(.report(report)))
    }
  }
}

extension Hello {
  /// Why the greeting is wrong for any configuration; nil if it is not.
  var objection: String? {
    guard versions.contains(1) else {
      let versions = versions.prefix(8).map { String($0) }.joined(separator: ", ")
      return "a 'hello' of the versions [\(versions)], but only 1 is spoken here"
    }
    guard kinds.count <= Self.kindLimit else {
      return "a 'hello' with \(kinds.count) kinds, but a worker serves at most \(Self.kindLimit)"
    }
    return nil
  }
}
