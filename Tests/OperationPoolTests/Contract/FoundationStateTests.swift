import OperationPool
import PoolModel
import PoolTestSupport
import Testing

/// Contract: what Foundation's own `TestOperationQueue` asserts of states, cancellation, waiting
/// and suspension.
///
/// In brackets the case that each test takes over.
@Suite("Foundation's cases: states", .timeLimit(.minutes(30)))
struct FoundationStateTests {
  // [test_isExecutingWorks]
  @Test("isExecuting is false before, true within, and false afterwards")
  func executing() async throws {
    let queue = try Pools.blocks()
    let notebook = Notebook<Bool?>()
    let operation = block { notebook.write(PoolOperation.current?.isExecuting) }
    #expect(!operation.isExecuting)
    try queue.addOperation(operation)
    try await operation.finished()
    #expect(notebook.all == [true])
    #expect(!operation.isExecuting)
  }

  // [test_isExecutingWorks], in another process
  @Test("isExecuting is mirrored from what a worker reports")
  func executingElsewhere() async throws {
    let queue = try Pools.queue()
    let slow = operation("untilCancelled", "{}")
    #expect(slow.flags == ["ready"])
    try queue.addOperation(slow)
    #expect(await slow.reaches(.executing))
    #expect(slow.flags == ["executing"])
    slow.cancel()
    try await slow.finished()
    #expect(slow.flags == ["cancelled", "finished"])
  }

  // [test_CurrentQueueOnBackgroundQueueWithSelfCancel]
  @Test("an executing operation may cancel all of its queue, itself too")
  func selfCancel() async throws {
    let queue = try Pools.blocks(width: 1)
    let first = block {
      queue.cancelAllOperations()
      try #require(PoolOperation.current?.isCancelled == true)
    }
    let second = block()
    try queue.addOperations([first, second])
    try await queue.allOperationsFinished()
    #expect(first.outcome?.ending == .succeeded, "it did not obey")
    #expect(second.outcome?.ending == .cancelled && second.outcome?.attempts == 0)
  }

  // [test_isSuspended]
  @Test("nothing executes while the queue is suspended, and everything afterwards")
  func suspended() async throws {
    let queue = try Pools.blocks()
    queue.isSuspended = true
    let notebook = Notebook<Int>()
    for number in 0..<3 { try queue.addOperation { notebook.write(number) } }
    // What another queue executes meanwhile would have come after these.
    try await Pools.blocks().addOperation {}.finished()
    #expect(notebook.all.isEmpty && queue.operationCount == 3)
    queue.isSuspended = false
    try await queue.allOperationsFinished()
    #expect(notebook.all.sorted() == [0, 1, 2])
  }

  // [test_OperationDependencyCount]
  @Test("dependencies are counted")
  func dependencyCount() throws {
    let (first, second) = (block(), block())
    try first.addDependency(second)
    #expect(first.dependencies.count == 1)
    #expect(second.dependencies.isEmpty)
  }

  // [test_CancelDependency]
  @Test("a cancelled dependency never executes, and its dependent does")
  func cancelDependency() async throws {
    let queue = try Pools.blocks()
    let notebook = Notebook<String>()
    let dependency = block { notebook.write("dependency") }
    let dependent = block { notebook.write("dependent") }
    try dependent.addDependency(dependency)
    dependency.cancel()
    try queue.addOperations([dependency, dependent])
    try await queue.allOperationsFinished()
    #expect(notebook.all == ["dependent"])
  }

  // [test_CancelOutOfQueue]
  @Test("cancelled in no queue, an operation is marked, does not execute, and has not finished")
  func cancelOutOfQueue() {
    let operation = block()
    operation.cancel()
    #expect(operation.isCancelled && !operation.isExecuting && !operation.isFinished)
    #expect(operation.outcome == nil)
  }

  // [test_CrossQueueDependency]
  @Test("an operation depends on one of another queue")
  func crossQueue() async throws {
    let (queue, other) = (try Pools.blocks(), try Pools.blocks())
    let notebook = Notebook<String>()
    let (first, second) = (block { notebook.write("1") }, block { notebook.write("2") })
    try second.addDependency(first)
    try queue.addOperation(second)
    try other.addOperation(first)
    try await second.finished()
    #expect(notebook.all == ["1", "2"])
  }

  // [test_CancelWhileSuspended]
  @Test("cancelled while suspended, operations are finished and never executed")
  func cancelWhileSuspended() async throws {
    let queue = try Pools.blocks()
    queue.isSuspended = true
    let operations = [block(), block()]
    try queue.addOperations(operations)
    for operation in operations { operation.cancel() }
    queue.isSuspended = false
    try await queue.allOperationsFinished()
    for operation in operations {
      #expect(operation.flags == ["cancelled", "finished"])
      #expect(operation.outcome?.attempts == 0)
    }
  }

  // [test_WaitUntilFinished]
  @Test("waiting for a queue waits for what is held up by another queue")
  func waitForQueue() async throws {
    let (queue, other) = (try Pools.blocks(), try Pools.blocks())
    let (first, second) = (block(), block())
    let gate = first.addGate()
    try second.addDependency(first)
    try queue.addOperation(first)
    try other.addOperation(second)
    async let isEmpty: Void = other.allOperationsFinished()
    #expect(second.state == .pending && other.operationCount == 1)
    gate.open()
    try await isEmpty
    #expect(second.isFinished && queue.operationCount == 0 && other.operationCount == 0)
  }

  // [test_OperationWaitUntilFinished], without its grace of 0.1 s
  @Test("after waiting for an operation, it is no longer in its queue")
  func waitForOperation() async throws {
    let queue = try Pools.blocks()
    for _ in 0..<200 {
      let operation = block()
      try queue.addOperation(operation)
      try await Blocking.run { try operation.waitUntilFinished() }
      #expect(operation.isFinished && operation.outcome != nil && queue.operationCount == 0)
    }
  }

  // [test_CustomOperationReady], which Foundation skips as flaky
  @Test("an operation with readiness of its own stays until it is told, and is never forgotten")
  func customReady() async throws {
    let queue = try Pools.blocks()
    for _ in 0..<200 {
      let operation = block()
      let gate = operation.addGate()
      try queue.addOperation(operation)
      #expect(!operation.isReady && queue.operationCount == 1)
      gate.open()
      try await operation.finished()
      #expect(queue.operationCount == 0)
    }
  }

  // [test_DependencyCycleBreak]: what cannot come into being need not be broken
  @Test("the third side of a triangle is refused by name, and the other two execute")
  func cycle() async throws {
    let queue = try Pools.blocks()
    let operations = ["1", "2", "3"].map { block($0) }
    try operations[0].addDependency(operations[1])
    try operations[1].addDependency(operations[2])
    let refusal = #expect(throws: PoolError.self) {
      try operations[2].addDependency(operations[0])
    }
    #expect(refusal?.code == .cycle)
    #expect(refusal?.description == "operations wait for each other: '3' → '1' → '2' → '3'")
    queue.isSuspended = true
    try queue.addOperations(operations)
    #expect(queue.operationCount == 3)
    operations[2].cancel()
    queue.isSuspended = false
    try await queue.allOperationsFinished()
    #expect(operations.map { $0.outcome?.ending } == [.succeeded, .succeeded, .cancelled])
  }

  // [test_Lifecycle]: what is left of the workers is looked at in `LifetimeTests`
  @Test("a queue lives while it has operations, and no longer")
  func lifecycle() async throws {
    weak var dropped: PoolOperationQueue?
    let gate: PoolGate
    let operation = block()
    do {
      let queue = try Pools.blocks()
      dropped = queue
      gate = operation.addGate()
      try queue.addOperation(operation)
    }
    #expect(dropped == nil, "nobody holds the object")
    #expect(operation.state == .pending, "its work is not forgotten")
    gate.open()
    #expect(try await operation.finished().ending == .succeeded)
  }
}
