import OperationPool
import PoolModel
import PoolTestSupport

// The calls, at random.

extension PaperRun {
  /// Makes one call.
  mutating func act() {
    switch number(below: 124) {
    case ..<14: create()
    case ..<30: add()
    case ..<44: depend()
    case ..<48: forgetDependency()
    case ..<54: cancel()
    case ..<56: cancelAll()
    case ..<60: suspend()
    case ..<64: widen()
    case ..<68: prioritise()
    case ..<71: hold()
    case ..<75: release()
    case ..<77: limit()
    case ..<78: drop()
    case ..<79: letGo()
    case ..<88: enrol()
    case ..<93: addGroup()
    case ..<95: widenGroup()
    case ..<97: cancelGroup()
    case ..<99: demand()
    case ..<106: answer()
    default: end()
    }
  }

  mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

  mutating func chance(_ percent: Int) -> Bool { number(below: 100) < percent }

  mutating func pick<Value>(_ values: [Value]) -> Value? {
    values.randomElement(using: &generator)
  }

  func indices(where isWanted: (PaperPool.Operation) -> Bool) -> [Int] {
    operations.indices.filter { operations[$0] != nil && isWanted(paper.operations[$0]) }
  }

  private mutating func pickQueue() -> Int? { pick(queues.indices.filter { queues[$0] != nil }) }

  mutating func pickOperation() -> Int? { pick(indices { _ in true }) }

  // MARK: Making and adding

  private mutating func create() {
    guard operations.count < 16 else { return }
    if chance(20) { return createGroup() }
    var record = PaperPool.Operation()
    record.priority = chance(40) ? pick(PoolQueuePriority.allCases) ?? .normal : .normal
    record.raisesDependencies = chance(10)
    record.slots = chance(20) ? 1 + number(below: 3) : 1
    record.isBarrier = chance(10)
    record.retries = chance(10) ? 1 : 0
    var options = PoolOperationOptions(
      queuePriority: record.priority,
      retryPolicy: .retries(record.retries, delay: .zero)
    )
    options.raisesDependencies = record.raisesDependencies
    options.slots = record.slots
    options.isBarrier = record.isBarrier
    for category in ["x", "y"] where chance(15) {
      // Categories are the whole process's: other seeds have others.
      options.exclusive.append("\(category) of seed \(seed)")
      record.claims.append(category)
    }
    for limit in limits.indices where chance(10) {
      options.limits.append(limits[limit])
      record.claims.append("limit \(limit)")
    }
    note("create \(operations.count): \(record)")
    let index = operations.count
    let operation = PoolBlockOperation(options: options) { [stage] in try stage.play(index) }
    keep(operation, record)
    if chance(20) { demand(of: index) }
  }

  mutating func keep(_ operation: PoolOperation, _ record: PaperPool.Operation) {
    let index = operations.count
    operation.completionBlock = { [stage] in stage.complete(index) }
    operations.append(operation)
    paper.operations.append(record)
    stage.allow(paper.operations.map(\.begun))
  }

  private mutating func add() {
    guard let target = pickQueue() else { return }
    let loose = indices { $0.phase == .loose }
    var batch = Array(loose.shuffled(using: &generator).prefix(4))
    batch = Array(batch.prefix(1 + number(below: 4)))
    if chance(5), let odd = pick(indices { !$0.isGroup }) { batch.append(odd) }
    add(batch, to: target)
  }

  mutating func add(_ batch: [Int], to target: Int) {
    guard let queue = queues[target], !batch.isEmpty else { return }
    note("add \(batch) to \(target)")
    guard let isAccepted = attempt({ $0.add(batch, to: target) }) else { return }
    let real = batch.compactMap { operations[$0] }
    expect(isAccepted) { () throws(PoolError) in
      try real.count == 1 ? queue.addOperation(real[0]) : queue.addOperations(real)
    }
  }

  // MARK: Dependencies

  private mutating func depend() {
    guard let index = pickOperation(), let other = pickOperation(),
      let operation = operations[index], let dependency = operations[other]
    else { return }
    let requirement =
      chance(50) ? .finished : pick(PoolRequirement.allCases) ?? .finished
    note("\(index) depends on \(other), requiring \(requirement)")
    let isAccepted = attempt { $0.addDependency(of: index, on: other, requiring: requirement) }
    guard let isAccepted else { return }
    expect(isAccepted) { () throws(PoolError) in
      try operation.addDependency(dependency, requiring: requirement)
    }
  }

  private mutating func forgetDependency() {
    guard let index = pick(indices { !$0.dependencies.isEmpty }), let operation = operations[index],
      let other = pick(paper.operations[index].dependencies.map(\.index)),
      let dependency = operations[other]
    else { return }
    note("\(index) does not depend on \(other)")
    guard attempt({ $0.removeDependency(of: index, on: other) }) != nil else { return }
    perform { operation.removeDependency(dependency) }
  }

  private mutating func hold() {
    // Some are asked again then, while the first question is still open.
    let asked = chance(40) ? pick(indices { $0.phase == .preparing }) : nil
    guard let index = asked ?? pickOperation(), let operation = operations[index] else { return }
    note("hold \(index)")
    let isHeld = paper.operations[index].acceptsDependencies
    if isHeld {
      paper.operations[index].closedGates += 1
      paper.settle()
    }
    let gate = operation.addGate()
    if gate.isOpen == isHeld { faults.append("the gate is open: \(gate.isOpen)") }
    if isHeld { gates.append((index, gate)) }
  }

  private mutating func release() {
    let asked = gates.indices.filter { place in
      questions.contains { $0.index == gates[place].operation }
    }
    guard let place = chance(40) ? pick(asked) : pick(Array(gates.indices)) else { return }
    _ = release(place, isOpened: chance(80))
  }

  /// Opens a gate, or lets it go without, which cancels its operation; false where it does not.
  mutating func release(_ place: Int, isOpened: Bool) -> Bool {
    let index = gates[place].operation
    note("\(isOpened ? "open" : "drop") a gate of \(index)")
    let change: Void? = attempt { paper in
      guard isOpened else { return paper.cancel([index]) }
      paper.operations[index].closedGates -= 1
      paper.settle()
    }
    guard change != nil else { return false }
    let gate = gates.remove(at: place).gate
    perform { if isOpened { gate.open() } }
    return true
  }

  // MARK: One operation

  private mutating func cancel() {
    guard let index = pickOperation() else { return }
    cancel(index)
  }

  mutating func cancel(_ index: Int) {
    guard let operation = operations[index] else { return }
    note("cancel \(index)")
    guard attempt({ $0.cancel([index]) }) != nil else { return }
    perform { operation.cancel() }
  }

  private mutating func prioritise() {
    guard let index = pickOperation(), let operation = operations[index],
      let level = pick(PoolQueuePriority.allCases)
    else { return }
    note("\(index) becomes \(level)")
    let change: Void? = attempt { paper in
      paper.operations[index].priority = level
      paper.settle()
    }
    guard change != nil else { return }
    perform { operation.queuePriority = level }
  }

  private mutating func end() {
    guard let index = pick(executing) else { return }
    _ = end(index, PaperStage.Ending.allCases[number(below: 3)])
  }

  /// Those whose blocks can be told to end.
  var executing: [Int] {
    paper.operations.indices.filter { index in
      paper.operations[index].phase == .executing && !paper.operations[index].isGroup
    }
  }

  /// Tells an execution how to end; false where it does not.
  mutating func end(_ index: Int, _ ending: PaperStage.Ending) -> Bool {
    note("\(index) ends: \(ending)")
    let change: Void? = attempt { paper in
      switch ending {
      case .success: paper.end(index, as: .succeeded)
      case .failure: paper.end(index, as: .failed)
      case .obedience:
        paper.end(index, as: paper.operations[index].isCancelled ? .cancelled : .failed)
      }
    }
    guard change != nil else { return false }
    perform { [stage] in stage.order(index, ending) }
    return true
  }

  private mutating func letGo() {
    // No call could widen a group of width 0 any more.
    let idle = indices { $0.phase != .loose && $0.closedGates == 0 && $0.width > 0 }
    guard let index = pick(idle) else { return }
    note("let go of \(index)")
    operations[index] = nil
  }
}
