import Foundation
import OperationPool
import PoolModel
import PoolSystem
import Testing

/// Contract: a block that suspends executes in a task, which stopping the operation cancels.
@Suite("Blocks that suspend", .timeLimit(.minutes(30)))
struct AsyncBlockTests {
  @Test("a block that suspends is an operation like any other")
  func success() async throws {
    let queue = try Pools.queue()
    let notebook = Notebook<Bool>()
    let first = try queue.addOperation {
      await Task.yield()
      notebook.write(PoolOperation.current?.isExecuting == true)
    }
    let outcome = try await first.finished()
    #expect(outcome.ending == .succeeded && outcome.attempts == 1)
    #expect(first.isAsynchronous && first.name == nil)
    #expect(notebook.all == [true])
  }

  @Test("one that awaits its own end in a task of its own goes on when it is cancelled or late")
  func ownEnd() async throws {
    let queue = try Pools.queue()
    let body: PoolBlockOperation.AsyncBlock = {
      async let end = PoolOperation.current?.finished()
      _ = try await end
    }
    let cancelled = try queue.addOperation(body)
    #expect(await cancelled.reaches(.executing))
    cancelled.cancel()
    #expect(try await cancelled.finished().ending == .cancelled)
    let options = PoolOperationOptions(timeout: .milliseconds(1))
    let late = PoolBlockOperation(options: options, body)
    try queue.addOperation(late)
    #expect(try await late.finished().ending == .timedOut)
  }

  @Test("more of them than there are processors wait for an operation that comes after them")
  func waiting() async throws {
    let queue = try Pools.queue()
    let last = PoolTypedOperation(Sum(numbers: [1, 2]))
    let sums = Notebook<Int>()
    let blocks = (0..<50).map { _ in
      PoolBlockOperation { sums.write(try await last.value.sum) }
    }
    try queue.addOperations(blocks)
    try queue.addOperation(last)
    for block in blocks { #expect(try await block.finished().ending == .succeeded) }
    #expect(sums.all == Array(repeating: 3, count: 50))
  }

  @Test(
    "blocks beside one that suspends have threads of blocks, and may wait for one another",
    arguments: [PoolQualityOfService.default, .background]
  )
  func mixed(quality: PoolQualityOfService) async throws {
    let queue = try Pools.queue()
    let usual = BlockWorkerTests.nice
    let (meeting, threads) = (Meeting(of: 32), Notebook<[String]>())
    let options = PoolOperationOptions(qualityOfService: quality)
    let operation = PoolBlockOperation(options: options) { await Task.yield() }
    for _ in 0..<32 {
      try operation.addExecutionBlock {
        let name = try String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
        threads.write([name, "\(BlockWorkerTests.nice)", "\(PoolOperation.current === operation)"])
        meeting.join()
      }
    }
    try queue.addOperation(operation)
    #expect(try await operation.finished().ending == .succeeded)
    let nice = quality == .default ? usual : min(usual + 19, 19)
    #expect(threads.all == Array(repeating: ["opool-block\n", "\(nice)", "true"], count: 32))
  }

  @Test("a cancellation handler may wait for other operations")
  func handler() async throws {
    let queue = try Pools.queue()
    let (begun, done) = (Notebook<Bool>(), Monitor(false))
    let block = PoolBlockOperation {
      try await withTaskCancellationHandler {
        begun.write(true)
        try await Task.sleep(for: .seconds(1_000))
      } onCancel: {
        done.wait(while: { !$0 }, then: { _ in })
      }
    }
    try queue.addOperation(block)
    while begun.all.isEmpty { await Task.yield() }
    block.cancel()
    let other = try queue.addOperation {
      done.withLock { $0 = true }
      done.broadcast()
    }
    #expect(try await other.finished().ending == .succeeded)
    #expect(try await block.finished().ending == .cancelled)
  }

  @Test("cancelling the operation cancels the task")
  func cancel() async throws {
    let queue = try Pools.queue()
    let block = PoolBlockOperation { try await Task.sleep(for: .seconds(1_000)) }
    try queue.addOperation(block)
    #expect(await block.reaches(.executing))
    block.cancel()
    let outcome = try await block.finished()
    #expect(outcome.ending == .cancelled && outcome.attempts == 1)
  }

  @Test("its timeout cancels the task, too, and every attempt has its own")
  func timeout() async throws {
    let queue = try Pools.queue()
    let options = PoolOperationOptions(timeout: .milliseconds(20), retryPolicy: .retries(1))
    let block = PoolBlockOperation(options: options) {
      try await Task.sleep(for: .seconds(1_000))
    }
    try queue.addOperation(block)
    let outcome = try await block.finished()
    #expect(outcome.ending == .timedOut && outcome.attempts == 2)
    #expect(!block.isCancelled)
  }

  @Test("one that was cancelled before never begins")
  func before() async throws {
    let queue = try Pools.queue()
    let notebook = Notebook<Int>()
    let block = PoolBlockOperation { () async in notebook.write(1) }
    block.cancel()
    try queue.addOperation(block)
    let outcome = try await block.finished()
    #expect(outcome.ending == .cancelled && outcome.attempts == 0)
    #expect(notebook.all.isEmpty)
  }

  @Test("what it throws is the operation's failure")
  func failure() async throws {
    let queue = try Pools.queue()
    let block = PoolBlockOperation {
      await Task.yield()
      throw Refusal(description: "no")
    }
    try queue.addOperation(block)
    let outcome = try await block.finished()
    #expect(outcome.ending == .failed && outcome.failure?.type == "Refusal")
    #expect(outcome.failure?.description == "no")
  }

  @Test("blocks that suspend, and such that block a thread, meet within one operation")
  func mixed() async throws {
    let queue = try Pools.queue()
    let notebook = Notebook<Bool>()
    let (begun, signal) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
    let operation = PoolBlockOperation {
      begun.continuation.finish()
      signal.wait()
      notebook.write(PoolOperation.current?.isExecuting == true)
    }
    #expect(!operation.isAsynchronous)
    try operation.addExecutionBlock {
      for await _ in begun.stream {}
      signal.signal()
      throw Refusal(description: "second")
    }
    try operation.addExecutionBlock { throw Refusal(description: "third") }
    #expect(operation.isAsynchronous && operation.executionBlocks.count == 3)
    try queue.addOperation(operation)
    #expect(try await operation.finished().failure?.description == "second")
    #expect(notebook.all == [true])
  }
}
