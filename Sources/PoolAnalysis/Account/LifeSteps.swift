import PoolModel

/// A step in the life of an operation: when it entered a phase.
struct LifeStep {
  enum Phase: UInt8, CaseIterable {
    case unknown, waiting, ready, delayed, executing, done
  }

  /// An attempt that begins.
  struct Execution {
    /// The lane of its worker.
    var lane: Int32
    /// What its slots are used for; the place among ``SlotUse/busy``.
    var use: Int8
  }

  var time: Instant
  /// The place of the operation in the history.
  var operation: Int32
  var phase: Phase
  /// Of the phase in which it executes.
  var execution = Execution(lane: 0, use: 0)
}

/// The lives of all operations of a run.
struct LifeSteps {
  private let history: RunHistory
  private let lanes: SlotLanes
  private var steps: [LifeStep] = []

  /// All steps in the order of time; O(*n* log *n*).
  static func all(of history: RunHistory, _ lanes: SlotLanes, ready: [Instant?]) -> [LifeStep] {
    var lives = LifeSteps(history, lanes)
    for place in history.operations.indices { lives.addLife(of: place, ready: ready[place]) }
    // Sorting is stable: an operation's own steps keep their order.
    return lives.steps.sorted { $0.time < $1.time }
  }

  private init(_ history: RunHistory, _ lanes: SlotLanes) {
    (self.history, self.lanes) = (history, lanes)
    steps.reserveCapacity(history.operations.count * 4)
  }

  private mutating func addLife(of operation: Int, ready: Instant?) {
    let submission = history.operations[operation].submittedAt
    steps.append(LifeStep(time: submission, operation: Int32(operation), phase: .waiting))
    if let ready { add(.ready, at: ready) }
    let attempts = history.operations[operation].attempts
    let settled = history.operations[operation].settled
    for place in attempts.indices {
      let (isLast, ending) = (place == attempts.count - 1, attempts[place].ending)
      let lane = Int32(lanes[attempts[place].workerPlace])
      let use = SlotUse.busyPlace(of: ending, isLast: isLast)
      add(.executing, at: attempts[place].started, LifeStep.Execution(lane: lane, use: use))
      guard let finished = attempts[place].finished else { return }
      guard !isLast || attempts[place].retry != nil && settled == nil else {
        return add(.done, at: finished)
      }
      addWait(until: attempts[place].retry?.due, from: finished)
    }
    if attempts.isEmpty, let settled { add(.done, at: settled) }
  }

  private mutating func addWait(until due: Instant?, from finish: Instant) {
    guard let due, finish < due else { return add(.ready, at: finish) }
    add(.delayed, at: finish)
    add(.ready, at: due)
  }

  /// Adds a step of the operation to which the last one belongs; it is never before that one,
  /// whatever clocks have measured.
  private mutating func add(
    _ phase: LifeStep.Phase,
    at time: Instant,
    _ execution: LifeStep.Execution = LifeStep.Execution(lane: 0, use: 0)
  ) {
    let last = steps[steps.count - 1]
    steps.append(
      LifeStep(
        time: max(time, last.time),
        operation: last.operation,
        phase: phase,
        execution: execution
      )
    )
  }
}
