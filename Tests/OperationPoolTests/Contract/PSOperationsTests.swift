import OperationPool
import PoolModel
import Testing

/// Contract: the cases of PSOperations' suite; in brackets its name for each.
@Suite("PSOperations' cases", .timeLimit(.minutes(30)))
struct PSOperationsTests {
  // [testOperationRunsEvenIfDepCancels]
  @Test("an operation executes although its dependency cancels itself while it executes")
  func dependencyCancels() async throws {
    let queue = try Pools.blocks()
    let dependency = block {
      PoolOperation.current?.cancel()
      throw CancellationError()
    }
    let dependent = block()
    try dependent.addDependency(dependency)
    try queue.addOperations([dependency, dependent])
    #expect(try await dependent.finished().ending == .succeeded)
    #expect(dependency.outcome?.ending == .cancelled)
  }

  // [testCancelledOperationLeavesQueue]
  @Test("a cancelled operation that nothing else would release leaves its queue")
  func cancelledLeaves() async throws {
    let queue = try Pools.blocks()
    let operation = block()
    try operation.addDependency(block())
    try queue.addOperation(operation)
    try await queue.addOperation {}.finished()
    #expect(queue.operationCount == 1)
    operation.cancel()
    try await operation.finished()
    #expect(queue.operationCount == 0 && queue.operations.isEmpty)
  }

  // [testOperationQueueNotGettingStuck]
  @Test("an operation that adds one to its own serial queue, which waits for it, gets it executed")
  func notStuck() async throws {
    let queue = try Pools.blocks(width: 1)
    let notebook = Notebook<String>()
    let last = block { notebook.write("last") }
    let first = block {
      notebook.write("first")
      let child = block { notebook.write("child") }
      try last.addDependency(child)
      try queue.addOperation(child)
    }
    try last.addDependency(first)
    try queue.addOperations([first, last])
    try await last.finished()
    #expect(notebook.all == ["first", "child", "last"])
  }

  // [testMoveFromPendingToFinishingByWayOfCancelAfterEnteringQueue]
  @Test("cancelled while it waits in a queue, an operation goes straight to its end")
  func pendingToFinished() async throws {
    let queue = try Pools.blocks()
    let operation = block { Issue.record("it must not execute") }
    let gate = operation.addGate()
    try queue.addOperation(operation)
    #expect(operation.state == .pending)
    operation.cancel()
    #expect(try await operation.finished().attempts == 0)
    gate.open()
    #expect(operation.flags == ["cancelled", "finished"])
  }

  // [testOperationDidStartWhenSetMaxConcurrencyCountOnTheQueue]
  @Test("at each width, so many execute at once, and all execute", arguments: 1...4)
  func width(_ width: Int) async throws {
    let queue = try Pools.blocks(width: width)
    let met = Notebook<Bool>()
    // Each round needs all of the width at once.
    for _ in 0..<10 {
      let meeting = Meeting(of: width)
      try queue.addOperations((0..<width).map { _ in block { met.write(meeting.join()) } })
    }
    try await queue.allOperationsFinished()
    #expect(met.all == Array(repeating: true, count: 10 * width))
  }

  // [testConcurrentOpsWithBlockingOp]
  @Test("one that waits for the others within its block holds none of them up")
  func blocking() async throws {
    let queue = try Pools.blocks()
    let others = (0..<20).map { _ in block() }
    let waiting = block { for other in others { try other.waitUntilFinished() } }
    try queue.addOperation(waiting)
    try queue.addOperations(others)
    #expect(try await waiting.finished().ending == .succeeded)
  }

  // [what would be a deadlock there]
  @Test("a block that waits for itself, its queue, or the next of a serial queue is refused")
  func deadlocks() async throws {
    let queue = try Pools.blocks(width: 1)
    let next = block()
    let codes = Notebook<PoolError.Code>()
    @Sendable func note(_ wait: () throws(PoolError) -> Void) {
      do throws(PoolError) { try wait() } catch { codes.write(error.code) }
    }
    let waiting = block {
      note { () throws(PoolError) in try PoolOperation.current?.waitUntilFinished() }
      note { () throws(PoolError) in try next.waitUntilFinished() }
      note { () throws(PoolError) in try queue.waitUntilAllOperationsAreFinished() }
    }
    try queue.addOperations([waiting, next])
    try await queue.allOperationsFinished()
    #expect(codes.all == [.deadlock, .deadlock, .deadlock])
  }
}
