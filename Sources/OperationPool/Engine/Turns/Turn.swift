import Dispatch
import PoolContents
import PoolCore
import PoolModel
import PoolSystem
import PoolWire
import Synchronization

/// What a turn works with, and the effects that any thread can perform.
///
/// `@unchecked Sendable`: only the thread that takes turns uses it; see ``TurnRole``.
final class Turn: @unchecked Sendable {
  /// Content of a worker's message that the machine need not know.
  enum Detail {
    case report(AttemptReport)
    case progress(PoolProgress)
    case log(Log)
    case printed(PrintedLines)
    case output(OutputChunk)
    case taken

    /// The report; moved if it belongs to one operation, like an answer.
    mutating func takeReport() -> AttemptReport {
      var detail = Self.taken
      swap(&self, &detail)
      guard case .report(let report) = detail else { return .empty }
      if !report.isPlainAnswer { self = detail }
      return report
    }
  }

  let client: any EngineClient
  private let inputs: InputStore
  /// Workers that live in this process.
  @exclusivity(unchecked) var blockWorkers = PeerTable<BlockWorker>()
  /// Deaths and teardown steps of operations that have not settled.
  @exclusivity(unchecked) var incidents: [OperationID: OperationIncidents] = [:]
  /// The details that events and effects name by `DetailID`, until the effects are performed.
  @exclusivity(unchecked) var details: [Detail] = []
  /// The effects of this turn.
  @exclusivity(unchecked) var effects: [Effect] = []
  /// The teardown sequences that the effects name.
  @exclusivity(unchecked) var teardowns: [PoolTeardownSequence] = []
  /// What block workers have answered.
  @exclusivity(unchecked) var answers: [BlockAnswer] = []
  /// The number of the current event; each effect has one, even if it causes no event.
  @exclusivity(unchecked) var number = 0
  /// Bytes of payloads dispatched since freed memory was last returned to the system.
  @exclusivity(unchecked) var largeBytes = 0
  /// Whether the last unsettled operation has settled in this turn, which is not the loop's.
  @exclusivity(unchecked) var settledLast = false
  /// The time of this turn's decisions.
  @exclusivity(unchecked) var time = Instant.zero

  init(_ client: any EngineClient, _ inputs: InputStore) {
    self.client = client
    self.inputs = inputs
  }

  /// Passes an event to the client.
  @inline(__always)
  func tell(_ event: consuming RunEvent) {
    client.handle(event, number: number)
  }

  /// Stores a detail for events and effects; returns its number.
  func keep(_ detail: consuming Detail) -> DetailID {
    details.append(detail)
    return DetailID(rawValue: UInt32(details.count - 1))
  }

  /// What the machine is told of an answer.
  @inline(__always)
  func report(_ ending: PoolEnding, _ report: consuming AttemptReport) -> WorkerReport {
    let (reason, elapsed) = (report.retryReason, report.elapsed)
    return .answered(ending, reason, keep(.report(report)), elapsed: elapsed)
  }

  /// The turn's decisions are made at this time.
  func begin(at instant: Instant) { time = instant }

  func add(_ worker: BlockWorker) { blockWorkers[worker.id] = worker }

  /// Removes a block worker, and returns it.
  func removeBlockWorker(_ id: WorkerID) -> BlockWorker? { blockWorkers.remove(id) }

  /// Notes what has happened to an operation that has not settled.
  func note(_ operation: OperationID, _ body: (inout OperationIncidents) -> Void) {
    body(&incidents[operation, default: OperationIncidents()])
  }

  /// A payload was dispatched.
  func count(_ payload: [UInt8]) { largeBytes += payload.count }

  /// So many effects were performed.
  @inline(__always)
  func advance(by count: Int) { number += count }

  /// The answers were told to the machine: each of these workers is free.
  func noteAnswered() {
    for answer in answers { blockWorkers[answer.worker]?.answered() }
    answers.removeAll(keepingCapacity: true)
  }

  /// The last unsettled operation has settled.
  ///
  /// Returns the memory of many large payloads to the system; the allocator would keep it.
  func becameIdle() {
    tell(.becameIdle)
    guard largeBytes >= 64 << 20 else { return }
    largeBytes = 0
    DispatchQueue.global(qos: .utility).async { ProcessMemory.returnFreed() }
  }

  /// The effects have been performed: nothing names details any longer.
  func end() {
    effects.removeAll(keepingCapacity: true)
    details.removeAll(keepingCapacity: true)
  }
}

// MARK: - Effects

extension Turn {
  /// Whether any thread can perform these effects.
  ///
  /// A thread that adds operations performs only their dispatches: what else follows may release
  /// objects of the user, whose locks the thread may hold.
  func canPerform(_ effects: [Effect], whileAdding isAdding: Bool) -> Bool {
    effects.allSatisfy { effect in
      switch effect {
      case .dispatch(let worker, _, _): blockWorkers[worker] != nil
      case .settle(let settlement): !isAdding && !settlement.lacksWorkers
      case .start, .notifyChange, .retry: !isAdding
      default: false
      }
    }
  }

  /// Performs an effect that any thread can perform.
  @inline(__always)
  func perform(_ effect: Effect, on thread: BlockThread) {
    switch effect {
    case .settle(let settlement):
      settle(settlement, with: takeReport(settlement.detail))
    case .dispatch(let worker, let reference, _):
      let hosted = client.hostedExecution(of: reference.operation)
      blockWorkers[worker]?.execute(hosted, reference, on: thread)
    case .start(let operation, let worker, let attempt):
      tell(.started(operation, on: worker, attempt: attempt, at: time))
    case .notifyChange(let operation, let change):
      tell(.changed(operation, change))
    case .retry(let settlement):
      retry(settlement)
    default:
      preconditionFailure("only the loop performs \(effect)")
    }
  }

  private func retry(_ settlement: Settlement) {
    let last = report(settlement.detail)
    if !last.incidents.isEmpty {
      note(settlement.operation) { $0.append(last.incidents) }
    }
    tell(.retrying(settlement, last))
  }

  /// Tells an operation's end with the report of its last attempt, and passes its product to the
  /// operations that take it as input.
  ///
  /// The client is told first. So an input that is added meanwhile either awaits the product or
  /// finds it.
  @inline(__always)
  func settle(_ settlement: Settlement, with last: consuming AttemptReport) {
    let report = incidents.isEmpty ? last : adding(incidentsOf: settlement.operation, to: last)
    guard inputs.isUsed else { return tell(.settled(settlement, report)) }
    tell(.settled(settlement, copy report))
    inputs.noteEnd(of: settlement.operation, report)
  }

  /// The report of an operation's last attempt, with the incidents of all its attempts.
  private func adding(
    incidentsOf operation: OperationID,
    to last: consuming AttemptReport
  ) -> AttemptReport {
    guard var earlier = incidents.removeValue(forKey: operation) else { return last }
    earlier.append(last.incidents)
    return last.adding(earlier)
  }

  /// The report that an effect names.
  func report(_ detail: DetailID) -> AttemptReport {
    guard detail.rawValue != DetailID.none.rawValue,
      case .report(let report) = details[Int(detail.rawValue)]
    else { return .empty }
    return report
  }

  /// Like `report(_:)` for its last use; moves the report if no other effect can name it.
  @inline(__always)
  func takeReport(_ detail: DetailID) -> AttemptReport {
    guard detail.rawValue != DetailID.none.rawValue else { return .empty }
    return details[Int(detail.rawValue)].takeReport()
  }
}

extension Settlement {
  /// Whether no worker could execute the operation; only the loop can say why.
  ///
  /// A switch, because comparing costs a call for each operation that settles.
  var lacksWorkers: Bool {
    @inline(__always) get {
      switch cause {
      case .noWorker, .unservedKind: true
      default: false
      }
    }
  }
}
