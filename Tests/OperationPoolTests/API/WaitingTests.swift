import PoolModel
import PoolSystem
import PoolTestSupport
import Synchronization
import Testing

@testable import OperationPool

@Suite("Waiting for operations")
struct WaitingTests {
  @Test("threads that each wait for operations of their own all return")
  func manyThreads() async throws {
    let queue = PoolOperationQueue(fleet: try PoolFleet())
    let endings = try await withThrowingTaskGroup(of: [PoolEnding?].self) { group in
      for _ in 0..<32 {
        group.addTask {
          try await Blocking.run {
            try (0..<50).map { _ in
              let operation = PoolBlockOperation {}
              try queue.addOperation(operation)
              try operation.waitUntilFinished()
              return operation.outcome?.ending
            }
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(endings == Array(repeating: .succeeded, count: 32 * 50))
  }

  @Test("the end of an operation wakes every thread and task that waits for it")
  func manyWaitersOfOne() async throws {
    let queue = PoolOperationQueue(fleet: try PoolFleet())
    queue.isSuspended = true
    let operation = PoolBlockOperation {}
    try queue.addOperation(operation)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<16 {
        group.addTask { try await Blocking.run { try operation.waitUntilFinished() } }
        group.addTask { _ = try await operation.finished() }
      }
      await operation.hasWaiters(32)
      queue.isSuspended = false
      try await group.waitForAll()
    }
    #expect(operation.life.withLock { $0.waiters.isEmpty })
  }

  @Test("a task that is cancelled while it waits wakes no thread that waits for the same operation")
  func cancelledTask() async throws {
    let queue = PoolOperationQueue(fleet: try PoolFleet())
    queue.isSuspended = true
    let operation = PoolBlockOperation {}
    try queue.addOperation(operation)
    async let thread: Void = Blocking.run { try operation.waitUntilFinished() }
    await operation.hasWaiters(1)
    let task = Task { try await operation.finished() }
    await operation.hasWaiters(2)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(operation.life.withLock { $0.waiters.count } == 1)
    queue.isSuspended = false
    try await thread
    #expect(operation.outcome?.ending == .succeeded)
  }

  @Test("when a queue becomes empty, every thread and task that waits for that returns")
  func emptyQueue() async throws {
    let queue = PoolOperationQueue(fleet: try PoolFleet())
    queue.isSuspended = true
    try queue.addOperations((0..<8).map { _ in PoolBlockOperation {} })
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<16 {
        group.addTask { try await Blocking.run { try queue.waitUntilAllOperationsAreFinished() } }
        group.addTask { try await queue.allOperationsFinished() }
      }
      while queue.core.waiterCount < 32 { await Task.yield() }
      queue.isSuspended = false
      try await group.waitForAll()
    }
    #expect(queue.core.waiterCount == 0)
  }

  @Test("a thread that waits for a queue waits for what was added before its wait, and returns")
  func queueInUse() async throws {
    let queue = PoolOperationQueue(fleet: try PoolFleet())
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await Blocking.run {
            try (0..<100).allSatisfy { _ in
              let operation = PoolBlockOperation {}
              try queue.addOperation(operation)
              try queue.waitUntilAllOperationsAreFinished()
              return operation.outcome != nil
            }
          }
        }
      }
      for try await isTrue in group { #expect(isTrue) }
    }
  }
}

extension PoolOperation {
  /// Returns when so many threads and tasks wait for the operation.
  fileprivate func hasWaiters(_ count: Int) async {
    while life.withLock({ $0.hasColdState ? $0.waiters.count : 0 }) < count { await Task.yield() }
  }
}
