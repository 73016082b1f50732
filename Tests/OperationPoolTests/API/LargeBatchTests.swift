import Foundation
import OperationPool
import PoolModel
import PoolTestSupport
import Synchronization
import Testing

/// Contract: a batch that is added in chunks looks like one that was added at once.
@Suite("Large batches", .timeLimit(.minutes(30)))
struct LargeBatchTests {
  private static let count = 5_000

  private func batch() -> [PoolInvocationOperation] {
    (0..<Self.count).map { _ in operation("count") }
  }

  private func position(of operation: PoolOperation) async throws -> Int {
    try #require(Int(try await operation.finished().text ?? ""))
  }

  @Test("with one worker, operations execute in their order")
  func order() async throws {
    let queue = try Pools.queue()
    let operations = batch()
    try queue.addOperations(operations)
    for (index, operation) in operations.enumerated() {
      #expect(try await position(of: operation) == index + 1)
    }
  }

  @Test("the last one goes first where its priority says so")
  func priority() async throws {
    let queue = try Pools.queue()
    let urgent = operation("count", priority: .veryHigh)
    try queue.addOperations(batch() + [urgent])
    #expect(try await position(of: urgent) == 1)
  }

  @Test("where the last one is refused, nothing of the batch is added, and all can be added again")
  func refusal() async throws {
    let (queue, other) = (try Pools.queue(), try Pools.queue())
    let (operations, added) = (batch(), operation("count"))
    try other.addOperation(added)
    for last in [added, operations[0]] {
      let error = #expect(throws: PoolError.self) { try queue.addOperations(operations + [last]) }
      #expect(error?.code == .alreadyEnqueued)
      #expect(queue.operationCount == 0)
    }
    try queue.addOperations(operations)
    for operation in operations { #expect(try await operation.finished().ending == .succeeded) }
  }

  @Test("a waiter for the queue, while a batch is being added, waits for all of it")
  func waiting() async throws {
    let queue = try Pools.queue(2)
    let batches = (0..<4).map { _ in batch() }
    for operations in batches {
      async let adding: Void = Blocking.run { try queue.addOperations(operations) }
      try await operations[0].finished()
      try await Blocking.run { try queue.waitUntilAllOperationsAreFinished() }
      #expect(operations.allSatisfy { $0.outcome != nil })
      try await adding
    }
  }

  @Test("dependencies and cancellations within it hold")
  func dependencies() async throws {
    let queue = try Pools.queue()
    let operations = batch()
    try operations[0].addDependency(operations[Self.count - 1])
    operations[1].cancel()
    try queue.addOperations(operations)
    #expect(try await position(of: operations[0]) == Self.count - 1)
    #expect(try await operations[1].finished().ending == .cancelled)
  }

  @Test("an operation that waits for one of it, before a barrier, has all of it refused")
  func awaited() throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    let (operations, early) = (batch(), operation("noop", name: "early"))
    try early.addDependency(operations[Self.count - 1])
    try queue.addOperation(early)
    try queue.addBarrierBlock {}
    let error = #expect(throws: PoolError.self) { try queue.addOperations(operations) }
    #expect(error?.code == .cycle)
    #expect(queue.operationCount == 2)
    early.removeDependency(operations[Self.count - 1])
    try queue.addOperations(operations)
    #expect(queue.operationCount == Self.count + 2)
    queue.cancelAllOperations()
    queue.isSuspended = false
  }

  @Test("each completion block is called once, and each observer sees its operation's end")
  func observed() async throws {
    let queue = try Pools.queue(2)
    let operations = batch()
    let calls = Mutex([Int](repeating: 0, count: Self.count))
    for (index, operation) in operations.enumerated() {
      operation.completionBlock = { calls.withLock { $0[index] += 1 } }
    }
    let streams = operations.map(\.transitions)
    try queue.addOperations(operations)
    for stream in streams {
      var last: PoolTransition?
      for await transition in stream { last = transition }
      guard case .finished(let outcome)? = last else {
        Issue.record("a stream ended with \(String(describing: last))")
        return
      }
      #expect(outcome.ending == .succeeded)
    }
    while calls.withLock({ $0.contains(0) }) { await Task.yield() }
    #expect(calls.withLock { $0.allSatisfy { $0 == 1 } })
  }

  /// Adds a batch one of whose operations becomes part of a cycle meanwhile.
  ///
  /// `early` comes to wait for it, while it waits for a barrier, which waits for `early`. Nothing
  /// is executed before the queue is resumed.
  private func spoil(_ operations: [PoolInvocationOperation], at index: Int) async throws
    -> (queue: PoolOperationQueue, early: PoolInvocationOperation, refusal: PoolError?)
  {
    let queue = try Pools.queue()
    queue.isSuspended = true
    let early = operation("noop", name: "early")
    try queue.addOperation(early)
    try queue.addBarrierBlock {}
    async let spoiling: Void = Blocking.run {
      while queue.operationCount == 2 { sched_yield() }
      // Refused itself, if the batch was faster.
      try? early.addDependency(operations[index])
    }
    let refusal = try await Blocking.run { () -> PoolError? in
      do throws(PoolError) {
        try queue.addOperations(operations)
        return nil
      } catch {
        return error
      }
    }
    try await spoiling
    return (queue, early, refusal)
  }

  @Test(
    "where one of a later chunk is refused, neither its chunk nor a later one is in the queue"
  )
  func laterRefusal() async throws {
    for _ in 0..<100 {
      let operations = (0..<40_000).map { _ in operation("noop") }
      let (queue, early, refusal) = try await spoil(operations, at: 30_000)
      guard let refusal else { continue }
      #expect(refusal.code == .cycle)
      let added = queue.operationCount - 2
      #expect(added <= 30_000 && added > 30_000 - 1_024)
      early.removeDependency(operations[30_000])
      try queue.addOperations(Array(operations[added...]))
      #expect(queue.operationCount == 40_002)
      queue.isSuspended = false
      try await queue.allOperationsFinished()
      #expect(operations.allSatisfy { $0.outcome?.ending == .succeeded })
      return
    }
    Issue.record("the batch was always faster")
  }
}
