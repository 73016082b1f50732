import PoolEvents
import PoolModel

@testable import PoolAnalysis

/// A run that a test tells, in seconds.
struct RecordedScenario {
  private var history = RunHistory()
  private var count = 0
  private var processorShare = 0.0

  init(slots: Int, cores: Int = 64, workers: Int? = nil, greetedAt: Double = 0, delay: Double = 0) {
    let began = RunBegan(
      start: 0,
      run: [],
      journal: nil,
      process: 1,
      boot: nil,
      cores: cores,
      width: slots,
      delay: delay > 0 ? Int64(delay * 1e9) : nil,
      folder: nil
    )
    history.take(.runBegan(began), at: .zero)
    for worker in 0..<(workers ?? slots) {
      let greeting = WorkerGreeted(worker: Self.worker(worker), process: 100, configuration: 0)
      history.take(.workerGreeted(greeting), at: Self.instant(greetedAt))
    }
  }

  /// Submits an operation; returns its number.
  @discardableResult
  mutating func submit(
    after dependencies: [Int] = [],
    claims: [(String, Int)] = [],
    exclusive: [String] = [],
    slots: Int = 1,
    isBarrier: Bool = false,
    group: Int? = nil,
    members: Int? = nil,
    at time: Double = 0
  ) -> Int {
    let number = count
    count += 1
    var record = SubmittedRecord(
      number: number,
      OperationDescription(id: Array("\(members == nil ? "o" : "g")\(number)".utf8)),
      key: nil,
      memberCount: members
    )
    record.dependencies = dependencies.map { SubmittedRecord.Dependency($0, .succeeded) }
    record.claims = claims.map { SubmittedRecord.Claim(Array($0.0.utf8), of: $0.1) }
    record.claims += exclusive.map {
      SubmittedRecord.Claim(Array($0.utf8), of: 1, isExclusive: true)
    }
    (record.slots, record.isBarrier, record.group) = (slots, isBarrier, group)
    history.take(.submitted(record), at: Self.instant(time))
    return number
  }

  /// Begins an attempt.
  mutating func start(_ number: Int, on worker: Int, at time: Double) {
    let start = Self.instant(time)
    let id = Self.worker(worker)
    history.take(
      .started(AttemptStarted(number: number, attempt: 1, worker: id, time: start)),
      at: start
    )
  }

  /// Executes an attempt; the last one settles its operation.
  mutating func execute(
    _ number: Int,
    on worker: Int,
    _ span: ClosedRange<Double>,
    attempt: Int = 1,
    _ ending: PoolEnding = .succeeded,
    retryAt due: Double? = nil,
    toldAt told: Double? = nil,
    processor: Double = 0,
    message: String? = nil
  ) {
    let (start, end) = (Self.instant(span.lowerBound), Self.instant(span.upperBound))
    let id = Self.worker(worker)
    history.take(
      .started(AttemptStarted(number: number, attempt: attempt, worker: id, time: start)),
      at: start
    )
    let micros = Int64(processor * (span.upperBound - span.lowerBound) * 1e6)
    let record = EndRecord(
      number: number,
      ending: ending,
      cause: ending == .succeeded ? nil : .exit,
      attempt: attempt,
      worker: id,
      started: start,
      finished: end,
      usage: PoolResourceUsage(
        userMicroseconds: micros,
        systemMicroseconds: 0,
        peakMemoryBytes: 1
      ),
      message: message
    )
    history.take(.attemptEnded(record), at: end)
    if let due {
      let retry = RetryPlanned(number: number, after: attempt, due: Self.instant(due), because: "x")
      history.take(.retryPlanned(retry), at: end)
    } else {
      history.take(.settled(record, counts: true), at: told.map(Self.instant) ?? end)
    }
  }

  /// Another process steers the run; records come in the order of time.
  mutating func steer(_ action: RunSteered.Action, at time: Double) {
    let asker = RunSteered.Asker(user: 0)
    history.take(.steered(RunSteered(action, by: asker)), at: Self.instant(time))
  }

  /// A group ends.
  mutating func settleGroup(_ number: Int, at time: Double) {
    let record = EndRecord(number: number, ending: .succeeded)
    history.take(.settled(record, counts: true), at: Self.instant(time))
  }

  /// The records end, and the run may go on.
  func unended() -> RunHistory { history }

  /// The run ends.
  func ended(at time: Double, exit: Int32 = 0) -> RunHistory {
    var history = history
    history.take(.runEnded(RunEnded(exitCode: exit)), at: Self.instant(time))
    return history
  }

  static func instant(_ seconds: Double) -> Instant {
    Instant(nanoseconds: Int64((seconds * 1e9).rounded()))
  }

  private static func worker(_ number: Int) -> WorkerID { WorkerID(rawValue: UInt32(number + 1)) }
}

extension RunAnalysis {
  /// Seconds of each use of slots.
  var uses: [SlotUse: Double] {
    Dictionary(uniqueKeysWithValues: account.parts.map { ($0.use, Double($0.time) / 1e9) })
  }

  /// The chain as words such as `o1 slot`.
  var chainWords: [String] {
    chain.map { step in
      let id = String(decoding: history.operations[step.operation].id, as: UTF8.self)
      var reason = "\(step.reason)"
      if case .limit(let name) = step.reason { reason = name.words }
      return step.attempt == 0 ? "\(id) \(reason)" : "\(id)#\(step.attempt + 1) \(reason)"
    }
  }
}
