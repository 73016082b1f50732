package import PoolEvents
package import PoolModel

/// What happened in a run, in the order of its operations: the facts of its records, and nothing
/// that is derived from them.
///
/// Records come in order, as a run tells them or as its journal has them. Taking one is O(1),
/// amortised.
package struct RunHistory: Sendable {
  /// How the run began; nil for records without that.
  package private(set) var began: RunBegan?
  /// The operations, in the order in which they were submitted.
  package private(set) var operations: [HistoricOperation] = []
  /// The groups of a manifest.
  package private(set) var groups: [HistoricGroup] = []
  /// The workers, in the order in which they are first named.
  package private(set) var workers: [HistoricWorker] = []
  /// What other processes have asked for, in order.
  package private(set) var steerings: [HistoricSteering] = []
  /// Why the run ended early, if a policy has ended it.
  package private(set) var halted: RunHalted?
  /// Its exit code; nil where the records do not have its end: it was killed, or goes on.
  package private(set) var exitCode: Int32?
  /// The latest moment that any record names.
  package private(set) var end = Instant.zero

  /// Whether it is known to go on after the latest record.
  package private(set) var goesOn = false

  /// So many of the first operations are numbered by their places, as nearly all are.
  private var orderedCount = 0
  /// The places of all others.
  private var otherPlaces: [Int: Int] = [:]
  private var groupPlaces: [Int: Int] = [:]
  private var workerPlaces: [WorkerID: Int] = [:]

  private let isDescribedLate: Bool

  /// Begins a history; a journal describes operations late: when they begin, not when they are
  /// submitted.
  package init(isDescribedLate: Bool = false) {
    self.isDescribedLate = isDescribedLate
  }

  /// Takes the next record, and when it was told.
  package mutating func take(_ record: RunRecord, at time: Instant) {
    end = max(end, time)
    switch record {
    case .runBegan(let began): self.began = began
    case .submitted(let operation): add(operation, at: time)
    case .started(let start): take(start)
    case .attemptEnded(let attempt): take(attemptEnd: attempt, at: time)
    case .retryPlanned(let retry):
      update(retry.number) { $0.noteRetry(retry) }
    case .settled(let end, _): settle(end, at: time)
    case .workerGreeted(let greeting):
      updateWorker(greeting.worker) { worker in
        worker.greeted = time
        worker.process = greeting.process
        worker.configuration = greeting.configuration
        worker.place = greeting.place
      }
    case .workerEnded(let ended):
      updateWorker(ended.worker) { worker in
        worker.ended = time
        worker.process = ended.process ?? worker.process
        (worker.manner, worker.message) = (ended.manner, ended.message)
      }
    case .steered(let steered):
      steerings.append(HistoricSteering(time: time, steered: steered))
    case .halted(let halted): self.halted = halted
    case .runEnded(let ended): exitCode = ended.exitCode
    }
  }

  /// Nothing else has happened until this moment, and the run goes on.
  package mutating func goOn(until time: Instant) {
    end = max(end, time)
    goesOn = exitCode == nil
  }

  /// Whether everything ended by itself: the records have the end, and nothing was cancelled or
  /// steered.
  package var isComplete: Bool {
    exitCode != nil && halted == nil && steerings.isEmpty
      && operations.allSatisfy { $0.ending != nil && $0.ending != .cancelled }
  }

  /// The identifier of an operation by its place, UTF-8; copies nothing else of it.
  package func id(at place: Int) -> [UInt8] { operations[place].submitted.description.id }

  /// The command of an operation by its place; copies nothing else of it.
  package func command(at place: Int) -> [UInt8]? {
    operations[place].submitted.description.command
  }

  /// The place of an operation among ``operations``; nil for a group, and for an unknown number.
  package func place(of number: Int) -> Int? {
    (0..<orderedCount).contains(number) ? number : otherPlaces[number]
  }

  /// The place of a group among ``groups``.
  package func groupPlace(of number: Int) -> Int? { groupPlaces[number] }

  private mutating func add(_ submitted: SubmittedRecord, at time: Instant) {
    // One that is told of twice is one.
    let number = submitted.number
    guard place(of: number) == nil, groupPlaces[number] == nil else { return }
    if submitted.memberCount != nil {
      groupPlaces[number] = groups.count
      groups.append(HistoricGroup(submitted))
    } else {
      let isOrdered = number == operations.count && number == orderedCount
      if isOrdered { orderedCount += 1 } else { otherPlaces[number] = operations.count }
      operations.append(HistoricOperation(submitted, at: isDescribedLate ? .zero : time))
    }
  }

  private mutating func take(_ start: AttemptStarted) {
    let worker = updateWorker(start.worker) { _ in }
    update(start.number) { $0.begin(start, worker) }
  }

  private mutating func take(attemptEnd end: EndRecord, at time: Instant) {
    let worker = end.worker.map { updateWorker($0) { _ in } } ?? 0
    let finish = end.finished ?? time
    self.end = max(self.end, finish)
    update(end.number) { $0.endAttempt(end, worker, at: finish) }
  }

  private mutating func settle(_ end: EndRecord, at time: Instant) {
    if let place = groupPlaces[end.number] {
      groups[place].settled = time
      groups[place].ending = end.ending
      return
    }
    update(end.number) { $0.settle(end, at: time) }
  }

  private mutating func update(_ number: Int, _ body: (inout HistoricOperation) -> Void) {
    if let place = place(of: number) { body(&operations[place]) }
  }

  /// Returns the place of the worker.
  @discardableResult
  private mutating func updateWorker(
    _ id: WorkerID,
    _ body: (inout HistoricWorker) -> Void
  ) -> Int {
    let place = workerPlaces[id] ?? workers.count
    if place == workers.count {
      workerPlaces[id] = place
      workers.append(HistoricWorker(id: id))
    }
    body(&workers[place])
    return place
  }
}

/// A group of a manifest, and how it ended.
package struct HistoricGroup: Sendable {
  package let submitted: SubmittedRecord
  package fileprivate(set) var settled: Instant?
  package fileprivate(set) var ending: PoolEnding?

  fileprivate init(_ submitted: SubmittedRecord) { self.submitted = submitted }

  /// Its number among operations and groups, from 0.
  package var number: Int { submitted.number }
  /// Its name, UTF-8.
  package var id: [UInt8] { submitted.description.id }
}

/// A worker of a run.
package struct HistoricWorker: Sendable {
  package let id: WorkerID
  /// When it greeted; nil where that is not known.
  package fileprivate(set) var greeted: Instant?
  /// When its end was told of.
  package fileprivate(set) var ended: Instant?
  package fileprivate(set) var process: Int32?
  /// The position of its worker configuration, from 0.
  package fileprivate(set) var configuration = 0
  /// The command by which the user named it; nil for opool's own.
  package fileprivate(set) var place: String?
  /// In which way it ended, such as `exit`; nil where that is not known.
  package fileprivate(set) var manner: String?
  /// What it did, or what was done to it, for people.
  package fileprivate(set) var message: String?

  fileprivate init(id: WorkerID) { self.id = id }

  /// Whether it ended otherwise than by its own exit, when it had done its work.
  package var isDeath: Bool {
    guard let manner else { return false }
    return manner != "exit" || message != Self.usualEnd
  }

  private static let usualEnd = "exited with code 0"
}
