import OperationPool
import OperationWorker
import PoolModel
import Testing

/// Contract: an operation that a task runs belongs to the task: it is cancelled with it, and has
/// ended when the call returns.
@Suite("Running operations", .timeLimit(.minutes(30)))
struct RunTests {
  @Test("values come back, and failures are thrown; an outcome is returned")
  func returned() async throws {
    let queue = try Pools.queue()
    #expect(try await queue.run(Sum(numbers: [1, 2])).sum == 3)
    #expect(try await queue.run(AsyncSum(numbers: [4, 5])) == 9)
    #expect(try await queue.run(PoolTypedOperation(Sum(numbers: [6]))).sum == 6)
    // Where nothing else says which it is, as in a text: its value, not its outcome.
    #expect("\(try await queue.run(PoolTypedOperation(AsyncSum(numbers: [7]))))" == "7")
    #expect("\(try await queue.run(operation("noop")))" == "succeeded")
    #expect("\(try await queue.run(operation("unheard of")))".hasPrefix("failed: "))
    #expect(try await queue.run(operation("unheard of")).failure?.cause == .unservedKind)
    let failure = await #expect(throws: PoolFailure.self) {
      try await queue.run(Mixed(.failure))
    }
    #expect(failure?.cause == .error && failure?.sentence == "told to fail")
  }

  /// Executed by a program that does not know this type.
  private struct Echo: TypedOperation, Equatable {
    typealias Output = Self
    static let kind = "echo"
    var number: Int
  }

  @Test("a type that has no main is executed by whatever serves its kind")
  func foreign() async throws {
    #expect(try await Pools.queue().run(Echo(number: 7)) == Echo(number: 7))
  }

  @Test("a task that is cancelled already adds nothing")
  func before() async throws {
    let queue = try Pools.queue()
    let stray = operation("noop")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await queue.run(stray)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!stray.isCancelled && stray.outcome == nil && queue.operationCount == 0)
    #expect(try await queue.run(stray).ending == .succeeded)
  }

  @Test("a cancelled task cancels what executes, and returns when that has ended")
  func during() async throws {
    let queue = try Pools.queue()
    let long = operation("untilCancelled")
    let task = Task { try await queue.run(long) }
    #expect(await long.reaches(.executing))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(long.outcome?.ending == .cancelled && long.outcome?.cancellation?.origin == .task)
    #expect(queue.operationCount == 0)
  }

  @Test("whoever else cancels it, the task is told how it ended")
  func byOthers() async throws {
    let queue = try Pools.queue()
    let long = operation("untilCancelled")
    let task = Task { try await queue.run(long) }
    #expect(await long.reaches(.executing))
    queue.cancelAllOperations()
    #expect(try await task.value.cancellation?.origin == .queue)
  }

  @Test("an operation that cannot be added is refused, and stays where it is")
  func refused() async throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    let added = operation("noop")
    try queue.addOperation(added)
    let error = await #expect(throws: PoolError.self) { try await queue.run(added) }
    #expect(error?.code == .alreadyEnqueued && !added.isCancelled)
    queue.isSuspended = false
    try await added.finished()
  }
}
