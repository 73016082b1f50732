import OperationPool
import PoolModel
import PoolTestSupport
import Testing

/// Contract: workers are replaced when that was asked for, and no operation notices.
@Suite("Recycling", .timeLimit(.minutes(30)))
struct RecyclingTests {
  private func queue(_ recycling: PoolRecycling) throws -> PoolOperationQueue {
    let workers = PoolWorkerConfiguration.executable(Repository.program("test-worker"), count: 1)
    return try PoolOperationQueue(workers: workers.recycled(recycling))
  }

  /// How many executions each worker had reached, one operation after the other.
  private func counts(_ number: Int, _ recycling: PoolRecycling) async throws -> [String?] {
    let queue = try queue(recycling)
    var counts: [String?] = []
    for _ in 0..<number {
      let count = operation("count")
      try queue.addOperation(count)
      let outcome = try await count.finished()
      #expect(outcome.ending == .succeeded && outcome.attempts == 1)
      #expect(outcome.workerDeaths.isEmpty)
      counts.append(outcome.text)
    }
    return counts
  }

  @Test("after so many operations")
  func operations() async throws {
    let expected = ["1", "2", "3", "1", "2", "3", "1"]
    #expect(try await counts(7, .after(operations: 3)) == expected)
  }

  @Test("when their memory is too large, but never before they have executed something")
  func memory() async throws {
    #expect(try await counts(3, .after(memory: 1)) == ["1", "1", "1"])
    #expect(try await counts(3, .after(memory: 1 << 40)) == ["1", "2", "3"])
  }

  @Test("when their time has come, but never before they have executed something")
  func age() async throws {
    #expect(try await counts(3, .after(age: .seconds(0))) == ["1", "1", "1"])
    #expect(try await counts(3, .after(age: .seconds(1_000))) == ["1", "2", "3"])
  }

  @Test("in the middle of many short operations, and each is executed once")
  func many() async throws {
    let queue = try queue(.after(operations: 100))
    let operations = (0..<2_000).map { _ in operation("noop") }
    try queue.addOperations(operations)
    for operation in operations {
      let outcome = try await operation.finished()
      #expect(outcome.ending == .succeeded && outcome.attempts == 1)
    }
    #expect(Set(operations.compactMap { $0.outcome?.worker }).count == 20)
  }
}
