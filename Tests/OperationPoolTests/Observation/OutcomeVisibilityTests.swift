import OperationPool
import PoolSystem
import Synchronization
import Testing

/// Contract: an operation that has finished has an outcome, in every thread; observers are told of
/// the end once.
@Suite("Outcomes at the end", .timeLimit(.minutes(30)))
struct OutcomeVisibilityTests {
  /// Cancelled by the thread that asks, an operation has ended before the loop knows.
  @Test("an operation that was just cancelled has not finished before its outcome is there")
  func cancelled() async throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    for _ in 0..<500 {
      let operation = operation("noop")
      try queue.addOperation(operation)
      operation.cancel()
      let (isFinished, isPending) = (operation.isFinished, operation.state == .pending)
      #expect(!isFinished || operation.outcome != nil)
      #expect(!isPending, "what was cancelled waits for nothing")
      #expect(try await operation.finished().ending == .cancelled)
      #expect(operation.isFinished && operation.state == .finished)
    }
  }

  @Test("observers that come between the cancellation and its outcome are told of the end, once")
  func observers() async throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    for _ in 0..<300 {
      let operation = operation("noop")
      try queue.addOperation(operation)
      operation.cancel()
      let (values, writer) = AsyncStream.makeStream(of: Bool.self)
      let observation = operation.observe(\.isFinished, options: [.initial, .new]) {
        operation,
        change in
        if change.newValue == true { #expect(operation.outcome != nil) }
        writer.yield(change.newValue == true)
      }
      var told: [Bool] = []
      for await value in values {
        told.append(value)
        if value { break }
      }
      #expect(told == [true] || told == [false, true])
      var ends = 0
      for await case .finished in operation.transitions { ends += 1 }
      #expect(ends == 1)
      observation.invalidate()
    }
  }

  @Test("readers in many threads never see an end without an outcome")
  func readers() async throws {
    let queue = try Pools.queue(2)
    let operations = (0..<2_000).map { number -> PoolOperation in
      number % 3 == 0 ? PoolBlockOperation {} : operation(number % 3 == 1 ? "noop" : "fail", "{}")
    }
    let readers = (0..<4).map { _ in Task.detached { await faults(among: operations) } }
    try queue.addOperations(operations)
    for operation in operations.reversed() where operation.kind == "noop" { operation.cancel() }
    for reader in readers { #expect(await reader.value == 0) }
    try await queue.allOperationsFinished()
    #expect(operations.allSatisfy { $0.isFinished && $0.outcome != nil })
  }

  /// How often an operation was seen to have finished without an outcome, until all have one.
  private func faults(among operations: [PoolOperation]) async -> Int {
    var (rest, count) = (operations, 0)
    while !rest.isEmpty {
      for operation in rest.suffix(20) where operation.isFinished && operation.outcome == nil {
        count += 1
      }
      rest.removeAll { $0.outcome != nil }
      await Task.yield()
    }
    return count
  }

  @Test("a block that depends on an operation sees that it has finished, and how")
  func dependents() async throws {
    let queue = try Pools.queue(2)
    let faults = Atomic(0)
    var operations: [PoolOperation] = []
    for _ in 0..<300 {
      let first = operation("noop")
      let block = PoolBlockOperation {
        if !first.isFinished || first.outcome == nil { faults.add(1, ordering: .relaxed) }
      }
      try block.addDependency(first)
      operations += [first, block]
    }
    try queue.addOperations(operations)
    try await queue.allOperationsFinished()
    #expect(faults.load(ordering: .relaxed) == 0)
  }

  @Test("a block operation that was just cancelled takes no block, though its outcome is to come")
  func refusal() async throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    for _ in 0..<100 {
      let block = PoolBlockOperation {}
      try queue.addOperation(block)
      block.cancel()
      #expect(throws: PoolError.self) { try block.addExecutionBlock { () throws in } }
    }
  }
}
