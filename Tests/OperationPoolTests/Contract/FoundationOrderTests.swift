import OperationPool
import PoolModel
import PoolTestSupport
import Testing

/// Contract: what Foundation's own `TestOperationQueue` asserts of counts, order and priorities.
///
/// In brackets the case that each test takes over.
@Suite("Foundation's cases: order", .timeLimit(.minutes(30)))
struct FoundationOrderTests {
  // [test_OperationCount]
  @Test("a queue counts what it has not finished, and lists it in the order of addition")
  func count() async throws {
    let queue = try Pools.blocks()
    let (begun, end) = (Meeting(of: 2), Meeting(of: 2))
    let first = block {
      begun.join()
      end.join()
    }
    try queue.addOperation(first)
    try await Blocking.run { begun.join() }
    #expect(queue.operationCount == 1)
    let second = block()
    try second.addDependency(first)
    try queue.addOperation(second)
    #expect(queue.operationCount == 2)
    #expect(areSame(queue.operations, [first, second]))
    try await Blocking.run { end.join() }
    try await queue.allOperationsFinished()
    #expect(queue.operationCount == 0 && queue.operations.isEmpty)
  }

  // [test_OperationPriorities]
  @Test("a batch of four priorities goes by priority over the whole batch")
  func priorities() async throws {
    let queue = try Pools.blocks(width: 1)
    let notebook = Notebook<PoolQueuePriority>()
    let levels: [PoolQueuePriority] = [.normal, .low, .veryHigh, .veryLow]
    try queue.addOperations(
      levels.map { level in block(priority: level) { notebook.write(level) } }
    )
    try await queue.allOperationsFinished()
    #expect(notebook.all == [.veryHigh, .normal, .low, .veryLow])
  }

  // [test_OperationOrder]
  @Test("at a width of one and one priority, the order is that of addition")
  func order() async throws {
    let queue = try Pools.blocks(width: 1)
    let notebook = Notebook<Int>()
    for number in 1...5 { try queue.addOperation { notebook.write(number) } }
    try await queue.allOperationsFinished()
    #expect(notebook.all == [1, 2, 3, 4, 5])
  }

  // [test_OperationOrder2]
  @Test("priorities added in ascending order go in descending order")
  func ascending() async throws {
    let queue = try Pools.blocks(width: 1)
    let notebook = Notebook<PoolQueuePriority>()
    let levels = PoolQueuePriority.allCases.sorted()
    queue.isSuspended = true
    for level in levels {
      try queue.addOperation(block(priority: level) { notebook.write(level) })
    }
    queue.isSuspended = false
    try await queue.allOperationsFinished()
    #expect(notebook.all == levels.reversed())
  }

  // [test_ExecutionOrder]
  @Test("a dependency later in the batch goes first, and what is independent goes too")
  func dependencyInBatch() async throws {
    let queue = try Pools.blocks(width: 1)
    let notebook = Notebook<String>()
    let dependent = block { notebook.write("dependent") }
    let dependency = block { notebook.write("dependency") }
    let independent = block { notebook.write("independent") }
    try dependent.addDependency(dependency)
    try queue.addOperations([dependent, dependency, independent])
    try await queue.allOperationsFinished()
    #expect(notebook.all == ["dependency", "dependent", "independent"])
  }

  // [test_CancelOneOperation]
  @Test("of five at a width of one, the third is cancelled and never executes; the others do")
  func cancelOne() async throws {
    let queue = try Pools.blocks(width: 1)
    let notebook = Notebook<Int>()
    let operations = (1...5).map { number in block { notebook.write(number) } }
    queue.isSuspended = true
    try queue.addOperations(operations)
    operations[2].cancel()
    queue.isSuspended = false
    try await queue.allOperationsFinished()
    #expect(notebook.all == [1, 2, 4, 5])
    #expect(operations[2].outcome?.ending == .cancelled)
  }

  // [test_CancelOperationsOfSpecificQueuePriority]
  @Test("the first cancels all of a lower priority: exactly those of the high one execute")
  func cancelPriority() async throws {
    let queue = try Pools.blocks(width: 1)
    let notebook = Notebook<String>()
    let first = block(priority: .high) {
      notebook.write("first")
      for operation in queue.operations where operation.queuePriority == .normal {
        operation.cancel()
      }
    }
    let others = [("a", .normal), ("b", .high), ("c", .normal)].map {
      (name: String, level: PoolQueuePriority) in
      block(priority: level) { notebook.write(name) }
    }
    try queue.addOperations([first] + others)
    try await queue.allOperationsFinished()
    #expect(notebook.all == ["first", "b"])
    #expect(others.map(\.isCancelled) == [true, false, true])
  }

  // [test_Deadlock]
  @Test("a dependent added before its dependency at a width of one holds up nothing")
  func noHeadOfLine() async throws {
    let (dependency, dependent) = (block(), block())
    try dependent.addDependency(dependency)
    func addAndDrop() throws {
      let queue = try Pools.blocks(width: 1)
      try queue.addOperation(dependent)
      try queue.addOperation(dependency)
    }
    // The queue is let go before either has finished.
    try addAndDrop()
    #expect(try await dependent.finished().ending == .succeeded)
    #expect(dependency.isFinished)
  }

  // [test_ConcurrentOperations]
  @Test("at a width of two, one of two operations can wait for the other, again and again")
  func concurrent() async throws {
    let queue = try Pools.blocks(width: 2)
    let notebook = Notebook<Bool>()
    for _ in 0..<3 {
      let meeting = Meeting(of: 2)
      let operations = (0..<2).map { _ in block { notebook.write(meeting.join()) } }
      try queue.addOperations(operations)
      for operation in operations { try await operation.finished() }
    }
    #expect(notebook.all == Array(repeating: true, count: 6))
  }

  // [test_ConcurrentOperationsWithDependenciesAndCompletions]
  @Test("beside that, dependencies hold and completion blocks are called")
  func concurrentWithCompletions() async throws {
    let queue = try Pools.blocks(width: 2)
    for _ in 0..<3 {
      let meeting = Meeting(of: 2)
      let (notebook, completions) = (Notebook<String>(), Notebook<Bool>())
      let operations = (0..<2).map { _ in
        block {
          meeting.join()
          notebook.write("one of two")
        }
      }
      let last = block { notebook.write("last") }
      for operation in operations { try last.addDependency(operation) }
      for operation in operations + [last] {
        operation.completionBlock = { completions.write(true) }
      }
      try queue.addOperations([last] + operations)
      try await last.finished()
      #expect(completions.reaches(3))
      #expect(notebook.all == ["one of two", "one of two", "last"])
    }
  }

  // [test_BlockOperationAddExecutionBlock]
  @Test("both blocks of an operation execute, and it lists them")
  func executionBlocks() async throws {
    let queue = try Pools.blocks()
    let notebook = Notebook<Int>()
    let operation = block { notebook.write(1) }
    try operation.addExecutionBlock { notebook.write(2) }
    #expect(operation.executionBlocks.count == 2)
    try queue.addOperation(operation)
    try await operation.finished()
    #expect(notebook.all.sorted() == [1, 2])
  }
}
