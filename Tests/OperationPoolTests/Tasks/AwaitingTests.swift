import OperationPool
import OperationWorker
import Testing

/// Contract: a task that is cancelled while it awaits an end is told so, and nothing else happens:
/// neither to the operation, nor to others that wait for it.
@Suite("Awaiting", .timeLimit(.minutes(30)))
struct AwaitingTests {
  @Test("a cancelled task stops waiting; the operation and another task go on")
  func cancelled() async throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    let operation = PoolTypedOperation(Sum(numbers: [1, 2]))
    try queue.addOperation(operation)
    let patient = Task { try await operation.value }
    let finished = Task { try await operation.finished() }
    let value = Task { try await operation.value }
    let all = Task { try await queue.allOperationsFinished() }
    let patientForAll = Task { try await queue.allOperationsFinished() }
    finished.cancel()
    value.cancel()
    all.cancel()
    await #expect(throws: CancellationError.self) { try await finished.value }
    await #expect(throws: CancellationError.self) { try await value.value }
    await #expect(throws: CancellationError.self) { try await all.value }
    #expect(!operation.isCancelled && operation.outcome == nil && queue.operationCount == 1)
    queue.isSuspended = false
    #expect(try await patient.value.sum == 3)
    try await patientForAll.value
  }

  @Test("what is in no queue can be awaited, and left; it is not cancelled by that")
  func nowhere() async throws {
    let stray = PoolTypedOperation(Sum(numbers: [1]))
    let (patient, waiter) = (Task { try await stray.value }, Task { try await stray.value })
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    #expect(!stray.isCancelled)
    let queue = try Pools.queue()
    try queue.addOperation(stray)
    #expect(try await patient.value.sum == 1)
  }

  @Test("in a cancelled task, what has ended is known, and what has not is not waited for")
  func late() async throws {
    let queue = try Pools.queue()
    let done = PoolTypedOperation(Sum(numbers: [7]))
    try await queue.run(done)
    let stray = operation("noop")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await #expect(throws: CancellationError.self) { try await stray.finished() }
      try await queue.allOperationsFinished()
      return try await done.value
    }
    #expect(try await task.value.sum == 7)
  }

  @Test("ten thousand tasks that are cancelled in any order leave one operation alone")
  func many() async throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    let awaited = operation("noop")
    try queue.addOperation(awaited)
    let tasks = (0..<10_000).map { _ in Task { try await awaited.finished().ending } }
    for task in tasks.shuffled().prefix(5_000) { task.cancel() }
    queue.isSuspended = false
    var (succeeded, cancelled) = (0, 0)
    for task in tasks {
      switch await task.result {
      case .success(let ending):
        #expect(ending == .succeeded)
        succeeded += 1
      case .failure(let error):
        #expect(error is CancellationError && task.isCancelled)
        cancelled += 1
      }
    }
    // One that was cancelled may have been told of the end first.
    #expect(succeeded >= 5_000 && succeeded + cancelled == 10_000)
  }
}
