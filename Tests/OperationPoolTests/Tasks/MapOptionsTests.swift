import OperationPool
import OperationWorker
import PoolModel
import PoolSystem
import Testing

/// Contract: the options of a map's operations may follow from their inputs.
@Suite("Options of a map", .timeLimit(.minutes(30)))
struct MapOptionsTests {
  private typealias Settings = (name: String?, priority: PoolQueuePriority)

  /// What the operations of a map look like before the first of them is dispatched.
  private func settings(
    of map: (PoolOperationQueue) -> PoolMap<Sum.Output>
  ) async throws -> [Settings] {
    let queue = try Pools.queue(2)
    queue.isSuspended = true
    let results = map(queue)
    let reader = Task {
      for try await (index, result) in results {
        #expect(try result.get().sum == index)
      }
    }
    await queue.reaches(3)
    let settings = queue.operations.map { ($0.name, $0.queuePriority) }
    queue.isSuspended = false
    try await reader.value
    return settings
  }

  private func expect(_ settings: [Settings], at location: SourceLocation = #_sourceLocation) {
    #expect(settings.map(\.name) == ["sum of 0", "sum of 1", "sum of 2"], sourceLocation: location)
    #expect(settings.map(\.priority) == [.normal, .normal, .high], sourceLocation: location)
  }

  private static let sums = (0..<3).map { Sum(numbers: [$0]) }

  @Sendable
  private static func options(_ sum: Sum) -> PoolOperationOptions { options(sum.numbers) }

  @Sendable
  private static func options(_ numbers: [Int]) -> PoolOperationOptions {
    PoolOperationOptions(
      name: "sum of \(numbers[0])",
      queuePriority: numbers[0] == 2 ? .high : .normal
    )
  }

  @Test("each operation has those that follow from its input")
  func values() async throws {
    expect(try await settings { $0.map(Self.sums, options: Self.options) })
    let stream = AsyncStream { writer in
      for sum in Self.sums { writer.yield(sum) }
      writer.finish()
    }
    expect(try await settings { $0.map(stream, options: Self.options) })
  }

  @Test("also where bodies suspend")
  func suspending() async throws {
    let queue = try Pools.queue(2)
    let sums = (0..<3).map { AsyncSum(numbers: [$0]) }
    let stream = AsyncStream { writer in
      for sum in sums { writer.yield(sum) }
      writer.finish()
    }
    let transitions = queue.transitions
    for try await _ in queue.map(sums, options: { Self.options($0.numbers) }).outputs {}
    for try await _ in queue.map(stream, options: { Self.options($0.numbers) }).outputs {}
    var names: [String: Int] = [:]
    var ends = 0
    for await case (let operation, .finished) in transitions {
      names[operation.name ?? "", default: 0] += 1
      ends += 1
      if ends == 6 { break }
    }
    #expect(names == ["sum of 0": 2, "sum of 1": 2, "sum of 2": 2])
  }

  @Test("a failure says which input it was, in a map, of its outputs and under a reduction")
  func failures() async throws {
    let queue = try Pools.queue()
    func map() -> PoolMap<Int> {
      queue.map(
        [Misunderstood(text: "a"), Misunderstood(text: "b")],
        order: .input,
        options: { PoolOperationOptions(name: "text \($0.text)") }
      )
    }
    for try await (index, result) in map() {
      let error = #expect(throws: PoolError.self) { try result.get() }
      #expect(error?.description.contains("'text \(index == 0 ? "a" : "b")'") == true)
    }
    let failure = await #expect(throws: PoolError.self) {
      for try await _ in map().outputs {}
    }
    #expect(failure?.description.contains("'text a'") == true)
    let reduction = await #expect(throws: PoolError.self) {
      try await map().reduce { _ in Misunderstood() }
    }
    #expect(reduction?.description.contains("'text ") == true)
  }
}
