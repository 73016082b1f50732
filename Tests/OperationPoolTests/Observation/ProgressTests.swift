import Foundation
import OperationPool
import PoolModel
import PoolTestSupport
import Testing

/// Contract: a queue's progress counts what was added, and what has finished in whatever way,
/// before any observer is told that it has.
@Suite("Progress of queues", .timeLimit(.minutes(30)))
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

  @Test("it never exceeds a total that the user has set")
  func exceeded() async throws {
    let queue = try Pools.queue()
    let progress = queue.progress
    progress.totalUnitCount = 3
    for _ in 0..<2 { try queue.addOperation {} }
    try await queue.allOperationsFinished()
    #expect(progress.totalUnitCount == 3 && progress.completedUnitCount == 2)
    for _ in 0..<2 { try queue.addOperation {} }
    try await queue.allOperationsFinished()
    #expect(progress.totalUnitCount == 4 && progress.completedUnitCount == 4)
    progress.totalUnitCount = -1
    try await queue.run(PoolBlockOperation {})
    #expect(progress.isIndeterminate && progress.completedUnitCount == 5)
  }

  @Test("it is indeterminate while a map reads its inputs, and complete after it")
  func map() async throws {
    let queue = try Pools.queue()
    let progress = queue.progress
    let inputs = (0..<600).map { Sum(numbers: [$0]) }
    var count = 0
    for try await _ in queue.map(inputs) {
      count += 1
      if count == 1 { #expect(progress.isIndeterminate && queue.progress.totalUnitCount == -1) }
    }
    #expect(!progress.isIndeterminate && progress.totalUnitCount == 600)
    #expect(progress.fractionCompleted == 1)
    progress.totalUnitCount = 1_200
    _ = try await queue.map(inputs).reduce { _ in Sum(numbers: []) }
    #expect(progress.completedUnitCount == progress.totalUnitCount)
    #expect(progress.fractionCompleted == 1)
  }

  @Test("members of groups count when they are added, and it is complete only with the last")
  func groups() async throws {
    let queue = try Pools.queue()
    let progress = queue.progress
    queue.isSuspended = true
    let held = operation("noop")
    let gate = held.addGate()
    let inner = try PoolGroupOperation(operations: [operation("noop"), held])
    let group = try PoolGroupOperation(operations: [operation("noop"), inner])
    #expect(progress.totalUnitCount == 0)
    try queue.addOperation(group)
    #expect(progress.totalUnitCount == 5)
    try group.addOperation(operation("noop"))
    try inner.addOperations([operation("noop"), operation("crash")])
    #expect(progress.totalUnitCount == 8 && progress.completedUnitCount == 0)
    let twin = try Pools.queue()
    queue.isSuspended = false
    for operation in inner.operations where operation !== held { try await operation.finished() }
    for operation in group.operations where operation !== inner { try await operation.finished() }
    #expect(progress.completedUnitCount == 5 && progress.totalUnitCount == 8)
    try inner.addOperation(operation("noop"))
    #expect(progress.totalUnitCount == 9)
    gate.open()
    try await group.finished()
    #expect(progress.completedUnitCount == 9 && progress.totalUnitCount == 9)
    #expect(twin.progress.totalUnitCount == 0)
  }

  @Test("asked for while a group executes, it counts the members that have not finished")
  func lateGroup() async throws {
    let queue = try Pools.queue()
    let (first, held) = (operation("noop"), operation("noop"))
    let gate = held.addGate()
    let group = try PoolGroupOperation(operations: [first, held])
    try queue.addOperation(group)
    try await first.finished()
    let progress = queue.progress
    #expect(progress.totalUnitCount == 2 && progress.completedUnitCount == 0)
    gate.open()
    try await group.finished()
    #expect(progress.totalUnitCount == 2 && progress.completedUnitCount == 2)
  }

  @Test("members of a group that never executes count as finished, too")
  func cancelledGroup() async throws {
    let queue = try Pools.queue()
    let progress = queue.progress
    queue.isSuspended = true
    let members = (0..<3).map { _ in operation("noop") }
    let group = try PoolGroupOperation(operations: members)
    try queue.addOperation(group)
    group.cancel()
    try await group.finished()
    for member in members { try await member.finished() }
    #expect(progress.totalUnitCount == 4 && progress.completedUnitCount == 4)
  }

  @Test("it is part of another progress, and cancelling that cancels the operations")
  func cancelled() async throws {
    let queue = try Pools.queue()
    let whole = Progress(totalUnitCount: 2)
    // One that has come to its total leaves its parent.
    queue.progress.totalUnitCount = 4
    whole.addChild(queue.progress, withPendingUnitCount: 1)
    _ = try await queue.run(operation("noop"))
    #expect(whole.fractionCompleted == 0.125)
    let long = (0..<3).map { _ in operation("untilCancelled") }
    try queue.addOperations(long)
    #expect(await long[0].reaches(.executing))
    whole.cancel()
    for operation in long { #expect(try await operation.finished().cancellation?.origin == .queue) }
    #expect(queue.progress.isCancelled && queue.progress.completedUnitCount == 4)
  }

  @Test("operations of other queues, their groups and workers hold up what depends on them")
  func otherQueues() async throws {
    let (first, second) = (try Pools.queue(), try Pools.blocks())
    let source = PoolTypedOperation(AsyncSum(numbers: [1, 2]))
    let block = PoolBlockOperation {}
    try block.addDependency(source, requiring: .succeeded)
    let group = try PoolGroupOperation(operations: [block])
    let last = PoolTypedOperation(from: [source]) { AsyncSum(numbers: $0) }
    try last.addDependency(group, requiring: .succeeded)
    let (progress, other) = (first.progress, second.progress)
    try first.addOperation(last)
    try second.addOperation(group)
    #expect(progress.totalUnitCount == 1 && other.totalUnitCount == 2)
    try first.addOperation(source)
    #expect(try await last.value == 3)
    #expect(progress.completedUnitCount == 2 && other.completedUnitCount == 2)
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
