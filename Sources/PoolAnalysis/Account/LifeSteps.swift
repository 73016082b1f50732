import PoolModel

/// A step in the life of an operation: when it entered a phase.
struct LifeStep {
  enum Phase: UInt8, CaseIterable {
    case unknown, waiting, ready, delayed, executing, done
  }

  var time: Instant
  /// The place of the operation in the history.
  var operation: Int32
  var phase: Phase
  /// The place of the attempt that begins, among the operation's; 0 for other phases.
  var attempt: Int32 = 0
}

/// The lives of all operations of a run.
enum LifeSteps {
  /// All steps in the order of time; O(*n* log *n*).
  static func all(of history: RunHistory, ready: [Instant?]) -> [LifeStep] {
    var steps: [LifeStep] = []
    steps.reserveCapacity(history.operations.count * 4)
    for (place, operation) in history.operations.enumerated() {
      var life = Life(place, at: operation.submittedAt)
      if let ready = ready[place] { life.add(.ready, at: ready) }
      life.addAttempts(of: operation)
      steps += life.steps
    }
    // Sorting is stable: an operation's own steps keep their order.
    return steps.sorted { $0.time < $1.time }
  }
}

/// The steps of one operation.
private struct Life {
  let operation: Int32
  private(set) var steps: [LifeStep]

  init(_ operation: Int, at submission: Instant) {
    self.operation = Int32(operation)
    steps = [LifeStep(time: submission, operation: self.operation, phase: .waiting)]
  }

  mutating func addAttempts(of operation: HistoricOperation) {
    for (place, attempt) in operation.attempts.enumerated() {
      add(.executing, at: attempt.started, place)
      guard let finished = attempt.finished else { return }
      let isLast = place == operation.attempts.count - 1
      guard !isLast || attempt.retry != nil && operation.settled == nil else {
        return add(.done, at: finished)
      }
      addWait(behind: attempt, at: finished)
    }
    if operation.attempts.isEmpty, let settled = operation.settled { add(.done, at: settled) }
  }

  private mutating func addWait(behind attempt: HistoricAttempt, at finish: Instant) {
    guard let due = attempt.retry?.due, finish < due else { return add(.ready, at: finish) }
    add(.delayed, at: finish)
    add(.ready, at: due)
  }

  /// A step is never before the one before it, whatever clocks have measured.
  mutating func add(_ phase: LifeStep.Phase, at time: Instant, _ attempt: Int = 0) {
    steps.append(
      LifeStep(
        time: max(time, steps[steps.count - 1].time),
        operation: operation,
        phase: phase,
        attempt: Int32(attempt)
      )
    )
  }
}
