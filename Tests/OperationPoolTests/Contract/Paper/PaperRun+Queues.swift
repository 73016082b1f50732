import OperationPool
import PoolModel

// The calls to queues, and how a run ends.

extension PaperRun {
  private mutating func pickQueue() -> (Int, PoolOperationQueue)? {
    let kept = queues.indices.compactMap { index in queues[index].map { (index, $0) } }
    return kept.randomElement(using: &generator)
  }

  mutating func cancelAll() {
    guard let (index, queue) = pickQueue() else { return }
    let members = paper.members(of: index)
    note("cancel all of \(index)")
    guard attempt({ $0.cancel(members) }) != nil else { return }
    perform { queue.cancelAllOperations() }
  }

  mutating func suspend() {
    guard let (index, queue) = pickQueue() else { return }
    _ = suspend(index, queue, !paper.queues[index].isSuspended)
  }

  private mutating func suspend(
    _ index: Int,
    _ queue: PoolOperationQueue,
    _ isSuspended: Bool
  ) -> Bool {
    note("\(isSuspended ? "suspend" : "resume") \(index)")
    let change: Void? = attempt { paper in
      paper.queues[index].isSuspended = isSuspended
      paper.settle()
    }
    guard change != nil else { return false }
    perform { queue.isSuspended = isSuspended }
    return true
  }

  mutating func widen() {
    guard let (index, queue) = pickQueue() else { return }
    _ = widen(index, queue, to: number(below: 5) - 1)
  }

  private mutating func widen(
    _ index: Int,
    _ queue: PoolOperationQueue,
    to width: Int
  ) -> Bool {
    note("\(index) becomes \(width) wide")
    let change: Void? = attempt { paper in
      paper.queues[index].width = width < 0 ? .max : width
      paper.settle()
    }
    guard change != nil else { return false }
    perform { queue.maxConcurrentOperationCount = width }
    return true
  }

  mutating func limit() {
    _ = setLimit(number(below: limits.count), number(below: 4))
  }

  private mutating func setLimit(_ index: Int, _ count: Int) -> Bool {
    note("limit \(index) becomes \(count)")
    let change: Void? = attempt { paper in
      paper.units["limit \(index)"] = count
      paper.settle()
    }
    guard change != nil else { return false }
    let limit = limits[index]
    perform { limit.setCount(count) }
    return true
  }

  /// A queue that is dropped finishes its work, whatever held it back.
  mutating func drop() {
    guard queues.count(where: { $0 != nil }) > 1, let (index, _) = pickQueue() else { return }
    note("drop queue \(index)")
    let change: Void? = attempt { paper in
      paper.queues[index].isSuspended = false
      paper.queues[index].width = max(paper.queues[index].width, 1)
      paper.settle()
    }
    guard change != nil else { return }
    stage.allow(paper.operations.map(\.begun))
    queues[index] = nil
  }
}

// MARK: - The end

extension PaperRun {
  /// Takes away everything that holds anything back, and lets everything end.
  mutating func finish() {
    while faults.isEmpty, loosens() || addsRest() || endsSomething() { check() }
    guard faults.isEmpty else { return }
    // The rest could go on in more than one way.
    if paper.operations.contains(where: { !$0.isFinished }) { abandon() }
    for question in questions { stage.answer(question, .success) }
    faults += stage.completions()
  }

  /// Takes one thing away that holds something back; false where it finds none.
  private mutating func loosens() -> Bool {
    for index in limits.indices where paper.units["limit \(index)"] != 2 {
      if setLimit(index, 2) { return true }
    }
    for (index, queue) in queues.enumerated() {
      guard let queue else { continue }
      if paper.queues[index].width != 2, widen(index, queue, to: 2) { return true }
      if paper.queues[index].isSuspended, suspend(index, queue, false) { return true }
    }
    for (index, operation) in operations.enumerated() where paper.operations[index].width != .max {
      guard let group = operation as? PoolGroupOperation else { continue }
      if widen(index, group, to: -1) { return true }
    }
    for place in gates.indices.reversed() where release(place, isOpened: true) { return true }
    return false
  }

  /// Adds something that is in no queue to a new one, where no barrier can close a cycle.
  private mutating func addsRest() -> Bool {
    for (index, record) in paper.operations.enumerated() {
      guard record.phase == .loose, record.group == nil, let operation = operations[index] else {
        continue
      }
      note("add the rest: \(index)")
      let target = queues.count
      let isAccepted = attempt { paper in
        paper.queues.append(.init())
        return paper.add([index], to: target)
      }
      guard let isAccepted else { continue }
      let queue = PoolOperationQueue(fleet: fleet)
      queues.append(queue)
      expect(isAccepted) { () throws(PoolError) in try queue.addOperation(operation) }
      return true
    }
    return false
  }

  /// Answers one question, or tells one execution to end; false where it finds none.
  private mutating func endsSomething() -> Bool {
    for place in questions.indices.reversed() where answer(place, .success) { return true }
    for index in executing where end(index, .success) { return true }
    return false
  }

  /// Goes on without comparing: everything must end all the same.
  private mutating func abandon() {
    let questions = questions
    perform { [stage] in stage.free(questions) }
    for (_, gate) in gates { gate.open() }
    for queue in queues {
      queue?.maxConcurrentOperationCount = -1
      queue?.isSuspended = false
    }
    for limit in limits { limit.setCount(2) }
    for case let group as PoolGroupOperation in operations {
      group.maxConcurrentOperationCount = -1
    }
    for (index, record) in paper.operations.enumerated()
    where record.phase == .loose && record.group == nil {
      guard let operation = operations[index] else { continue }
      let queue = PoolOperationQueue(fleet: fleet)
      expect(true) { () throws(PoolError) in try queue.addOperation(operation) }
    }
  }
}
