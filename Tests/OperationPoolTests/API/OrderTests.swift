import OperationPool
import PoolModel
import Testing

/// Contract: what is ready goes by priority, then in the order in which it was added; no more at
/// once than the width allows, and nothing while the queue is suspended.
@Suite("Order, width and suspension", .timeLimit(.minutes(30)))
struct OrderTests {
  /// The kind `count` numbers its executions within one process.
  private func positions(_ operations: [PoolInvocationOperation]) async throws -> [Int] {
    var positions: [Int] = []
    for operation in operations {
      positions.append(try #require(Int(try await operation.finished().text ?? "")))
    }
    return positions
  }

  @Test("with one worker, operations of one priority execute in the order of their addition")
  func submission() async throws {
    let queue = try Pools.queue()
    let operations = (0..<300).map { _ in operation("count") }
    for operation in operations[..<100] { try queue.addOperation(operation) }
    try queue.addOperations(Array(operations[100...]))
    #expect(try await positions(operations) == Array(1...300))
  }

  @Test("with one worker, a batch executes by priority first")
  func priority() async throws {
    let queue = try Pools.queue()
    let levels: [PoolQueuePriority] = [.low, .veryHigh, .normal, .veryLow, .high, .normal]
    let operations = levels.map { operation("count", priority: $0) }
    try queue.addOperations(operations)
    #expect(try await positions(operations) == [5, 1, 3, 6, 2, 4])
  }

  /// The same as in the command's test of `--order critical-path`.
  private func batch() throws -> [PoolInvocationOperation] {
    let durations = [10, 5, 30, 90, 1].map { Duration.milliseconds(100 * $0) }
    let operations = durations.map { duration in
      PoolInvocationOperation(
        kind: "count",
        options: PoolOperationOptions(
          queuePriority: duration == .milliseconds(100) ? .high : .normal,
          expectedDuration: duration
        )
      )
    }
    try operations[3].addDependency(operations[1])
    return operations
  }

  @Test("by the critical path, what has the most work ahead executes first within a priority")
  func criticalPath() async throws {
    let (submitted, ranked) = (try batch(), try batch())
    for (operations, order, expected) in [
      (submitted, PoolSchedulingPolicy.submission, [2, 3, 4, 5, 1]),
      (ranked, .criticalPath, [5, 2, 4, 3, 1]),
    ] {
      let queue = try Pools.queue()
      // So that nothing is prefetched while a dependency executes.
      queue.maxConcurrentOperationCount = 1
      try queue.addOperations(operations, order: order)
      #expect(try await positions(operations) == expected)
    }
  }

  @Test("by the critical path, the longest chain of a batch of thousands comes first")
  func longCriticalPath() async throws {
    let queue = try Pools.queue()
    let operations = (0..<2_000).map { _ in operation("count") }
    for (dependent, dependency) in zip(operations[1_990...], operations[1_989...]) {
      try dependent.addDependency(dependency)
    }
    queue.maxConcurrentOperationCount = 1
    // What was added before comes first all the same.
    queue.isSuspended = true
    let early = operation("count")
    try queue.addOperation(early)
    try queue.addOperations(operations, order: .criticalPath)
    queue.isSuspended = false
    #expect(try await positions([early]) == [1])
    let chain = try await positions(Array(operations[1_989...]))
    // The last one has no more ahead than the others, and was given after them.
    #expect(chain == Array(2...11) + [2_001])
    let others = try await positions(Array(operations[..<3]))
    #expect(others == [12, 13, 14])
  }

  @Test("nothing executes while a queue is suspended, and everything once it is not")
  func suspension() async throws {
    let queue = try Pools.queue()
    let (before, held) = (operation("noop"), operation("noop"))
    try queue.addOperation(before)
    try await before.finished()
    queue.isSuspended = true
    try queue.addOperation(held)
    #expect(queue.isSuspended)
    #expect(held.isReady)
    // What another queue does meanwhile shows that time enough has passed.
    let other = try Pools.queue()
    let witness = operation("noop")
    try other.addOperation(witness)
    try await witness.finished()
    #expect(held.state == .ready)
    queue.isSuspended = false
    #expect(try await held.finished().ending == .succeeded)
  }

  @Test("a width of one lets one operation execute at a time, whatever the number of workers")
  func width() async throws {
    let queue = try Pools.queue(3)
    queue.maxConcurrentOperationCount = 1
    #expect(queue.maxConcurrentOperationCount == 1)
    let operations = (0..<60).map { _ in operation("noop") }
    try queue.addOperations(operations)
    var spans: [(start: Duration, end: Duration)] = []
    for operation in operations {
      let outcome = try await operation.finished()
      spans.append((try #require(outcome.started), outcome.finished))
    }
    spans.sort { $0.start < $1.start }
    #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.end <= $1.start })
  }

  @Test("a width of nothing lets nothing execute")
  func noWidth() async throws {
    let queue = try Pools.queue()
    queue.maxConcurrentOperationCount = 0
    let held = operation("noop")
    try queue.addOperation(held)
    let other = try Pools.queue()
    let witness = operation("noop")
    try other.addOperation(witness)
    try await witness.finished()
    #expect(held.state == .ready)
    queue.maxConcurrentOperationCount = 2
    #expect(try await held.finished().ending == .succeeded)
  }
}
