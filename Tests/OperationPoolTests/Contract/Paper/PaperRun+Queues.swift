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
    note("cancel all of \(index)")
    paper.cancel(paper.members(of: index))
    perform { queue.cancelAllOperations() }
  }

  mutating func suspend() {
    guard let (index, queue) = pickQueue() else { return }
    let isSuspended = !paper.queues[index].isSuspended
    note("\(isSuspended ? "suspend" : "resume") \(index)")
    paper.queues[index].isSuspended = isSuspended
    paper.settle()
    perform { queue.isSuspended = isSuspended }
  }

  mutating func widen() {
    guard let (index, queue) = pickQueue() else { return }
    let width = number(below: 5) - 1
    note("\(index) becomes \(width) wide")
    paper.queues[index].width = width < 0 ? .max : width
    paper.settle()
    perform { queue.maxConcurrentOperationCount = width }
  }

  mutating func limit() {
    let index = number(below: limits.count)
    let count = number(below: 4)
    note("limit \(index) becomes \(count)")
    setLimit(index, count)
  }

  private mutating func setLimit(_ index: Int, _ count: Int) {
    paper.units["limit \(index)"] = count
    paper.settle()
    let limit = limits[index]
    perform { limit.setCount(count) }
  }

  /// A queue that is dropped finishes its work, whatever held it back.
  mutating func drop() {
    guard queues.count(where: { $0 != nil }) > 1, let (index, _) = pickQueue() else { return }
    note("drop queue \(index)")
    paper.queues[index].isSuspended = false
    paper.queues[index].width = max(paper.queues[index].width, 1)
    paper.settle()
    stage.allow(paper.operations.map(\.begun))
    queues[index] = nil
  }

  // MARK: The end

  /// Takes away everything that holds anything back, and lets everything end.
  mutating func finish() {
    guard faults.isEmpty else { return }
    for index in limits.indices {
      setLimit(index, 2)
      check()
    }
    for index in queues.indices { resume(index) }
    while let (index, gate) = gates.popLast() {
      openOnPaper(index)
      perform { gate.open() }
      check()
    }
    addRest()
    while faults.isEmpty,
      let index = paper.operations.firstIndex(where: { $0.phase == .executing })
    {
      end(index, .success)
      check()
    }
    guard faults.isEmpty, let stuck = paper.operations.firstIndex(where: { !$0.isFinished }) else {
      return
    }
    faults.append("\(stuck) never ends, on paper")
  }

  private mutating func resume(_ index: Int) {
    guard let queue = queues[index] else { return }
    paper.queues[index].width = 2
    paper.settle()
    perform { queue.maxConcurrentOperationCount = 2 }
    check()
    paper.queues[index].isSuspended = false
    paper.settle()
    perform { queue.isSuspended = false }
    check()
  }

  /// Adds what is in no queue, each to a new one, where no barrier can close a circle.
  private mutating func addRest() {
    for index in paper.operations.indices where paper.operations[index].phase == .loose {
      guard faults.isEmpty, let operation = operations[index] else { return }
      note("add the rest: \(index)")
      let queue = PoolOperationQueue(fleet: fleet)
      queues.append(queue)
      paper.queues.append(.init())
      let isAccepted = paper.add([index], to: queues.count - 1)
      expect(isAccepted) { () throws(PoolError) in try queue.addOperation(operation) }
      check()
    }
  }
}
