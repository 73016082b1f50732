import Foundation
import OperationPool
import PoolModel
import PoolTestSupport
import Testing

/// Contract: a queue's progress counts what was added, and what has finished in whatever way,
/// before any observer is told that it has.
@Suite("Progress of queues", .timeLimit(.minutes(10)))
struct QueueProgressTests {
  @Test("every way to finish counts")
  func ways() async throws {
    let queue = try Pools.queue()
    let progress = queue.progress
    let failing = operation("fail", #"{"message":"no"}"#, retries: 1)
    let skipped = operation("noop")
    try skipped.addDependency(failing, requiring: .succeeded)
    let early = operation("noop")
    early.cancel()
    let waiting = operation("noop")
    try waiting.addDependency(PoolBlockOperation {})
    let late = operation("untilCancelled", "{}", timeout: .milliseconds(20))
    let unserved = operation("noSuchKind")
    let all: [PoolOperation] = [
      failing, skipped, early, waiting, late, unserved, operation("crash"), operation("noop"),
      PoolBlockOperation {},
    ]
    try queue.addOperations(all)
    try queue.addBarrierBlock {}
    waiting.cancel()
    try await queue.allOperationsFinished()
    #expect(progress.totalUnitCount == 10 && progress.completedUnitCount == 10)
    #expect(progress.fractionCompleted == 1 && queue.progress === progress)
  }

  @Test("asked for late, it begins with what is in the queue")
  func late() async throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    for _ in 0..<3 { try queue.addOperation {} }
    let early = operation("noop")
    early.cancel()
    try queue.addOperation(early)
    try await early.finished()
    let progress = queue.progress
    #expect(progress.totalUnitCount == 3 && progress.completedUnitCount == 0)
    try queue.addOperation(operation("noop"))
    #expect(progress.totalUnitCount == 4 && progress.completedUnitCount == 0)
    queue.isSuspended = false
    try await queue.allOperationsFinished()
    #expect(progress.totalUnitCount == 4 && progress.completedUnitCount == 4)
  }

  @Test("a total that the user has set stays")
  func chosen() async throws {
    let queue = try Pools.queue()
    queue.progress.totalUnitCount = 10
    for count in 1...5 {
      let operation = operation("noop")
      try queue.addOperation(operation)
      try await operation.finished()
      #expect(queue.progress.completedUnitCount == Int64(count))
    }
    #expect(queue.progress.totalUnitCount == 10 && queue.progress.fractionCompleted == 0.5)
  }

  @Test("it is complete when the queue is, also one that was dropped, added to by four threads")
  func threads() async throws {
    var queue: PoolOperationQueue? = try Pools.queue(2)
    let progress = try #require(queue?.progress)
    let operations = (0..<4).map { _ in (0..<500).map { _ in operation("noop") } }
    try await withThrowingTaskGroup(of: Void.self) { [queue] group in
      for batch in operations {
        group.addTask { for operation in batch { try queue?.addOperation(operation) } }
      }
      try await group.waitForAll()
    }
    queue = nil
    for operation in operations.joined() { try await operation.finished() }
    #expect(progress.totalUnitCount == 2_000 && progress.completedUnitCount == 2_000)
  }
}
