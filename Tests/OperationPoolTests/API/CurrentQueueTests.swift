import OperationPool
import PoolModel
import Testing

/// Contract: a block knows the queue that it is in.
@Suite("The current queue", .timeLimit(.minutes(30)))
struct CurrentQueueTests {
  @Test("only a block has it, also in tasks that it starts and in groups")
  func current() async throws {
    let queue = try Pools.queue()
    let notebook = Notebook<Bool>()
    let block = PoolBlockOperation { [weak queue] in
      notebook.write(PoolOperationQueue.current === queue)
    }
    let task = PoolBlockOperation { [weak queue] in
      notebook.write(await Task { PoolOperationQueue.current === queue }.value)
    }
    let member = PoolBlockOperation { [weak queue] in
      notebook.write(PoolOperationQueue.current === queue)
    }
    let group = try PoolGroupOperation(operations: [PoolGroupOperation(operations: [member])])
    try queue.addOperations([block, task, group])
    try await queue.allOperationsFinished()
    #expect(notebook.all == [true, true, true])
    #expect(PoolOperationQueue.current == nil)
  }

  @Test("a queue that was dropped is not found any more, and finishes its work")
  func dropped() async throws {
    var queue: PoolOperationQueue? = try Pools.queue()
    let notebook = Notebook<Bool>()
    let block = PoolBlockOperation { notebook.write(PoolOperationQueue.current == nil) }
    let gate = block.addGate()
    try queue?.addOperation(block)
    queue = nil
    gate.open()
    #expect(try await block.finished().ending == .succeeded)
    #expect(notebook.all == [true])
  }
}
