import PoolModel
import Synchronization
import Testing

@testable import OperationPool

/// Contract: a task that adds to a full queue waits for its turn, and adds nothing if it gives up.
@Suite("Adding where there is room", .timeLimit(.minutes(30)))
struct RoomTests {
  /// A suspended queue with so many operations that take all of its room.
  private func full(_ capacity: Int) throws -> PoolOperationQueue {
    let queue = try Pools.blocks()
    queue.isSuspended = true
    queue.capacity = capacity
    try queue.addOperations((0..<capacity).map { _ in PoolBlockOperation {} })
    return queue
  }

  /// Adds a block in a task of its own, once that waits behind so many others.
  private func add(
    _ operation: PoolOperation,
    to queue: PoolOperationQueue,
    behind count: Int
  ) async -> Task<Void, any Error> {
    let task = Task { try await queue.add(operation) }
    while queue.core.room.withLock({ $0.waiters.count }) <= count { await Task.yield() }
    return task
  }

  @Test("tasks have their turn in order, and never are there more operations than the capacity")
  func order() async throws {
    let queue = try full(1)
    queue.maxConcurrentOperationCount = 1
    let order = Notebook<Int>()
    let peak = Mutex(0)
    var tasks: [Task<Void, any Error>] = []
    for index in 0..<20 {
      let block = PoolBlockOperation {
        order.write(index)
        let count = queue.operationCount
        peak.withLock { $0 = max($0, count) }
      }
      tasks.append(await add(block, to: queue, behind: index))
    }
    #expect(queue.operationCount == 1)
    queue.isSuspended = false
    for task in tasks { try await task.value }
    try await queue.allOperationsFinished()
    #expect(order.all == Array(0..<20) && peak.withLock { $0 } == 1)
  }

  @Test("one that is cancelled while it waits adds nothing, and lets the next one go on")
  func cancelled() async throws {
    let queue = try full(2)
    let (first, second) = (PoolBlockOperation {}, PoolBlockOperation {})
    let waiting = await add(first, to: queue, behind: 0)
    let next = await add(second, to: queue, behind: 1)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(queue.operationCount == 2)
    queue.isSuspended = false
    try await next.value
    #expect(try await second.finished().ending == .succeeded)
    #expect(first.outcome == nil)
  }

  @Test("a refused operation leaves its room to the next one, and more room lets all go on")
  func refused() async throws {
    let queue = try full(1)
    let twice = try #require(queue.operations.first)
    let wrong = await add(twice, to: queue, behind: 0)
    let right = await add(PoolBlockOperation {}, to: queue, behind: 1)
    queue.capacity = 2
    await #expect(throws: PoolError.self) { try await wrong.value }
    try await right.value
    let last = await add(PoolBlockOperation {}, to: queue, behind: 0)
    queue.capacity = nil
    try await last.value
    #expect(queue.operationCount == 3 && queue.capacity == nil)
  }

  @Test("a shutdown wakes the tasks that wait, with the error, and those that come later")
  func shutdown() async throws {
    let queue = try full(1)
    var tasks: [Task<Void, any Error>] = []
    for index in 0..<5 { tasks.append(await add(PoolBlockOperation {}, to: queue, behind: index)) }
    await queue.shutdown()
    for task in tasks {
      let error = await #expect(throws: PoolError.self) { try await task.value }
      #expect(error?.code == .shutDown)
    }
    await #expect(throws: PoolError.self) { try await queue.add(PoolBlockOperation {}) }
  }

  @Test("however many tasks add and are cancelled at once, none is left waiting")
  func crowd() async throws {
    let queue = try Pools.blocks()
    queue.capacity = 3
    let executed = Notebook<Int>()
    let added = await withTaskGroup(of: Bool.self) { group in
      for index in 0..<2_000 {
        group.addTask {
          let block = PoolBlockOperation { executed.write(index) }
          let task = Task { try await queue.add(block) }
          if index % 5 == 0 { task.cancel() }
          return (try? await task.value) != nil
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    try await queue.allOperationsFinished()
    #expect(added == executed.all.count && added >= 1_600)
  }
}
