import PoolCore
import PoolModel
import PoolSystem
import PoolWire
import Synchronization

// The machine hears the facts, under the lock.

extension EventLoop {
  /// Tells the machine all that was heard, lets it dispatch, and takes its effects.
  mutating func decide() -> Outlook {
    let now = engine.now
    turnTime = now
    let engine = engine
    return engine.shared.withLock { shared in
      let wasBusy = shared.machine.unsettledCount > 0 || !shared.machine.effects.isEmpty
      if !shared.newPrograms.isEmpty { takePrograms(of: &shared) }
      for fact in facts.all { tell(fact, &shared, now) }
      facts.removeAll()
      shared.machine.ring(at: now)
      shared.machine.dispatch(at: now)
      shared.machine.takeEffects(into: &effects, teardowns: &teardowns)
      firstEffect = shared.takenEffectCount
      shared.takenEffectCount += effects.count
      var outlook = outlook(&shared, at: now)
      outlook.hasComeToRest = wasBusy && shared.machine.unsettledCount == 0
      return outlook
    }
  }

  /// Takes how the workers of new worker configurations are started.
  private mutating func takePrograms(of shared: inout PoolEngine.Shared) {
    programs.merge(shared.newPrograms) { $1 }
    shared.newPrograms = [:]
  }

  /// For how long the loop waits when it has performed the effects, and how.
  ///
  /// From here on, whatever is told wakes it. Notices that came since it took them found it awake:
  /// with these it does not wait.
  private func outlook(_ shared: inout PoolEngine.Shared, at now: Instant) -> Outlook {
    let mayEnd = shared.machine.fleetCount == 0
    guard engine.notices.isEmpty else {
      shared.wakeUps.stayAwake()
      return Outlook(timeout: 0, mayEnd: mayEnd)
    }
    let listens = spinPolicy.pays(busy: shared.machine.busyWorkerCount, of: processors)
    shared.wakeUps.beginWaiting(listening: listens)
    let timeout = shared.machine.nextDeadline.map { $0.nanoseconds - now.nanoseconds }
    return Outlook(timeout: timeout, listens: listens, mayEnd: mayEnd)
  }

  private mutating func tell(_ fact: Facts.Fact, _ shared: inout PoolEngine.Shared, _ now: Instant)
  {
    switch fact {
    case .started(let worker, let reference, let group):
      judge(worker, &shared, now) {
        $0.workerStarted(worker, reference, group: group, at: now)
      }
    case .answered(let worker, let reference, let ending, let failure, let detail):
      judge(worker, &shared, now) {
        $0.workerAnswered(worker, reference, ending, saying: failure, detail: detail, at: now)
      }
    case .returned(let worker, let reference):
      judge(worker, &shared, now) { $0.workerReturned(worker, reference, at: now) }
    case .remarked(let worker, let reference, let detail):
      judge(worker, &shared, now) { $0.workerRemarked(worker, reference, detail: detail) }
    case .paused(let worker, let frame):
      shared.machine.workerPaused(worker, within: frame, at: now)
      if peer(worker)?.violation != nil { shared.machine.workerViolated(worker, at: now) }
    case .hungUp(let worker):
      shared.machine.workerHungUp(worker, at: now)
    case .weighed(let worker, let bytes):
      shared.machine.workerWeighed(worker, bytes: bytes, at: now)
    case .rare(let place):
      tell(facts.rare[place], &shared, now)
    }
  }

  private mutating func tell(
    _ fact: Facts.RareFact,
    _ shared: inout PoolEngine.Shared,
    _ now: Instant
  ) {
    switch fact {
    case .greeted(let connection, let hello):
      greet(connection, hello, &shared, now)
    case .ended(let connection, let status, let lackedMemory):
      // A violation in its last bytes came too late to be told, and no signal is sent any more.
      var death = connection.death(status)
      death.lackedMemory = lackedMemory
      if death.violation != nil { shared.machine.workerViolated(connection.id, at: now) }
      tell(death, of: connection.configuration, &shared, now)
    case .failed(let configuration, let death):
      tell(death, of: configuration, &shared, now)
    case .prepared(let operation, let number, let preparation):
      shared.machine.prepared(operation, number, verdict(preparation), at: now)
    case .read(let worker, isOn: true):
      shared.machine.workerReadAgain(worker, at: now)
    case .read(let worker, isOn: false):
      shared.machine.workerUnread(worker, at: now)
    case .unsendable(let worker, let reference, let reason):
      let detail = keep(.report(AttemptReport(note: reason)))
      shared.machine.dispatchFailed(worker, reference, because: .input, detail: detail, at: now)
    }
  }

  /// A worker is gone, or never came.
  private mutating func tell(
    _ death: PoolWorkerDeath,
    of configuration: ConfigurationID,
    _ shared: inout PoolEngine.Shared,
    _ now: Instant
  ) {
    lastDeaths[configuration] = death
    let detail = keep(.report(AttemptReport(death: death)))
    // Where this process has too many files open before anything has begun, no waiting helps.
    let isFinal =
      death.isOwnLimit && shared.machine.liveWorkerCount <= 1
      && !shared.machine.hasGreeted(configuration)
    shared.machine.workerExited(
      death.worker,
      forWant: death.isShortage && !isFinal,
      detail: detail,
      at: now
    )
    news.append(.died(death))
  }

  /// Tells the machine something that a worker said; nonsense is held against the worker.
  @inline(__always)
  private mutating func judge(
    _ worker: WorkerID,
    _ shared: inout PoolEngine.Shared,
    _ now: Instant,
    _ event: (inout PoolMachine) -> PoolMachine.Reception
  ) {
    guard case .violation(let what) = event(&shared.machine) else { return }
    if let peer = peer(worker), peer.violation == nil { peer.violation = .unexpected(what) }
    shared.machine.workerViolated(worker, at: now)
  }

  private mutating func greet(
    _ connection: WorkerPeer,
    _ hello: Hello,
    _ shared: inout PoolEngine.Shared,
    _ now: Instant
  ) {
    let names = Set(hello.kinds)
    let kinds = shared.kinds.numbers(of: names)
    let objection =
      hello.objection
      ?? (shared.kinds.lacksSome(names, of: connection.configuration)
        ? "a 'hello' that lacks kinds which its worker configuration serves" : nil)
    var isGreeted = false
    judge(connection.id, &shared, now) { machine in
      if let objection { return .violation(objection) }
      let reception = machine.workerGreeted(
        connection.id,
        kinds: kinds,
        abilities: WorkerAbilities(hello.capabilities),
        at: now
      )
      isGreeted = reception == .accepted
      return reception
    }
    guard isGreeted else { return }
    // Where the configuration says what its workers serve, nothing else counts.
    if programs[connection.configuration]?.kinds == nil {
      shared.kinds.note(names, of: connection.configuration)
    }
  }

  private mutating func verdict(_ preparation: Preparation) -> PoolMachine.Verdict {
    switch preparation {
    case .ready: .go
    case .ended(let ending, let cause, let report): .end(ending, cause, keep(.report(report)))
    }
  }

  /// Keeps what facts and effects of this turn may name.
  mutating func keep(_ detail: consuming Detail) -> DetailID {
    details.append(detail)
    return DetailID(rawValue: UInt32(details.count - 1))
  }
}

extension Hello {
  /// What is wrong with it, whichever worker sent it; nil where nothing is.
  fileprivate var objection: String? {
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

extension WorkerAbilities {
  fileprivate init(_ capabilities: Set<Capability>) {
    self.init(
      prefetches: capabilities.contains(.prefetch),
      returns: capabilities.contains(.recall),
      stops: capabilities.contains(.cancel),
      takesSteps: capabilities.isSuperset(of: [.cancel, .teardown]),
      answersPings: capabilities.contains(.ping)
    )
  }
}
