import OperationPool
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

/// Contract: blocks that share a task do not notice it.
@Suite("Blocks in the same task", .timeLimit(.minutes(30)))
struct BlockTaskTests {
  /// What a block finds when it begins.
  private struct Finding: Hashable {
    var isCancelled = Task.isCancelled
    var priority = Task.currentPriority.rawValue
  }

  /// Executes many blocks, each in turn of one of these kinds; returns all that they have found.
  private func findings(
    _ bodies: (@Sendable () async throws -> Void)...
  ) async throws -> Set<Finding> {
    let queue = PoolOperationQueue(fleet: try PoolFleet())
    queue.maxConcurrentOperationCount = 4
    let findings = Notebook<Finding>()
    let operations = (0..<900).map { number in
      PoolBlockOperation {
        findings.write(Finding())
        try await bodies[number % bodies.count]()
      }
    }
    try queue.addOperations(operations)
    try await queue.allOperationsFinished()
    #expect(findings.all.count == operations.count)
    return Set(findings.all)
  }

  @Test("a block that cancels its own task cancels no other")
  func cancelledTask() async throws {
    let found = try await findings({}, { withUnsafeCurrentTask { $0?.cancel() } }, {})
    #expect(found == [Finding(isCancelled: false, priority: TaskPriority.medium.rawValue)])
  }

  @Test("a block that is cancelled while it executes cancels no other")
  func cancelledOperation() async throws {
    let body: PoolBlockOperation.AsyncBlock = {
      PoolOperation.current?.cancel()
      while !Task.isCancelled { SystemThread.yieldProcessor() }
      throw CancellationError()
    }
    let found = try await findings({}, {}, body)
    #expect(found == [Finding(isCancelled: false, priority: TaskPriority.medium.rawValue)])
  }

  @Test("a cancellation that comes when its block has returned cancels no other")
  func lateCancellation() async throws {
    let wrong = Notebook<Bool>()
    let busy: PoolBlockOperation.AsyncBlock = {
      let end = MonotonicClock.now + 20_000
      while MonotonicClock.now < end, !Task.isCancelled {}
      if Task.isCancelled { wrong.write(true) }
    }
    let late: PoolBlockOperation.AsyncBlock = {
      PoolOperation.current?.cancel()
      // Until any moment before the coordinator asks the block to stop, or soon after.
      let now = MonotonicClock.now
      while MonotonicClock.now < now + now % 20_000 {}
    }
    let found = try await findings(late, busy, busy)
    #expect(found == [Finding(isCancelled: false, priority: TaskPriority.medium.rawValue)])
    #expect(wrong.all.isEmpty)
  }

  @Test("a block that raises the priority of its task raises that of no other")
  @available(macOS 26, *)
  func raisedPriority() async throws {
    let body: PoolBlockOperation.AsyncBlock = {
      withUnsafeCurrentTask { $0?.escalatePriority(to: .high) }
    }
    let found = try await findings({}, {}, body)
    #expect(found == [Finding(isCancelled: false, priority: TaskPriority.medium.rawValue)])
  }

  @Test("a task that a block starts has the block's operation, whatever executes by then")
  func heirs() async throws {
    let queue = PoolOperationQueue(fleet: try PoolFleet())
    let gate = AsyncStream<Void>.makeStream()
    let strangers = Notebook<Bool>()
    let operations = (0..<300).map { _ in
      PoolBlockOperation {
        let own = PoolOperation.current
        Task {
          for await _ in gate.stream {}
          strangers.write(own == nil || PoolOperation.current !== own)
        }
      }
    }
    try queue.addOperations(operations)
    try await queue.allOperationsFinished()
    gate.continuation.finish()
    try await Blocking.run { _ = strangers.reaches(300) }
    #expect(strangers.all == Array(repeating: false, count: 300))
  }

  @Test("an operation is released when it has finished, however long its task goes on")
  func release() async throws {
    let queue = PoolOperationQueue(fleet: try PoolFleet())
    queue.isSuspended = true
    let said = Notebook<Bool>()
    let keep = { (word: LastWord) in
      PoolBlockOperation { () async in withExtendedLifetime(word) {} }
    }
    try queue.addOperations((0..<500).map { _ in keep(LastWord { said.write(true) }) })
    // Each begins in a task of one of those, or in one of its own.
    let waiting = (0..<64).map { _ in
      PoolBlockOperation { () async in #expect(said.reaches(500)) }
    }
    try queue.addOperations(waiting)
    queue.isSuspended = false
    try await queue.allOperationsFinished()
    #expect(said.all.count == 500)
  }

  @Test("blocks of different qualities of service have the priorities of their own")
  func qualities() async throws {
    let queue = PoolOperationQueue(fleet: try PoolFleet())
    let wrong = Notebook<Int>()
    let qualities: [PoolQualityOfService] = [.default, .userInitiated, .utility, .default]
    let priorities: [TaskPriority] = [.medium, .userInitiated, .utility, .medium]
    let operations = (0..<800).map { number in
      PoolBlockOperation(options: .init(qualityOfService: qualities[number % 4])) { () async in
        if Task.currentPriority != priorities[number % 4] { wrong.write(number) }
      }
    }
    try queue.addOperations(operations)
    try await queue.allOperationsFinished()
    #expect(wrong.all.isEmpty)
  }
}
