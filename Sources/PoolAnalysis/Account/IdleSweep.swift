import PoolEvents
import PoolModel

/// Goes through the steps of a run's operations, and finds out what idle slots wait for.
struct IdleSweep {
  let width: Int
  private(set) var times: [SlotUse: Int64] = [:]
  private(set) var spans: [IdleSpan] = []

  private let history: RunHistory
  private let lanes: SlotLanes
  private var now = Instant.zero
  private var phases: [LifeStep.Phase]
  /// The attempt that executes, or has executed last, of each operation.
  private var attempts: [Int32]
  /// Number of operations in each phase.
  private var counts = [Int](repeating: 0, count: LifeStep.Phase.allCases.count)
  /// Number of operations that are not submitted yet.
  private var unknownCount: Int
  private var wanted: WantedUnits
  private var workers: LivingWorkers
  /// Slots by what they are used for.
  private var busySlots: [SlotUse: Int] = [:]
  private var allBusySlots = 0
  /// The number of attempts in each lane.
  private var executing: [Int]
  /// The place among ``spans`` of the latest one of each lane; -1 for none.
  private var latest: [Int]

  init(_ history: RunHistory, _ lanes: SlotLanes) {
    (self.history, self.lanes) = (history, lanes)
    width = max(history.began?.width ?? lanes.count, 1)
    phases = Array(repeating: .unknown, count: history.operations.count)
    attempts = Array(repeating: 0, count: history.operations.count)
    unknownCount = history.operations.count
    wanted = WantedUnits(history)
    workers = LivingWorkers(history)
    let count = max(lanes.count, width)
    executing = Array(repeating: 0, count: count)
    latest = Array(repeating: -1, count: count)
  }

  /// Takes the next step.
  mutating func take(_ step: LifeStep) {
    advance(to: min(step.time, history.end))
    let place = Int(step.operation)
    if phases[place] == .unknown { unknownCount -= 1 }
    leave(phases[place], place)
    phases[place] = step.phase
    counts[Int(step.phase.rawValue)] += 1
    switch step.phase {
    case .ready: wanted.want(place, 1)
    case .executing:
      attempts[place] = step.attempt
      setExecuting(place, true)
    case .unknown, .waiting, .delayed, .done: break
    }
  }

  /// Nothing changes from now on until the run's end.
  mutating func finish() { advance(to: history.end) }

  private mutating func leave(_ phase: LifeStep.Phase, _ place: Int) {
    guard phase != .unknown else { return }
    counts[Int(phase.rawValue)] -= 1
    switch phase {
    case .ready: wanted.want(place, -1)
    case .executing: setExecuting(place, false)
    case .unknown, .waiting, .delayed, .done: break
    }
  }

  private mutating func setExecuting(_ place: Int, _ executes: Bool) {
    let operation = history.operations[place]
    let attempt = Int(attempts[place])
    let slots = executes ? operation.submitted.slots : -operation.submitted.slots
    wanted.hold(place, executes ? 1 : -1)
    busySlots[operation.use(ofAttempt: attempt), default: 0] += slots
    allBusySlots += slots
    if let place = history.place(of: operation.attempts[attempt].worker) {
      executing[lanes[place]] += executes ? 1 : -1
    }
  }

  private mutating func advance(to time: Instant) {
    while let change = workers.next(until: time) {
      pass(to: change)
      workers.takeNext()
    }
    pass(to: time)
  }

  private mutating func pass(to time: Instant) {
    guard now < time else { return }
    let reasons = reasons(for: width - allBusySlots)
    let length = time.nanoseconds - now.nanoseconds
    for (use, count) in busySlots where count > 0 {
      times[use, default: 0] += length * Int64(count)
    }
    for (reason, count) in reasons { times[reason, default: 0] += length * Int64(count) }
    draw(reasons, until: time)
    now = time
  }

  /// What that many idle slots wait for.
  private func reasons(for idle: Int) -> [(SlotUse, Int)] {
    guard idle > 0 else { return [] }
    var division = IdleDivision(idle)
    let ready = wanted.division(roomFor: idle)
    // Those without an idle worker wait for one to start.
    let idleWorkers = max(workers.count - executing.count { $0 > 0 }, 0)
    division.give(.handover, min(ready.free, idleWorkers))
    division.give(.starting, ready.free - idleWorkers)
    for (name, count) in ready.limited { division.give(.limit(name), count) }
    division.give(.room, ready.wide)
    division.give(.retry, counts[Int(LifeStep.Phase.delayed.rawValue)])
    if counts[Int(LifeStep.Phase.waiting.rawValue)] > 0 { division.give(.dependencies, .max) }
    if unknownCount > 0 { division.give(.input, .max) }
    // What is ready holds back nothing: more slots than operations have nothing to do.
    division.give(.ending, .max)
    return division.parts
  }

  /// Gives the reasons to the idle lanes, from the first one on.
  private mutating func draw(_ reasons: [(SlotUse, Int)], until time: Instant) {
    var lane = 0
    for (reason, count) in reasons {
      var rest = count
      while rest > 0, lane < executing.count {
        if executing[lane] == 0 {
          draw(reason, in: lane, until: time)
          rest -= 1
        }
        lane += 1
      }
    }
  }

  private mutating func draw(_ reason: SlotUse, in lane: Int, until time: Instant) {
    let place = latest[lane]
    if place >= 0, spans[place].end == now, spans[place].reason == reason {
      spans[place].end = time
    } else {
      latest[lane] = spans.count
      spans.append(IdleSpan(lane: lane, start: now, end: time, reason: reason))
    }
  }
}

/// Divides idle slots among reasons.
private struct IdleDivision {
  private var rest: Int
  private(set) var parts: [(SlotUse, Int)] = []

  init(_ idle: Int) { rest = idle }

  /// Gives a reason up to that many of the slots that are left.
  mutating func give(_ reason: SlotUse, _ count: Int) {
    let part = min(count, rest)
    guard part > 0 else { return }
    rest -= part
    parts.append((reason, part))
  }
}

extension HistoricOperation {
  /// What a slot is used for during an attempt.
  fileprivate func use(ofAttempt place: Int) -> SlotUse {
    if place < attempts.count - 1 { return .repeated }
    guard let ending = attempts[place].ending else { return .unfinished }
    return ending == .succeeded ? .succeeded : .unsuccessful
  }
}
