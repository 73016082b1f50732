import Foundation
import PoolCore
import PoolModel

/// The real core with workers that are no more than the time at which they will answer.
///
/// Time is virtual: it moves on to the next answer, or the next deadline of the core. What the
/// core takes is measured apart from what the simulation around it takes.
struct VirtualPool: ~Copyable {
  private(set) var machine: PoolMachine
  let queue: QueueID
  let kind: KindID
  private(set) var now = Instant.zero
  /// Operations that have settled.
  private(set) var settledCount = 0
  /// Turns, each of which tells the core all answers of a quantum, and asks it once.
  private(set) var turnCount = 0
  /// Nanoseconds of this thread's processor time that were spent in the core.
  private(set) var coreTime: UInt64 = 0

  /// Answers that come so soon after one another are heard in one turn, in nanoseconds.
  private let quantum: Int64
  /// Whether what the core takes passes in virtual time, too: answers wait while it is busy.
  private let isCharged: Bool
  private let duration: (OperationID) -> Int64
  private var answers = AnswerQueue()
  private var lines: [[DispatchReference]]
  private var effects: [Effect] = []

  /// Makes a pool of so many workers, on this machine or in equal numbers on so many others; the
  /// closure gives the nanoseconds of an execution.
  init(
    workers: Int,
    machines: Int? = nil,
    quantum: Int64 = 0,
    isCharged: Bool = false,
    duration: @escaping (OperationID) -> Int64
  ) {
    var policy = PoolPolicy()
    // Virtual workers are never silent for another reason than that they execute.
    policy.heartbeatInterval = .seconds(1e6)
    policy.heartbeatLimit = .seconds(1e6)
    machine = PoolMachine(policy: policy)
    kind = machine.dispatcher.addKind()
    let fleet = machine.addFleet()
    var spec = ConfigurationSpec(count: workers / (machines ?? 1), kinds: [kind])
    spec.isFar = machines != nil
    for _ in 0..<(machines ?? 1) { _ = machine.addConfiguration(spec, to: fleet) }
    queue = machine.addQueue(to: fleet)
    self.quantum = quantum
    self.isCharged = isCharged
    self.duration = duration
    lines = Array(repeating: [], count: workers + 1)
  }

  /// Tells the core something, and counts what it takes.
  mutating func tell<Answer>(_ event: (inout PoolMachine, Instant) -> Answer) -> Answer {
    let start = ProcessorTime.now
    defer { coreTime += ProcessorTime.since(start) }
    return event(&machine, now)
  }

  /// One turn: the next answers, and what follows; the closure hears what has settled.
  ///
  /// False when nothing is left to happen.
  mutating func turn(_ settled: (Settlement) -> Void) -> Bool {
    let before = coreTime
    decide()
    perform(settled)
    if isCharged { now = now.advanced(by: Int64(coreTime - before)) }
    guard let next = answers.first?.due else { return machine.graph.unsettledCount > 0 && ring() }
    if let deadline = machine.nextDeadline, deadline < next { return ring() }
    now = max(now, next.advanced(by: quantum))
    hear()
    turnCount += 1
    return true
  }

  private mutating func decide() {
    var list = effects
    effects = []
    var teardowns: [PoolTeardownSequence] = []
    tell { machine, now in
      machine.dispatch(at: now)
      machine.context.take(&list, &teardowns)
    }
    effects = list
  }

  private mutating func ring() -> Bool {
    guard let deadline = machine.nextDeadline else { return false }
    now = max(now, deadline)
    tell { machine, now in machine.fireTimers(at: now) }
    return true
  }

  private mutating func perform(_ settled: (Settlement) -> Void) {
    var greeting: [WorkerID] = []
    for effect in effects {
      switch effect {
      case .spawn(let worker, _): greeting.append(worker)
      case .dispatch(let worker, let reference, _): take(reference, worker)
      case .settle(let settlement):
        settledCount += 1
        settled(settlement)
      default: break
      }
    }
    let capabilities: Set<Capability> = [.prefetch, .recall, .cancel]
    tell { [kind] machine, now in
      for worker in greeting {
        _ = machine.workerGreeted(worker, kinds: [kind], capabilities: capabilities, at: now)
      }
    }
    guard greeting.isEmpty else {
      decide()
      return perform(settled)
    }
    start()
  }

  /// Workers that have been given their first.
  private var starting: [(worker: WorkerID, reference: DispatchReference)] = []

  private mutating func take(_ reference: DispatchReference, _ worker: WorkerID) {
    let index = Int(worker.rawValue)
    if lines[index].isEmpty { starting.append((worker, reference)) }
    lines[index].append(reference)
  }

  /// Lets workers begin what is first in their lines.
  private mutating func start() {
    let list = starting
    starting.removeAll(keepingCapacity: true)
    tell { machine, now in
      for (worker, reference) in list {
        _ = machine.workerReported(.executing(group: nil), reference, by: worker, at: now)
      }
    }
    for (worker, reference) in list {
      let due = now.advanced(by: duration(reference.operation))
      answers.insert(Answer(due: due, worker: worker, reference: reference))
    }
  }

  /// Tells the core all answers that are due.
  private mutating func hear() {
    var due: [Answer] = []
    while let answer = answers.first, answer.due <= now {
      answers.removeFirst()
      due.append(answer)
    }
    tell { machine, now in
      for answer in due {
        _ = machine.workerReported(
          .answered(.succeeded, .error, .none),
          answer.reference,
          by: answer.worker,
          at: now
        )
      }
    }
    for answer in due {
      let index = Int(answer.worker.rawValue)
      lines[index].removeFirst()
      if let next = lines[index].first { starting.append((answer.worker, next)) }
    }
  }
}

/// The processor's time of this thread: others on the machine do not count.
enum ProcessorTime {
  /// In nanoseconds.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The nanoseconds since then, without those that asking for the time takes.
  static func since(_ start: UInt64) -> UInt64 {
    let difference = now - start
    return difference > cost ? difference - cost : 0
  }

  /// The median of what is measured around nothing.
  private static let cost: UInt64 = {
    let differences = (0..<1_001).map { _ in
      let start = now
      return now - start
    }
    return differences.sorted()[500]
  }()
}
