import OperationPool
import PoolModel
import PoolTestSupport
import Testing

/// Contract: whatever happens to an operation, its observers are told of each change of its
/// state once, in order, what is over before what begins, and its completion block comes last.
@Suite("Observing states", .timeLimit(.minutes(30)))
struct StateObservationTests {
  static let executed = ["-ready", "+executing", "-executing", "+finished", "completion"]

  @Test(
    "executed once, however it ends",
    arguments: [
      ("noop", PoolEnding.succeeded), ("fail", .failed), ("crash", .lost), ("noSuchKind", .failed),
    ]
  )
  func endings(kind: String, ending: PoolEnding) async throws {
    let queue = try Pools.queue()
    let (operation, chronicle) = (operation(kind, #"{"message":"no"}"#), Chronicle<String>())
    let observations = chronicle.follow(operation)
    try queue.addOperation(operation)
    let lines = try await chronicle.whenCompleted()
    #expect(
      lines == (kind == "noSuchKind" ? ["-ready", "+finished", "completion"] : Self.executed)
    )
    #expect(operation.outcome?.ending == ending)
    withExtendedLifetime(observations) {}
  }

  @Test("blocks, too, that suspend and that do not")
  func blocks() async throws {
    let queue = try Pools.queue()
    for block in [PoolBlockOperation {}, PoolBlockOperation { await Task.yield() }] {
      let chronicle = Chronicle<String>()
      let observations = chronicle.follow(block)
      try queue.addOperation(block)
      #expect(try await chronicle.whenCompleted() == Self.executed)
      withExtendedLifetime(observations) {}
    }
  }

  @Test("an operation that is out of time has executed")
  func timeout() async throws {
    let queue = try Pools.queue()
    let operation = operation("untilCancelled", "{}", timeout: .milliseconds(20))
    let chronicle = Chronicle<String>()
    let observations = chronicle.follow(operation)
    try queue.addOperation(operation)
    #expect(try await chronicle.whenCompleted() == Self.executed)
    #expect(operation.outcome?.ending == .timedOut)
    withExtendedLifetime(observations) {}
  }

  @Test("an operation that is executed again is ready in between")
  func retry() async throws {
    let queue = try Pools.queue()
    let (operation, chronicle) = (
      operation("fail", #"{"message":"no"}"#, retries: 2), Chronicle<String>()
    )
    let observations = chronicle.follow(operation)
    try queue.addOperation(operation)
    let again = ["-ready", "+executing", "-executing", "+ready"]
    #expect(try await chronicle.whenCompleted() == again + again + Self.executed)
    withExtendedLifetime(observations) {}
  }

  @Test("cancelled before it was added, it ends when it is, without having executed")
  func cancelledBefore() async throws {
    let queue = try Pools.queue()
    let (operation, chronicle) = (operation("noop"), Chronicle<String>())
    let observations = chronicle.follow(operation)
    operation.cancel()
    operation.cancel()
    #expect(try await chronicle.when(count: 1) == ["+cancelled"])
    try queue.addOperation(operation)
    #expect(
      try await chronicle.whenCompleted() == ["+cancelled", "-ready", "+finished", "completion"]
    )
    withExtendedLifetime(observations) {}
  }

  @Test("cancelled while it waits, it is cancelled, then ready, then finished", arguments: [0, 1])
  func cancelledWaiting(isLate: Int) async throws {
    let queue = try Pools.queue()
    let (operation, never) = (operation("noop"), operation("noop"))
    try operation.addDependency(never)
    let chronicle = Chronicle<String>()
    let observations = chronicle.follow(operation)
    if isLate == 1 { try queue.addOperation(operation) }
    operation.cancel()
    if isLate == 0 { try queue.addOperation(operation) }
    #expect(
      try await chronicle.whenCompleted()
        == ["+cancelled", "+ready", "-ready", "+finished", "completion"]
    )
    withExtendedLifetime(observations) {}
  }

  @Test("what a cancelled operation is told to wait for changes nothing")
  func cancelledThenDependency() async throws {
    let queue = try Pools.queue()
    let (cancelled, other) = (operation("noop"), operation("noop"))
    let chronicle = Chronicle<String>()
    let observations = chronicle.follow(cancelled)
    cancelled.cancel()
    try cancelled.addDependency(other)
    #expect(cancelled.isReady)
    cancelled.removeDependency(other)
    try queue.addOperation(cancelled)
    #expect(
      try await chronicle.whenCompleted() == ["+cancelled", "-ready", "+finished", "completion"]
    )
    withExtendedLifetime(observations) {}
  }

  @Test("cancelled while it is ready, and with the whole queue")
  func cancelledReady() async throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    let (operation, chronicle) = (operation("noop"), Chronicle<String>())
    let observations = chronicle.follow(operation)
    try queue.addOperation(operation)
    queue.cancelAllOperations()
    #expect(
      try await chronicle.whenCompleted() == ["+cancelled", "-ready", "+finished", "completion"]
    )
    withExtendedLifetime(observations) {}
  }

  @Test("cancelled while it executes")
  func cancelledExecuting() async throws {
    let queue = try Pools.queue()
    let (block, chronicle) = (PoolBlockOperation.untilAsked(), Chronicle<String>())
    let observations = chronicle.follow(block)
    try queue.addOperation(block)
    #expect(try await chronicle.when(count: 2) == ["-ready", "+executing"])
    block.cancel()
    #expect(
      try await chronicle.whenCompleted()
        == ["-ready", "+executing", "+cancelled", "-executing", "+finished", "completion"]
    )
    block.cancel()
    #expect(!chronicle.all.contains { $0.contains("went") })
    withExtendedLifetime(observations) {}
  }

  @Test("a group that is cancelled while its timeout ends it is cancelled once, and has timed out")
  func cancelledAfterTimeout() async throws {
    let queue = try Pools.queue()
    let (asked, seen) = (Meeting(of: 2), Meeting(of: 2))
    let member = PoolBlockOperation.untilAsked {
      asked.join()
      seen.join()
    }
    let options = PoolOperationOptions(timeout: .milliseconds(1))
    let group = try PoolGroupOperation(options: options, operations: [member])
    let chronicle = Chronicle<String>()
    let observations = chronicle.follow(group)
    let transitions = group.transitions
    try queue.addOperation(group)
    _ = try await Blocking.run { asked.join() }
    for _ in 0..<2 { group.cancel() }
    #expect(group.isCancelled)
    _ = try await Blocking.run { seen.join() }
    #expect(
      try await chronicle.whenCompleted()
        == ["-ready", "+executing", "+cancelled", "-executing", "+finished", "completion"]
    )
    let cancellations = await transitions.filter { if case .cancelled = $0 { true } else { false } }
      .reduce(0) { count, _ in count + 1 }
    #expect(cancellations == 1 && group.outcome?.ending == .timedOut)
    withExtendedLifetime(observations) {}
  }

  @Test("skipped, it was never ready")
  func skipped() async throws {
    let queue = try Pools.queue()
    let (first, second) = (operation("fail", #"{"message":"no"}"#), operation("noop"))
    try second.addDependency(first, requiring: .succeeded)
    let chronicle = Chronicle<String>()
    let observations = chronicle.follow(second)
    try queue.addOperations([second, first])
    #expect(try await chronicle.whenCompleted() == ["+finished", "completion"])
    #expect(second.outcome?.ending == .skipped)
    withExtendedLifetime(observations) {}
  }

  @Test("dependencies, gates, conditions and barriers take readiness away, and give it back")
  func readiness() async throws {
    let queue = try Pools.queue()
    let (operation, other) = (operation("noop"), operation("noop"))
    let chronicle = Chronicle<String>()
    let observations = chronicle.follow(operation)
    try operation.addDependency(other)
    operation.removeDependency(other)
    var expected = ["-ready", "+ready"]
    #expect(try await chronicle.when(count: 2) == expected)
    operation.addGate().open()
    expected += ["-ready", "+ready"]
    #expect(try await chronicle.when(count: 4) == expected)
    try operation.addCondition(PoolCondition("always") { _ in true })
    let barrier = try queue.addBarrierBlock {}
    try queue.addOperation(operation)
    #expect(try await chronicle.whenCompleted() == expected + ["-ready", "+ready"] + Self.executed)
    withExtendedLifetime((observations, barrier)) {}
  }

  @Test("an operation behind a barrier is not ready until that has finished")
  func barrier() async throws {
    let queue = try Pools.queue()
    let operation = operation("noop")
    let chronicle = Chronicle<String>()
    let observations = chronicle.follow(operation)
    let (begun, seen) = (Meeting(of: 2), Meeting(of: 2))
    try queue.addBarrierBlock {
      begun.join()
      seen.join()
    }
    _ = try await Blocking.run { begun.join() }
    try queue.addOperation(operation)
    #expect(try await chronicle.when(count: 1) == ["-ready"])
    _ = try await Blocking.run { seen.join() }
    #expect(try await chronicle.whenCompleted() == ["-ready", "+ready"] + Self.executed)
    withExtendedLifetime(observations) {}
  }

  @Test("observed late, only what follows is told")
  func late() async throws {
    let queue = try Pools.queue()
    let block = PoolBlockOperation.untilAsked()
    try queue.addOperation(block)
    #expect(await block.reaches(.executing))
    let chronicle = Chronicle<String>()
    let observations = chronicle.follow(block)
    block.cancel()
    #expect(
      try await chronicle.whenCompleted() == [
        "+cancelled", "-executing", "+finished", "completion",
      ]
    )
    withExtendedLifetime(observations) {}
  }
}
