import PoolCore
import PoolModel

/// The real core with workers that have lines, say things in bunches, and hear requests late, as
/// real ones do; in virtual time.
///
/// A worker sends what it has to say when it has nothing more to do, when it has begun a third of
/// its line and 100 µs have passed, and each millisecond. While it executes, it hears nothing for
/// two milliseconds, as long as its second thread takes to read for it.
struct LinePool: ~Copyable {
  private enum Event {
    case ended(worker: Int)
    case tick(worker: Int)
    case hears(worker: Int, DispatchReference)
    case arrives(worker: Int, [Message])
    case submits(Int)
    case turn
  }

  private enum Message {
    case executing(DispatchReference)
    case answered(DispatchReference)
    case returned(DispatchReference)
  }

  private struct Worker {
    var line: [DispatchReference] = []
    var isExecuting = false
    var since = Instant.zero
    var pending: [Message] = []
    var begun = 0
    var sentAt = Instant.zero
    var hasTick = false
  }

  /// The way of a message, and what a message costs either side, in nanoseconds.
  private static let way: Int64 = 15_000
  private static let cost: Int64 = 1_000

  private(set) var machine: PoolMachine
  let queue: QueueID
  let kind: KindID
  private(set) var now = Instant.zero
  /// When each operation began, by its place.
  private(set) var starts: [OperationID: Instant] = [:]
  private(set) var settledCount = 0
  private(set) var recallCount = 0
  private(set) var end = Instant.zero

  private let length: (OperationID) -> Int64
  private var workers: [Worker]
  private var events = EventQueue<Event>()
  private var inbox: [(worker: Int, Message)] = []
  private var freeAt = Instant.zero
  private var hasTurn = false
  private var submissions: [(inout PoolMachine, Instant) -> Void] = []

  /// Makes a pool whose workers have greeted; the closure gives the nanoseconds of an execution.
  init(workers count: Int, length: @escaping (OperationID) -> Int64) {
    machine = PoolMachine()
    kind = machine.dispatcher.addKind()
    let fleet = machine.addFleet()
    var spec = ConfigurationSpec(count: count, kinds: [kind])
    spec.isEager = true
    _ = machine.addConfiguration(spec, to: fleet)
    queue = machine.addQueue(to: fleet)
    self.length = length
    workers = Array(repeating: Worker(), count: count + 1)
  }

  /// Has something done at an instant.
  mutating func submit(
    at instant: Instant = .zero,
    _ body: @escaping (inout PoolMachine, Instant) -> Void
  ) {
    submissions.append(body)
    events.insert(.submits(submissions.count - 1), at: instant)
  }

  /// Runs until nothing is left to do.
  mutating func run() {
    while machine.graph.unsettledCount > 0 || !events.isEmpty {
      let due = events.next ?? .distantFuture
      if let deadline = machine.nextDeadline, deadline < due {
        now = max(now, deadline)
        turn()
        continue
      }
      guard let event = events.popFirst() else { return }
      now = max(now, due)
      happen(event)
    }
  }

  private mutating func happen(_ event: Event) {
    switch event {
    case .submits(let place):
      submissions[place](&machine, now)
      wake()
    case .arrives(let worker, let messages):
      inbox += messages.map { (worker, $0) }
      wake()
    case .turn:
      hasTurn = false
      turn()
    case .ended(let worker):
      let reference = workers[worker].line.removeFirst()
      workers[worker].pending.append(.answered(reference))
      workers[worker].isExecuting = false
      begin(worker)
    case .tick(let worker):
      workers[worker].hasTick = false
      send(worker)
    case .hears(let worker, let reference):
      guard let place = workers[worker].line.firstIndex(of: reference),
        place > 0 || !workers[worker].isExecuting
      else { return }
      workers[worker].line.remove(at: place)
      workers[worker].pending.append(.returned(reference))
      send(worker)
    }
  }

  /// The coordinator takes its turn as soon as it is free.
  private mutating func wake() {
    guard !hasTurn else { return }
    hasTurn = true
    events.insert(.turn, at: max(now, freeAt))
  }

  private mutating func turn() {
    var cost = inbox.count
    var said: [Int] = []
    for (worker, message) in inbox {
      if !said.contains(worker) { said.append(worker) }
      tell(message, by: worker)
    }
    inbox.removeAll(keepingCapacity: true)
    for worker in said { machine.workerWasRead(WorkerID(rawValue: UInt32(worker)), at: now) }
    machine.fireTimers(at: now)
    var effects: [Effect] = []
    var teardowns: [PoolTeardownSequence] = []
    repeat {
      machine.dispatch(at: now)
      machine.context.take(&effects, &teardowns)
      cost += effects.count
      for effect in effects { perform(effect) }
    } while !effects.isEmpty
    freeAt = now.advanced(by: Int64(cost) * Self.cost)
  }

  private mutating func tell(_ message: Message, by worker: Int) {
    let (reference, report): (DispatchReference, WorkerReport) =
      switch message {
      case .executing(let reference): (reference, .executing(group: nil))
      case .answered(let reference): (reference, .answered(.succeeded, .error, .none))
      case .returned(let reference): (reference, .returned)
      }
    let id = WorkerID(rawValue: UInt32(worker))
    let reception = machine.workerReported(report, reference, by: id, at: now)
    precondition(reception != .violation(""), "workers keep to the protocol")
  }

  private mutating func perform(_ effect: Effect) {
    let arrival = max(now, freeAt).advanced(by: Self.way)
    switch effect {
    case .spawn(let id, _):
      let capabilities: Set<Capability> = [.prefetch, .recall, .cancel]
      _ = machine.workerGreeted(id, kinds: [kind], capabilities: capabilities, at: now)
    case .dispatch(let id, let reference, _):
      let worker = Int(id.rawValue)
      workers[worker].line.append(reference)
      if workers[worker].line.count == 1 { begin(worker, at: arrival) }
    case .recall(let id, let reference):
      recallCount += 1
      let worker = Int(id.rawValue)
      let hears = workers[worker].since.advanced(by: .milliseconds(2))
      events.insert(.hears(worker: worker, reference), at: max(arrival, hears))
    case .settle:
      settledCount += 1
      end = now
    default: break
    }
  }

  /// The worker begins what is first in its line, and sends, or lets wait, what it has to say.
  private mutating func begin(_ worker: Int, at instant: Instant? = nil) {
    let instant = max(now, instant ?? now)
    guard let first = workers[worker].line.first else { return send(worker) }
    workers[worker].isExecuting = true
    workers[worker].since = instant
    starts[first.operation] = instant
    let lasts = Self.cost + length(first.operation)
    events.insert(.ended(worker: worker), at: instant.advanced(by: lasts))
    workers[worker].pending.append(.executing(first))
    workers[worker].begun += 1
    let isLate = workers[worker].sentAt.advanced(by: 100_000) <= instant
    if isLate, workers[worker].begun * 3 > workers[worker].line.count - 1 { return send(worker) }
    guard !workers[worker].hasTick else { return }
    workers[worker].hasTick = true
    events.insert(.tick(worker: worker), at: instant.advanced(by: .milliseconds(1)))
  }

  private mutating func send(_ worker: Int) {
    guard !workers[worker].pending.isEmpty else { return }
    let messages = workers[worker].pending
    workers[worker].pending = []
    workers[worker].begun = 0
    workers[worker].sentAt = now
    events.insert(.arrives(worker: worker, messages), at: now.advanced(by: Self.way))
  }
}

/// What happens when; of what happens at one instant, what was said first.
struct EventQueue<Event> {
  private var heap: [(at: Instant, number: Int, event: Event)] = []
  private var number = 0

  var isEmpty: Bool { heap.isEmpty }
  var next: Instant? { heap.first?.at }

  mutating func insert(_ event: Event, at instant: Instant) {
    heap.append((instant, number, event))
    number += 1
    var child = heap.count - 1
    while child > 0, isBefore(child, (child - 1) / 2) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func popFirst() -> Event? {
    guard !heap.isEmpty else { return nil }
    heap.swapAt(0, heap.count - 1)
    let last = heap.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && isBefore(child, least) { least = child }
      guard least != parent else { return last.event }
      heap.swapAt(parent, least)
      parent = least
    }
  }

  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    (heap[left].at, heap[left].number) < (heap[right].at, heap[right].number)
  }
}
