import OperationPool
import PoolModel
import Testing

/// Contract: a queue outlives its handle until its work is done, and sizes do no harm.
@Suite("Lifetimes and sizes", .timeLimit(.minutes(30)))
struct LifetimeTests {
  @Test("a queue that is dropped finishes its work, suspended or not, and leaves nothing behind")
  func dropped() async throws {
    let lines = try await Scenes.play("drop")
    #expect(lines == ["1000", "0", "flat"])
  }

  @Test("blocks alone start no process; a queue that is dropped finishes them, and no thread stays")
  func blocks() async throws {
    let lines = try await Scenes.play("blocks")
    #expect(lines == ["2000", "0", "few", "none", "flat"])
  }

  @Test("a thread that is not joined gives its stack back")
  func threads() async throws {
    let lines = try await Scenes.play("queues")
    #expect(lines == ["flat"])
  }

  @Test("a chain of 200,000 operations is let go without recursion")
  func chain() throws {
    var last = operation("noop")
    for _ in 0..<200_000 {
      let next = operation("noop")
      try next.addDependency(last)
      last = next
    }
    #expect(last.dependencies.count == 1)
  }

  @Test("100,000 operations go through two workers, each once")
  func many() async throws {
    let queue = try Pools.queue(2)
    let operations = (0..<100_000).map { _ in operation("noop") }
    try queue.addOperations(operations)
    for operation in operations { try await operation.finished() }
    #expect(operations.allSatisfy { $0.outcome?.ending == .succeeded })
    #expect(operations.allSatisfy { $0.outcome?.attempts == 1 })
    #expect(queue.operationCount == 0)
  }

  @Test("a program can be its own worker")
  func ownWorker() async throws {
    let lines = try await Scenes.play("own-worker")
    #expect(lines == ["another"])
  }
}
