import PoolEvents
import PoolModel

/// Goes through the steps of a run's operations, and finds out what idle slots wait for.
struct IdleSweep {
  /// The greatest number of slots so far.
  private(set) var width: Int
  private(set) var times: [SlotUse: Int64] = [:]
  private(set) var spans: [IdleSpan] = []

  /// The end of the run.
  private let end: Instant
  private var now = Instant.zero
  private var phases: [LifeStep.Phase]
  /// The attempt that executes, or has executed last, of each operation.
  private var executions: [LifeStep.Execution]
  /// Number of operations in each phase.
  private var counts = [Int](repeating: 0, count: LifeStep.Phase.allCases.count)
  /// Number of operations that are not submitted yet.
  private var unknownCount: Int
  private var wanted: WantedUnits
  private var workers: LivingWorkers
  private var control: SteeredControl
  private var delay: StartDelay
  /// Slots, and their time, by what they are used for, in the order of ``SlotUse/busy``.
  private var busySlots = [Int](repeating: 0, count: SlotUse.busy.count)
  private var busyTimes = [Int64](repeating: 0, count: SlotUse.busy.count)
  private var allBusySlots = 0
  /// The number of attempts in each lane.
  private var executing: [Int]
  /// The place among ``spans`` of the latest one of each lane; -1 for none.
  private var latest: [Int]

  init(_ history: RunHistory, _ lanes: SlotLanes) {
    end = history.end
    width = SlotAccount.width(history, lanes)
    phases = Array(repeating: .unknown, count: history.operations.count)
    executions = Array(
      repeating: LifeStep.Execution(lane: 0, use: 0),
      count: history.operations.count
    )
    unknownCount = history.operations.count
    wanted = WantedUnits(history)
    workers = LivingWorkers(history)
    control = SteeredControl(history, width: width)
    delay = StartDelay(history)
    let count = max(lanes.count, control.greatestWidth)
    executing = Array(repeating: 0, count: count)
    latest = Array(repeating: -1, count: count)
  }

  /// Takes the next step.
  mutating func take(_ step: LifeStep) {
    advance(to: min(step.time, end))
    let place = Int(step.operation)
    if phases[place] == .unknown { unknownCount -= 1 }
    leave(phases[place], place)
    phases[place] = step.phase
    counts[Int(step.phase.rawValue)] += 1
    switch step.phase {
    case .ready: wanted.want(place, 1)
    case .executing:
      executions[place] = step.execution
      delay.noteStart(at: step.time)
      setExecuting(place, true)
    case .unknown, .waiting, .delayed, .done: break
    }
  }

  /// Nothing changes from now on until the run's end.
  mutating func finish() {
    advance(to: end)
    for (use, time) in zip(SlotUse.busy, busyTimes) { times[use] = time }
  }

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
    let (execution, change) = (executions[place], executes ? 1 : -1)
    let slots = wanted.slots(of: place) * change
    wanted.hold(place, change)
    busySlots[Int(execution.use)] += slots
    allBusySlots += slots
    executing[Int(execution.lane)] += change
  }

  private mutating func advance(to time: Instant) {
    while true {
      let (worker, steering) = (workers.next(until: time), control.next(until: time))
      let end = delay.next(after: now, until: time)
      guard let change = [worker, steering, end].compactMap({ $0 }).min() else { break }
      pass(to: change)
      if change == steering {
        control.takeNext()
      } else if change == worker {
        workers.takeNext()
      }
      width = max(width, control.width)
    }
    pass(to: time)
  }

  private mutating func pass(to time: Instant) {
    guard now < time else { return }
    let reasons = reasons(for: control.width - allBusySlots)
    let length = time.nanoseconds - now.nanoseconds
    // Numbers of an invented file may be too large; they are wrong then.
    for use in busySlots.indices { busyTimes[use] &+= length &* Int64(busySlots[use]) }
    for (reason, count) in reasons { times[reason, default: 0] &+= length &* Int64(count) }
    draw(reasons, until: time)
    now = time
  }

  /// What that many idle slots wait for.
  private func reasons(for idle: Int) -> [(SlotUse, Int)] {
    guard idle > 0 else { return [] }
    var division = IdleDivision<SlotUse>(idle)
    let ready = wanted.division(roomFor: idle)
    // Those without an idle worker wait for one to start.
    let idleWorkers = max(workers.count - executing.count { $0 > 0 }, 0)
    if control.isPaused {
      division.give(.pause, ready.free)
    } else if delay.holds(at: now) {
      division.give(.delay, ready.free)
    } else {
      division.give(.handover, min(ready.free, idleWorkers))
      division.give(.starting, ready.free - idleWorkers)
    }
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
