import Foundation
import OperationPool
import PoolModel
import Testing

/// Contract: a block that ends its thread fails, at once, and holds up nothing.
@Suite("Blocks that end their threads", .timeLimit(.minutes(30)))
struct ThreadExitTests {
  @Test(
    "the operation fails, the next one executes, also on lowered threads",
    arguments: [PoolQualityOfService.default, .background]
  )
  func one(quality: PoolQualityOfService) async throws {
    let queue = try Pools.blocks(width: 1)
    queue.qualityOfService = quality
    let last = Notebook<Bool>()
    for _ in 0..<20 {
      let gone = PoolBlockOperation { Thread.exit() }
      let next = PoolBlockOperation { last.write(true) }
      try queue.addOperations([gone, next])
      let failure = try await gone.finished().failure
      #expect(failure?.sentence == "its block ended its thread" && failure?.cause == .error)
      #expect(try await next.finished().ending == .succeeded)
    }
    #expect(last.all.count == 20)
  }

  @Test("of several blocks the others are executed, beside one that suspends, too")
  func several() async throws {
    let queue = try Pools.blocks()
    for suspends in [false, true] {
      let executed = Notebook<Int>()
      let block = PoolBlockOperation()
      for number in 0..<200 {
        try block.addExecutionBlock {
          executed.write(number)
          if number % 3 == 0 { Thread.exit() }
        }
      }
      if suspends { try block.addExecutionBlock { await Task.yield() } }
      let outcome = try await queue.run(block)
      #expect(outcome.failure?.sentence == "its block ended its thread")
      #expect(executed.all.sorted() == Array(0..<200))
    }
  }

  @Test("one that belongs to a task, and ends the thread on which that begins, fails")
  func task() async throws {
    let queue = try Pools.blocks(width: 1)
    let body: PoolBlockOperation.AsyncBlock = { exitThread() }
    let gone = try queue.addOperation(body)
    #expect(try await gone.finished().failure?.sentence == "its block ended its thread")
    #expect(try await queue.run(PoolBlockOperation {}).ending == .succeeded)
  }
}

private func exitThread() { Thread.exit() }
