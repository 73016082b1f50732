import Foundation
import OperationPool
import PoolModel
import PoolTestSupport
import Synchronization
import Testing

/// Contract: blocks are operations like any other, executed in this process, each on a thread.
@Suite("Blocks", .timeLimit(.minutes(30)))
struct BlockTests {
  @Test("at a width of one, blocks execute by priority, then in the order of their addition")
  func order() async throws {
    let queue = try Pools.queue()
    queue.maxConcurrentOperationCount = 1
    let notebook = Notebook<Int>()
    let levels: [PoolQueuePriority] = [.low, .veryHigh, .normal, .veryLow, .high, .normal]
    let blocks = levels.enumerated().map { index, level in
      PoolBlockOperation(options: .init(queuePriority: level)) { notebook.write(index) }
    }
    try queue.addOperations(blocks)
    for block in blocks { try await block.finished() }
    #expect(notebook.all == [1, 4, 2, 5, 0, 3])
  }

  @Test("blocks count, and wait while the queue is suspended")
  func suspension() async throws {
    let queue = try Pools.queue()
    let notebook = Notebook<String>()
    queue.isSuspended = true
    let held = try queue.addOperation { notebook.write("held") }
    #expect(queue.operationCount == 1 && queue.operations.first === held)
    #expect(held.isReady && held.name == nil)
    let witness = try Pools.queue().addOperation { notebook.write("witness") }
    try await witness.finished()
    #expect(held.isReady)
    queue.isSuspended = false
    let outcome = try await held.finished()
    #expect(outcome.ending == .succeeded && outcome.attempts == 1 && outcome.result == nil)
    #expect(notebook.all == ["witness", "held"])
    #expect(queue.operationCount == 0)
  }

  @Test("several blocks of one operation execute at once")
  func several() async throws {
    let queue = try Pools.queue()
    let (meeting, notebook) = (Meeting(of: 5), Notebook<Bool>())
    let operation = PoolBlockOperation { notebook.write(meeting.join()) }
    for _ in 1..<5 { try operation.addExecutionBlock { notebook.write(meeting.join()) } }
    #expect(operation.executionBlocks.count == 5)
    try queue.addOperation(operation)
    try await operation.finished()
    #expect(notebook.all == Array(repeating: true, count: 5))
  }

  @Test("however many blocks an operation has, each executes once, and none is no failure")
  func manyOrNone() async throws {
    let queue = try Pools.queue()
    let (none, many) = (PoolBlockOperation(), PoolBlockOperation())
    let notebook = Notebook<Int>()
    for index in 0..<1_000 { try many.addExecutionBlock { notebook.write(index) } }
    try queue.addOperations([none, many])
    #expect(try await none.finished().ending == .succeeded)
    #expect(try await many.finished().ending == .succeeded)
    #expect(notebook.all.sorted() == Array(0..<1_000))
  }

  @Test("the first block that throws, in the order of addition, says why the operation failed")
  func failure() async throws {
    let queue = try Pools.queue()
    let (second, all) = (Meeting(of: 2), Notebook<Int>())
    let operation = PoolBlockOperation {
      second.join()
      throw Refusal(description: "the first")
    }
    try operation.addExecutionBlock {
      defer { second.join() }
      throw CancellationError()
    }
    try operation.addExecutionBlock { all.write(3) }
    try queue.addOperation(operation)
    let outcome = try await operation.finished()
    #expect(outcome.ending == .failed)
    #expect(outcome.failure?.cause == .error && outcome.failure?.type == "Refusal")
    #expect(outcome.failure?.description == "the first")
    #expect(all.all == [3], "the others execute nevertheless")
  }

  @Test("an operation that executes or has finished takes no more blocks")
  func lateBlocks() async throws {
    let queue = try Pools.queue()
    let (begun, added) = (Meeting(of: 2), Meeting(of: 2))
    let operation = PoolBlockOperation {
      begun.join()
      added.join()
    }
    try queue.addOperation(operation)
    try await Blocking.run { begun.join() }
    let refusal = #expect(throws: PoolError.self) { try operation.addExecutionBlock {} }
    #expect(refusal?.code == .alreadyExecuting)
    try await Blocking.run { added.join() }
    try await operation.finished()
    #expect(throws: PoolError.self) { try operation.addExecutionBlock {} }
    #expect(operation.executionBlocks.count == 1)
    let cancelled = PoolBlockOperation()
    cancelled.cancel()
    try queue.addOperation(cancelled)
    try await cancelled.finished()
    #expect(throws: PoolError.self) { try cancelled.addExecutionBlock {} }
  }

  @Test("only a block and the tasks that it starts see its operation, executing")
  func current() async throws {
    let queue = try Pools.queue()
    let notebook = Notebook<Bool>()
    let operation = PoolBlockOperation(options: .init(name: "seen")) {
      notebook.write(PoolOperation.current?.name == "seen")
      notebook.write(PoolOperation.current?.isExecuting == true)
      Task { notebook.write(PoolOperation.current?.name == "seen") }
    }
    try operation.addExecutionBlock { notebook.write(PoolOperation.current?.name == "seen") }
    #expect(PoolOperation.current == nil)
    try queue.addOperation(operation)
    try await operation.finished()
    while notebook.all.count < 4 { await Task.yield() }
    #expect(notebook.all.allSatisfy { $0 })
    #expect(PoolOperation.current == nil)
  }

  @Test("32 pairs of blocks meet, of which the first halves all come first")
  func pairs() async throws {
    let queue = try Pools.queue()
    queue.maxConcurrentOperationCount = 64
    let (meetings, notebook) = ((0..<32).map { _ in Meeting(of: 2) }, Notebook<Bool>())
    let blocks = (0..<64).map { index in
      PoolBlockOperation { notebook.write(meetings[min(index, 63 - index)].join()) }
    }
    try queue.addOperations(blocks)
    for block in blocks { try await block.finished() }
    #expect(notebook.all == Array(repeating: true, count: 64))
  }

  @Test("a block adds operations to its own queue, at a width of one, too")
  func nested() async throws {
    let queue = try Pools.queue()
    queue.maxConcurrentOperationCount = 1
    let children = Notebook<PoolBlockOperation>()
    let parent = try queue.addOperation {
      for _ in 0..<10 { children.write(try queue.addOperation { _ = PoolOperation.current }) }
    }
    #expect(try await parent.finished().ending == .succeeded)
    #expect(children.all.count == 10)
    for child in children.all { #expect(try await child.finished().ending == .succeeded) }
  }

  @Test("100,000 empty blocks go through a queue, each once")
  func empty() async throws {
    let queue = try Pools.queue()
    let count = Counter()
    let blocks = (0..<100_000).map { _ in PoolBlockOperation { count.raise() } }
    try queue.addOperations(blocks)
    for block in blocks { try await block.finished() }
    #expect(count.value == 100_000)
    #expect(blocks.allSatisfy { $0.outcome?.ending == .succeeded })
    #expect(queue.operationCount == 0)
  }

  @Test("a block stands between two operations of workers, and passes on what the first returned")
  func glue() async throws {
    let queue = try Pools.queue()
    let first = PoolTypedOperation(Sum(numbers: [1, 2, 3]))
    let last = Notebook<PoolTypedOperation<Sum.Output>>()
    let glue = PoolBlockOperation {
      let sum = try JSONDecoder().decode(Sum.Output.self, from: Data(first.outcome?.result ?? []))
      let next = PoolTypedOperation(Sum(numbers: [sum.sum, 4]))
      last.write(next)
      try queue.addOperation(next)
    }
    try glue.addDependency(first, requiring: .succeeded)
    let after = operation("noop")
    try after.addDependency(glue, requiring: .succeeded)
    try queue.addOperations([after, glue, first])
    #expect(try await after.finished().ending == .succeeded)
    let next = try #require(last.all.first)
    #expect(try await next.value.sum == 10)
  }

  @Test("no worker may serve the kind of blocks")
  func reserved() async throws {
    let queue = try Pools.queue()
    let impostor = operation("opool.block")
    try queue.addOperation(impostor)
    let outcome = try await impostor.finished()
    #expect(outcome.ending == .failed && outcome.failure?.type == "PoolError")
    #expect(outcome.failure?.description.contains("opool.block") == true)
  }

  @Test("all operations but blocks are asynchronous")
  func asynchronous() {
    #expect(!PoolBlockOperation {}.isAsynchronous)
    #expect(PoolBlockOperation { () async in }.isAsynchronous)
    #expect(operation("noop").isAsynchronous)
  }
}

/// A number that threads raise.
private final class Counter: Sendable {
  private let atomic = Atomic(0)

  var value: Int { atomic.load(ordering: .acquiring) }

  func raise() { atomic.add(1, ordering: .relaxed) }
}
