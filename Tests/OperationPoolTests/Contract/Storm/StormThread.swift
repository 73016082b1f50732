import OperationPool
import PoolModel
import PoolTestSupport

/// One of the threads that make the calls of a storm.
struct StormThread {
  private let storm: Storm
  private var generator: SeededGenerator
  /// Operations that it will add.
  private var own: [Int]
  private var gates: [(operation: Int, place: Int, gate: PoolGate)] = []

  init(_ storm: Storm, _ number: Int) {
    self.storm = storm
    generator = SeededGenerator(seed: storm.seed &* 31 &+ UInt64(number))
    own = Array(stride(from: number, to: Storm.count, by: Storm.threadCount))
    own.shuffle(using: &generator)
  }

  /// Adds all of its operations, and does whatever comes to its mind in between.
  mutating func play() {
    while !own.isEmpty { act() }
    while !gates.isEmpty { release() }
  }

  private mutating func act() {
    switch number(below: 1_000) {
    case ..<200: add()
    case ..<450: depend()
    case ..<530: forgetDependency()
    case ..<570: cancel(anyone())
    case ..<575: anyQueue().cancelAll()
    case ..<640: suspend()
    case ..<710: widen()
    case ..<730: limit()
    case ..<800: prioritise()
    case ..<870: hold()
    case ..<940: release()
    default: look()
    }
  }

  private mutating func number(below bound: Int) -> Int {
    Int.random(in: 0..<bound, using: &generator)
  }

  private mutating func anyone() -> Int { number(below: Storm.count) }

  private mutating func anyQueue() -> StormQueue { storm.queues[number(below: 3)] }

  // MARK: Adding

  private mutating func add() {
    guard let first = own.last else { return }
    let target = storm.plans[first].queue
    let size = 1 + number(below: 3)
    let batch = Array(own.filter { storm.plans[$0].queue == target }.suffix(size))
    own.removeAll { batch.contains($0) }
    for index in batch { storm.trace.write(index) { record, time in record.adding = time } }
    do throws(PoolError) {
      try storm.queues[target].queue.addOperations(batch.map { storm.operations[$0] })
      for index in batch { storm.trace.write(index) { record, time in record.added = time } }
    } catch {
      // A cycle through a barrier: it can only end as cancelled, where there is none.
      expect(error, .cycle)
      for index in batch { settle(index) }
    }
  }

  private func settle(_ index: Int) {
    cancel(index)
    do throws(PoolError) {
      try storm.spare.addOperation(storm.operations[index])
    } catch {
      storm.trace.fault("\(index) was refused: \(error)")
    }
  }

  private func expect(_ error: PoolError, _ code: PoolError.Code) {
    if error.code != code { storm.trace.fault("a call was refused: \(error)") }
  }

  // MARK: Dependencies

  private mutating func depend() {
    // What is in no queue yet can be told most.
    let index = number(below: 3) == 0 ? anyone() : own.randomElement(using: &generator) ?? anyone()
    let other = anyone()
    do throws(PoolError) {
      try storm.operations[index].addDependency(
        storm.operations[other],
        requiring: storm.requirement(of: index, on: other)
      )
    } catch {
      expect(error, .cycle)
    }
  }

  private mutating func forgetDependency() {
    let operation = storm.operations[anyone()]
    guard let other = operation.dependencies.randomElement(using: &generator) else { return }
    operation.removeDependency(other)
  }

  private mutating func hold() {
    let index = number(below: 2) == 0 ? own.randomElement(using: &generator) ?? anyone() : anyone()
    let gate = storm.operations[index].addGate()
    guard !gate.isOpen else { return }
    let place = storm.trace.write(index) { record, _ in
      record.gates.append(.max)
      return record.gates.count - 1
    }
    gates.append((index, place, gate))
  }

  private mutating func release() {
    guard let (index, place, gate) = gates.popLast() else { return }
    // One that is let go without having been opened cancels its operation.
    let isOpened = number(below: 10) > 0
    storm.trace.write(index) { record, time in
      record.gates[place] = time
      if !isOpened { record.isAsked = true }
    }
    if isOpened { gate.open() }
  }

  // MARK: The rest

  private func cancel(_ index: Int) {
    storm.trace.write(index) { record, _ in record.isAsked = true }
    storm.operations[index].cancel()
  }

  private mutating func suspend() {
    let isSuspended = number(below: 3) == 0
    anyQueue().set { $0.isSuspended = isSuspended }
  }

  private mutating func widen() {
    let width = number(below: 5)
    anyQueue().set { $0.width = width == 4 ? .max : width }
  }

  private mutating func limit() {
    let count = number(below: 4)
    storm.limit.set(count)
  }

  private mutating func prioritise() {
    storm.operations[anyone()].queuePriority = PoolQueuePriority(nearest: number(below: 17) - 8)
  }

  /// Asks for everything, and for what must be refused.
  private mutating func look() {
    let index = anyone()
    let operation = storm.operations[index]
    let isOver = operation.outcome != nil
    let state = operation.state
    if isOver && state != .finished || state == .finished && !operation.isFinished {
      storm.trace.fault("\(index) has an outcome, but was \(state)")
    }
    let queue = anyQueue().queue
    let members = queue.operations
    if Set(members.map(ObjectIdentifier.init)).count != members.count {
      storm.trace.fault("a queue has an operation twice")
    }
    guard operation.outcome != nil || members.contains(where: { $0 === operation }) else { return }
    do throws(PoolError) {
      try queue.addOperation(operation)
      storm.trace.fault("\(index) was added twice")
    } catch {
      expect(error, .alreadyEnqueued)
    }
  }
}
