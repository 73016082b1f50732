import Foundation
import OperationPool
import OperationWorker
import PoolModel
import PoolTestSupport
import Testing

/// Contract: before it executes, a cancelled block never will; while it executes, it is asked, and
/// decides by what it does how it ends; nothing stops it by force.
@Suite("Stopping blocks", .timeLimit(.minutes(30)))
struct BlockStopTests {
  @Test("a block that was cancelled while it waited never executes")
  func before() async throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    let notebook = Notebook<Int>()
    let early = PoolBlockOperation { notebook.write(1) }
    early.cancel()
    let waiting = PoolBlockOperation { notebook.write(2) }
    try queue.addOperations([early, waiting])
    waiting.cancel()
    queue.isSuspended = false
    for block in [early, waiting] {
      let outcome = try await block.finished()
      #expect(outcome.ending == .cancelled && outcome.attempts == 0)
    }
    #expect(notebook.all.isEmpty)
  }

  @Test("one that is cancelled before it was seen executing never executes")
  func race() async throws {
    let queue = try Pools.queue()
    let notebook = Notebook<Int>()
    var (blocks, safe): ([PoolBlockOperation], Set<Int>) = ([], [])
    let seed = UInt64.random(in: 0 ... .max)
    var generator = SeededGenerator(seed: seed)
    for index in 0..<3_000 {
      let block = try queue.addOperation { notebook.write(index) }
      blocks.append(block)
      for _ in 0..<generator.next() % 30 { _ = block.state }
      block.cancel()
      if block.isReady { safe.insert(index) }
    }
    var executed: Set<Int> = []
    for (index, block) in blocks.enumerated() where try await block.finished().attempts > 0 {
      executed.insert(index)
    }
    #expect(executed.isDisjoint(with: safe), "seed \(seed)")
    #expect(executed == Set(notebook.all), "seed \(seed)")
  }

  @Test("one that executes sees that it was cancelled; if it returns, it has succeeded")
  func obedience() async throws {
    let queue = try Pools.queue()
    let block = PoolBlockOperation.untilAsked()
    try queue.addOperation(block)
    #expect(await block.reaches(.executing))
    block.cancel()
    let outcome = try await block.finished()
    #expect(outcome.ending == .succeeded)
    #expect(block.isCancelled)
  }

  @Test("if it throws that it was cancelled, it has been", arguments: [true, false])
  func cancellation(_ isOurs: Bool) async throws {
    let queue = try Pools.queue()
    let block = PoolBlockOperation.untilAsked(.init(retryPolicy: .retries(3))) {
      if isOurs { throw WorkerCancellation() }
      throw CancellationError()
    }
    try queue.addOperation(block)
    #expect(await block.reaches(.executing))
    queue.cancelAllOperations()
    let outcome = try await block.finished()
    #expect(outcome.ending == .cancelled && outcome.attempts == 1)
    #expect(outcome.failure?.cause == .cancelled)
    #expect(outcome.failure?.description.contains("message") == true)
  }

  @Test("what throws that it was cancelled and was not has failed")
  func unasked() async throws {
    let queue = try Pools.queue()
    let block = try queue.addOperation { throw CancellationError() }
    let outcome = try await block.finished()
    #expect(outcome.ending == .failed)
    #expect(outcome.failure?.type == "CancellationError")
  }

  @Test("a block sees that its timeout has passed, and has timed out however it ends")
  func timeout() async throws {
    let queue = try Pools.queue()
    let returning = PoolBlockOperation.untilAsked(.init(timeout: .milliseconds(20)))
    let throwing = PoolBlockOperation.untilAsked(.init(timeout: .milliseconds(20))) {
      throw CancellationError()
    }
    try queue.addOperations([returning, throwing])
    for block in [returning, throwing] {
      let outcome = try await block.finished()
      #expect(outcome.ending == .timedOut && outcome.failure?.cause == .timeout)
      #expect(!block.isCancelled, "nobody has cancelled it")
    }
  }

  @Test("a block that fails is executed again, and asked anew")
  func retries() async throws {
    let queue = try Pools.queue()
    let notebook = Notebook<Bool>()
    let failing = PoolBlockOperation(options: .init(retryPolicy: .retries(2))) {
      notebook.write(PoolOperation.current?.isCancelled ?? true)
      throw Refusal(description: "no")
    }
    let late = PoolBlockOperation.untilAsked(
      .init(timeout: .milliseconds(10), retryPolicy: .retries(2))
    )
    try queue.addOperations([failing, late])
    let outcomes = (try await failing.finished(), try await late.finished())
    #expect(outcomes.0.ending == .failed && outcomes.0.attempts == 3)
    #expect(outcomes.1.ending == .timedOut && outcomes.1.attempts == 3)
    #expect(notebook.all == [false, false, false])
  }
}
