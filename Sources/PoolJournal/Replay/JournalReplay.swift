package import PoolEvents
package import PoolModel
import PoolWire

/// Turns the records of a journal into those of the runs that have written it.
///
/// It is told of every record in order. An operation of a run is in it if it was executed, or ended
/// without that: not if its outcome is that of an earlier run. A run that was killed has no end;
/// what it executed then has a start and no end.
package struct JournalReplay {
  /// The keys of operations by their identifiers, in each run: they come later than the first
  /// records.
  package struct Keys {
    fileprivate var ofRuns: [UInt64: [[UInt8]: ContentDigest]] = [:]

    package init() {}

    package mutating func note(_ record: JournalRecord) {
      guard case .settled(let end) = record, end.number == nil else { return }
      ofRuns[end.epoch, default: [:]][end.id] = end.key
    }
  }

  /// An operation whose description is lost, in a run that describes others.
  private static let firstLostNumber = 1_000_000_000

  private let keys: Keys
  private var runKeys: [[UInt8]: ContentDigest] = [:]
  private var run: RunIdentifier?
  /// The owner whose run has not been told of.
  private var opening: JournalOpening?
  private var hasBook = false
  private var latest = Instant.zero
  private var numbers: [[UInt8]: Int] = [:]
  /// The operations and groups that were described, and whether each is a command.
  private var known: [Int: Bool] = [:]
  private var edges: [Int: [SubmittedRecord.Dependency]] = [:]
  private var starts: [Int: AttemptStarted] = [:]
  private var ended: [Int: Int] = [:]
  private var lostCount = 0

  package init(_ keys: Keys) {
    self.keys = keys
  }

  /// Takes the next record, whose body the closure returns; passes records, with the times at which
  /// they were told, to the other one.
  package mutating func take(
    _ record: JournalRecord,
    body: () -> [UInt8],
    _ tell: (RunRecord, Instant) -> Void
  ) {
    switch record {
    case .opened(let opening):
      tellOpening(tell)
      begin(opening)
    case .settled(let end):
      tellOpening(tell)
      take(end, tell)
    case .fact:
      if let line = try? ShortRecord(body()[...]) { take(line, tell) }
    case .voided, .sent, .returned, .printed, .target, .marked, .synced, .unknown: break
    }
  }

  /// The journal has no more records.
  package mutating func finish(_ tell: (RunRecord, Instant) -> Void) { tellOpening(tell) }

  private mutating func begin(_ opening: JournalOpening) {
    let (keys, run) = (keys, opening.run ?? run)
    self = Self(keys)
    (self.run, self.opening) = (run, opening)
    runKeys = keys.ofRuns[opening.epoch] ?? [:]
  }

  /// Tells of a run whose journal says only who has written it.
  private mutating func tellOpening(_ tell: (RunRecord, Instant) -> Void) {
    guard let opening else { return }
    let began = RunBegan(
      start: opening.time * 1_000_000,
      run: run?.hex ?? [],
      journal: nil,
      process: opening.processID,
      boot: opening.boot,
      folder: opening.folder,
      version: nil
    )
    self.opening = nil
    tell(.runBegan(began), .zero)
  }

  private mutating func take(_ line: ShortRecord, _ tell: (RunRecord, Instant) -> Void) {
    if case .runBegan = line.record { (opening, hasBook) = (nil, true) } else { tellOpening(tell) }
    latest = max(latest, line.time)
    if let operation = line.operation { describe(operation, isPartial: line.isPartial, tell) }
    guard let record = line.record else { return }
    switch record {
    case .started(let start): starts[start.number] = start
    case .attemptEnded(let end): ended[end.number] = end.attempt
    default: break
    }
    tell(record, latest)
  }

  private mutating func describe(
    _ operation: SubmittedRecord,
    isPartial: Bool,
    _ tell: (RunRecord, Instant) -> Void
  ) {
    let number = operation.number
    if isPartial {
      edges[number, default: []] += operation.dependencies
      return
    }
    // One that its worker could not begin after all is described again.
    guard known[number] == nil else { return }
    known[number] = operation.kind == CommandPayload.kind
    var operation = operation
    let id = operation.description.id
    let isGroup = operation.memberCount != nil
    if !isGroup { numbers[id] = number }
    operation.dependencies += edges.removeValue(forKey: number) ?? []
    // Several operations may have an identifier that begins like one that was cut.
    if id.count < RunRecord.shortIDLimit - 4 {
      operation.key = isGroup ? run?.key(ofGroup: id) : runKeys[id].flatMap { run?.key(of: $0) }
    }
    tell(.submitted(operation), latest)
  }

  private mutating func take(_ end: JournalEnd, _ tell: (RunRecord, Instant) -> Void) {
    // Two identifiers that were cut may be the same.
    let told = end.number.map { known[$0] == nil ? nil : $0 } ?? numbers[end.id]
    let number = told ?? addLost(end.id, tell)
    let start = starts[number]
    let elapsed = end.record.executionTime
    if let start { latest = max(latest, start.time.advanced(by: elapsed ?? 0)) }
    let record = end.record.asOwn(of: number, isCommand: known[number] == true, on: start)
    if record.attempt > 0, ended[number] != record.attempt {
      tell(.attemptEnded(record), latest)
    }
    tell(.settled(record, counts: true), latest)
  }

  /// Describes an operation of which only its end is known.
  private mutating func addLost(_ id: [UInt8], _ tell: (RunRecord, Instant) -> Void) -> Int {
    let number = (hasBook ? Self.firstLostNumber : 0) + lostCount
    lostCount += 1
    describe(
      SubmittedRecord(number: number, OperationDescription(id: id), key: nil),
      isPartial: false,
      tell
    )
    return number
  }
}

extension EndRecord {
  /// The end of an operation of a journal, as the run told it.
  fileprivate func asOwn(
    of number: Int,
    isCommand: Bool,
    on start: AttemptStarted?
  ) -> EndRecord {
    EndRecord(
      number: number,
      ending: ending,
      cause: cause,
      // A success without an exit code means 0.
      exit: exit ?? (ending == .succeeded && isCommand ? 0 : nil),
      signal: signal,
      attempt: attempt,
      worker: start?.worker,
      started: start?.time,
      finished: start.flatMap { start in executionTime.map { start.time.advanced(by: $0) } },
      usage: usage,
      outputByteCount: outputByteCount,
      errorByteCount: errorByteCount,
      errorType: errorType,
      errorCode: errorCode,
      message: message
    )
  }
}
