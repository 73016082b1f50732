import Dispatch
import PoolContents
import PoolCore
import PoolModel
import PoolWire
import Synchronization

/// The library's client of the one engine of this process: it holds the operations that are in
/// queues, and handles their events.
final class OperationRegistry: EngineClient {
  /// The registry that all queues use.
  static let process = OperationRegistry()

  let engine = PoolEngine(policy: policy, tellsEveryStart: false)

  /// Queues live as long as their program, which may remove the reason why workers could not be
  /// started.
  private static var policy: PoolPolicy {
    var policy = PoolPolicy()
    policy.triesAgain = true
    policy.retryRule = .standard
    return policy
  }

  private let kept = Mutex<[PoolOperation?]>([])
  /// Maximum number of operations described at once while other threads wait for this lock.
  private static let describedAtOnce = 64
  /// The observers of operations that have not finished, by index, so that those of operations
  /// outside queues are found.
  private let observed = Mutex<[OperationObservers?]>([])
  let fleetObservers = FleetObservers()
  let fleetStates = FleetStates()
  /// The tasks that wait until closed fleets have no workers any longer, by fleet.
  let fleetEnds = Mutex<[FleetID: EndWaiters]>([:])
  /// The notifications at the end of this turn.
  let turnEnd = TurnEnd()
  /// The completion blocks of operations that have finished in this turn.
  let completions = CompletionBlocks()
  /// Number of observed operations.
  private let observedOperationCount = Atomic(0)
  /// Number of observed queues.
  private let observedQueueCount = Atomic(0)
  /// Whether the lines of any operation were ever asked for; if not, readers are not looked up.
  private let areLinesRead = Atomic(false)

  private init() {}

  /// Makes several calls of the engine under one lock; performs their effects even if there is no
  /// fleet.
  @inline(__always)
  func update<Value, Failure: Error>(
    ifWanted: Bool = false,
    _ body: (inout PoolEngine.Transaction) throws(Failure) -> sending Value
  ) throws(Failure) -> sending Value {
    try engine.update(ifWanted: ifWanted, for: self, body)
  }
}

// MARK: - Operations in queues

extension OperationRegistry {
  /// Holds operations until they finish, each at its index.
  func keep(_ operations: ArraySlice<PoolOperation>, _ ids: [OperationID]) {
    kept.withLock { kept in
      for (index, id) in ids.enumerated() {
        while kept.count <= id.index { kept.append(nil) }
        kept[id.index] = operations[operations.startIndex + index]
      }
    }
  }

  /// Drops operations that a queue has refused.
  func unkeep(_ ids: [OperationID]) {
    kept.withLock { kept in
      for id in ids { kept[id.index] = nil }
    }
  }

  /// The operations with these identifiers that are in queues.
  func operations(_ ids: [OperationID]) -> [PoolOperation] {
    ids.compactMap(keptOperation)
  }

  /// The operation with this identifier, if it is in a queue.
  func find(_ id: OperationID) -> PoolOperation? {
    let found = keptOperation(at: id)
    // An event of an operation that is gone must not reach the next one with its index.
    return found?.life.withLock { $0.id } == id ? found : nil
  }

  private func keptOperation(at id: OperationID) -> PoolOperation? {
    kept.withLock { kept in id.index < kept.count ? kept[id.index] : nil }
  }

  /// Forgets an operation that has no reference left.
  func release(_ id: OperationID, _ categories: [String], width: ResourceID?) {
    if isAnythingObserved { forgetObservers(id) }
    if engine.inputs.isUsed { engine.inputs.noteEnd(of: id) }
    engine.release(id, categories: categories, width: width)
  }
}

// MARK: - The engine's questions and events

extension OperationRegistry {
  func execution(of operation: OperationID) -> OperationExecution {
    let unfinished = unfinished(operation)
    var execution = unfinished.execution
    // Outputs that are read as lines may have any length.
    if unfinished.sendsOutputLimits, execution.outputs == .kept {
      execution.outputLimits = outputLimits(of: operation)
    }
    return execution
  }

  func timeLimit(of operation: OperationID) -> TimeLimit? {
    let options = unfinished(operation).options
    return options.timeout.map { timeout in
      TimeLimit(
        nanoseconds: .nanoseconds(of: timeout),
        teardown: options.teardownSequence ?? .standard
      )
    }
  }

  func hostedExecution(of operation: OperationID) -> HostedExecution {
    let operation = unfinished(operation)
    return HostedExecution(of: operation, as: operation.effectiveQualityOfService)
  }

  private func unfinished(_ operation: OperationID) -> PoolOperation {
    guard let operation = kept.withLock({ $0[operation.index] }) else {
      preconditionFailure("an operation is kept until it has finished")
    }
    return operation
  }

  func origin(of operation: OperationID) -> (kind: String, fleet: FleetID)? {
    guard let operation = keptOperation(at: operation), let queue = operation.queue else {
      return nil
    }
    return (operation.kind, queue.fleet.id)
  }

  func describePlain(_ effects: ArraySlice<Effect>, _ body: PlainDescription) -> Int {
    guard case .dispatch(let worker, _, _) = effects.first else { return 0 }
    return kept.withLock { kept in
      var count = 0
      for effect in effects.prefix(Self.describedAtOnce) {
        guard case .dispatch(worker, let reference, let attempt) = effect,
          let operation = kept[reference.operation.index],
          operation.withPlainContent({ body(reference, attempt, $0, $1) })
        else { break }
        count += 1
      }
      return count
    }
  }

  func prepare(
    _ id: OperationID,
    _ finished: @escaping @Sendable (Preparation<AttemptReport>) -> Void
  ) {
    guard let operation = find(id) else { return finished(.ready) }
    Task { finished(await operation.prepare()) }
  }

  var takesLines: Bool { true }

  func noteWorkers() {
    if fleetStates.areRead { fleetStates.tell(engine) }
  }

  func finishTurn() -> Bool {
    turnEnd.deliver()
    completions.callAll()
    return true
  }

  func handle(_ event: consuming RunEvent, number: Int) {
    switch consume event {
    case .settled(let settlement, let report): settle(settlement, report, number)
    case .started(let id, let worker, let attempt, let time):
      guard isAnythingObserved else { return }
      tell(.executing(attempt: attempt, worker: worker), of: id, number)
      record(id) { $0.start($1, attempt, on: worker, at: time, number) }
    case .changed(let id, let change): changed(id, change, number)
    case .progressed(let id, let progress):
      find(id)?.progressed(progress)
      tell(.progressed(progress), of: id, number)
    case .logged(let id, let log): tell(.logged(log.message), of: id, number)
    case .printed(let id, let lines): print(lines, of: id)
    case .wrote(let id, let chunk): lines(of: id)?.append(chunk)
    case .retrying(let settlement, let report):
      lines(of: settlement.operation)?.endAttempt(settlement.attempt, with: report)
      guard isAnythingObserved else { return }
      let outcome = PoolOutcome(settlement, report)
      record(settlement.operation) { $0.retry($1, outcome, number) }
      guard let failure = outcome.failure else { return }
      let named = find(settlement.operation).map { failure.naming($0.label) } ?? failure
      tell(.retrying(named), of: settlement.operation, number)
    case .fleet(let event): tell(event, number)
    // Observers hear nothing after an operation's end; what its worker logs later is printed.
    case .deadlinePassed, .becameIdle, .stopped, .loggedLate: break
    }
  }

  private func changed(_ id: OperationID, _ change: OperationChange, _ number: Int) {
    if change == .cancelledWithGroup {
      find(id)?.markCancelled(by: .group)
    } else {
      tell(PoolTransition(change), of: id, number)
    }
  }

  /// Passes on what an operation has printed, or a worker between operations.
  private func print(_ printed: PrintedLines, of id: OperationID?) {
    guard let printer = printed.printer else { return }
    let operation = id.flatMap { find($0) }
    let lines = printed.lines.map { PoolWorkerLine($0, of: operation, on: printed.worker) }
    switch printer {
    case let printer as StandardErrorPrinter:
      printer.print(Array(lines.map { $0.description + "\n" }.joined().utf8))
    case let printer as ClosurePrinter: printer.print(lines)
    default: preconditionFailure("a printer writes to the standard error, or calls a closure")
    }
  }

  private func settle(
    _ settlement: Settlement,
    _ report: consuming AttemptReport,
    _ number: Int
  ) {
    let index = settlement.operation.index
    let taken = kept.withLock { kept in
      kept[index].take()
    }
    guard let taken else { return }
    if areLinesRead.load(ordering: .relaxed) { taken.lines?.end(settlement.attempt, with: report) }
    guard isAnythingObserved else {
      taken.finish(settlement, report, number: number)?.countDown()
      return
    }
    forgetObservers(settlement.operation)
    guard areQueuesObserved else {
      taken.finish(settlement, report, number: number)?.countDown()
      return
    }
    let observers = taken.queue?.observers
    observers?.count(number)
    if let recorders = observers?.recorders, !recorders.isEmpty {
      let outcome = PoolOutcome(settlement, copy report)
      for recorder in recorders { recorder.settle(taken, outcome, number) }
    }
    taken.finish(settlement, report, number: number, observers: observers)?.countDown()
  }
}

// MARK: - Outputs

extension OperationRegistry {
  /// From now on, operations may have readers of their lines.
  func noteLinesAreRead() { areLinesRead.store(true, ordering: .relaxed) }

  /// The reader of an operation's lines, if it has one.
  private func lines(of id: OperationID) -> OutputLines? {
    areLinesRead.load(ordering: .relaxed) ? find(id)?.lines : nil
  }

  func outputLimits(of operation: OperationID) -> OutputLimits? {
    // The whole output goes to another operation: a part of it is enough for the outcome.
    engine.inputs.isAwaited(from: operation) ? nil : find(operation)?.outputLimits
  }

  func useOfOutput(of operation: OperationID) -> OutputUse {
    guard lines(of: operation) != nil else { return .atEnd }
    return engine.inputs.isAwaited(from: operation) ? .nowAndAtEnd : .now
  }

  func takesOutput(of operation: OperationID) -> Bool { lines(of: operation)?.isFull != true }
}

extension PoolTransition {
  fileprivate init(_ change: OperationChange) {
    switch change {
    case .ready: self = .ready
    case .pending: self = .pending
    case .cancelled, .cancelledWithGroup: self = .cancelled
    case .opened: self = .executing(attempt: 1, worker: nil)
    }
  }
}

// MARK: - Observers

extension OperationRegistry {
  /// Whether anything is observed; if not, observers are not looked up.
  var isAnythingObserved: Bool { areOperationsObserved || areQueuesObserved }

  private var areOperationsObserved: Bool { observedOperationCount.load(ordering: .relaxed) != 0 }

  /// Whether any queue is observed.
  var areQueuesObserved: Bool { observedQueueCount.load(ordering: .relaxed) != 0 }

  /// Counts observed operations.
  func countObservedOperations(up count: Int) {
    observedOperationCount.add(count, ordering: .relaxed)
  }

  /// Counts observed queues.
  func countObservedQueues(up count: Int) {
    observedQueueCount.add(count, ordering: .relaxed)
  }

  /// Lets the observers of an operation be found while it is in no queue.
  func add(_ observers: OperationObservers) {
    let index = observers.id.index
    observed.withLock { observed in
      while observed.count <= index { observed.append(nil) }
      observed[index] = observers
    }
  }

  private func forgetObservers(_ id: OperationID) {
    guard areOperationsObserved else { return }
    // Returned from the closure, so that they are released without the lock.
    _ = observed.withLock { observed -> OperationObservers? in
      guard id.index < observed.count, observed[id.index]?.id == id else { return nil }
      return observed[id.index].take()
    }
  }

  func observers(of id: OperationID) -> OperationObservers? {
    let observers = observed.withLock { id.index < $0.count ? $0[id.index] : nil }
    return observers?.id == id ? observers : nil
  }

  /// Passes an operation to the recorders of its queue.
  private func record(_ id: OperationID, _ body: (QueueRecorder, PoolOperation) -> Void) {
    guard areQueuesObserved, let operation = keptOperation(at: id) else { return }
    for recorder in operation.queue?.observers?.recorders ?? [] { body(recorder, operation) }
  }

  /// Tells the observers of an operation, and of its queue, about a transition.
  private func tell(_ transition: PoolTransition, of id: OperationID, _ number: Int) {
    guard isAnythingObserved else { return }
    if !areQueuesObserved {
      guard let own = observers(of: id) else { return }
      if own.noteToStreams(transition, number, at: turnEnd) { return }
    }
    guard let operation = keptOperation(at: id), let (own, queue) = operation.observers(of: id)
    else {
      observers(of: id)?.note(transition, number, on: .global(), at: turnEnd)
      return
    }
    own?.note(transition, number, on: queue?.callbackQueue ?? .global(), at: turnEnd)
    queue?.observers?.note(transition, number, of: operation, until: turnEnd)
  }
}
