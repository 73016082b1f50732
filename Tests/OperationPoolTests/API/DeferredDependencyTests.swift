import PoolModel
import PoolTestSupport
import Testing

@testable import OperationPool

/// Contract: a dependency of an operation that the machine does not know yet, on one that it knows,
/// is as good as any other, although the machine is told of it later.
@Suite("Deferred dependencies", .timeLimit(.minutes(30)))
struct DeferredDependencyTests {
  /// An operation in a queue of its own, which does not execute before that is resumed.
  private func known(
    _ operation: PoolInvocationOperation = operation("noop", name: "known")
  ) throws -> (operation: PoolInvocationOperation, queue: PoolOperationQueue) {
    let queue = try Pools.queue()
    queue.isSuspended = true
    try queue.addOperation(operation)
    return (operation, queue)
  }

  @Test("the machine is not told before it must be, and each dependency counts once")
  func noting() async throws {
    let (first, queue) = try known()
    let dependent = operation("noop")
    for _ in 0..<2 { try dependent.addDependency(first) }
    #expect(!dependent.isRegistered)
    #expect(dependent.dependencies.map { $0 === first } == [true])
    try queue.addOperation(dependent)
    #expect(dependent.isRegistered && !dependent.isReady)
    queue.isSuspended = false
    let started = try #require(try await dependent.finished().started)
    #expect(try await first.finished().finished <= started)
  }

  @Test("one in no queue says that it waits, and when it does no longer")
  func state() async throws {
    let (first, queue) = try known()
    let dependent = operation("noop")
    try dependent.addDependency(first)
    #expect(!dependent.isRegistered)
    #expect(dependent.state == .pending)
    queue.isSuspended = false
    #expect(await dependent.reaches(.ready))
  }

  @Test("one that waits cannot be started; when it does not any more, it can")
  func start() async throws {
    let (first, queue) = try known()
    let (dependent, started) = (PoolBlockOperation {}, PoolBlockOperation {})
    for operation in [dependent, started] {
      try operation.addDependency(first)
      #expect(!operation.isRegistered)
    }
    let error = #expect(throws: PoolError.self) { try dependent.start() }
    #expect(error?.code == .notReady && error?.description.contains("'known'") == true)
    queue.isSuspended = false
    try await first.finished()
    for operation in [dependent, started] {
      try await Blocking.run { try operation.start() }
      #expect(operation.outcome?.ending == .succeeded)
    }
  }

  @Test("one that raises its dependencies does so before it is added")
  func lending() async throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    let (other, lazy) = (operation("count"), operation("count"))
    try queue.addOperations([other, lazy])
    let options = PoolOperationOptions(queuePriority: .veryHigh, raisesDependencies: true)
    let urgent = PoolBlockOperation(options: options) {}
    try urgent.addDependency(lazy)
    queue.isSuspended = false
    #expect(try await lazy.finished().text == "1")
    #expect(try await other.finished().text == "2")
  }

  @Test("of many, the machine is told at once, so that no lock is held for long; all count")
  func many() async throws {
    let (first, queue) = try known(operation("noop"))
    let others = (0..<200).map { _ in operation("noop") }
    try queue.addOperations(others)
    let dependent = operation("noop")
    for other in others { try dependent.addDependency(other) }
    try dependent.addDependency(first)
    #expect(dependent.isRegistered && dependent.dependencies.count == 201)
    try queue.addOperation(dependent)
    queue.isSuspended = false
    let started = try #require(try await dependent.finished().started)
    for other in others { #expect(try #require(other.outcome).finished <= started) }
  }

  @Test("no cycle is closed through one, from whichever side, and the refused changes nothing")
  func cycles() throws {
    let (first, _) = try known()
    let (second, third) = (operation("noop", name: "second"), operation("noop", name: "third"))
    try second.addDependency(first)
    #expect(!second.isRegistered)
    try third.addDependency(second)
    #expect(second.isRegistered)
    for (dependency, text) in [
      (second, "'known' → 'second' → 'known'"),
      (third, "'known' → 'third' → 'second' → 'known'"),
    ] {
      let error = #expect(throws: PoolError.self) { try first.addDependency(dependency) }
      #expect(error?.code == .cycle)
      #expect(error?.description == "operations wait for each other: \(text)")
    }
    #expect(first.dependencies.isEmpty && first.isReady)
  }

  @Test("one that joins the group it waits for is refused, and can still be used")
  func groups() async throws {
    let queue = try Pools.queue()
    let group = try PoolGroupOperation(operations: [operation("noop")])
    let member = operation("noop")
    try member.addDependency(group)
    #expect(!member.isRegistered)
    let error = #expect(throws: PoolError.self) { try group.addOperation(member) }
    #expect(error?.code == .cycle)
    try queue.addOperations([member, group])
    #expect(try await member.finished().ending == .succeeded)
  }

  @Test("one that is taken back leaves the others")
  func removal() async throws {
    let (first, queue) = try known()
    let (second, other) = try known(operation("noop"))
    let dependent = operation("noop")
    for dependency in [first, second] { try dependent.addDependency(dependency) }
    #expect(!dependent.isRegistered)
    dependent.removeDependency(first)
    #expect(dependent.dependencies.map { $0 === second } == [true])
    #expect(!dependent.isReady)
    other.isSuspended = false
    try await second.finished()
    #expect(await dependent.reaches(.ready))
    try other.addOperation(dependent)
    #expect(try await dependent.finished().ending == .succeeded)
    #expect(first.state == .ready)
    queue.isSuspended = false
  }

  @Test("its requirement holds, whether the other has ended before the machine is told or after")
  func requirements() async throws {
    for endsBefore in [true, false] {
      let (failing, queue) = try known(operation("fail", #"{"message":"no"}"#))
      let (skipped, executed) = (operation("noop"), operation("noop"))
      try skipped.addDependency(failing, requiring: .succeeded)
      try executed.addDependency(failing, requiring: .failed)
      #expect(!skipped.isRegistered && !executed.isRegistered)
      if endsBefore {
        queue.isSuspended = false
        try await failing.finished()
      }
      try queue.addOperations([skipped, executed])
      queue.isSuspended = false
      #expect(try await skipped.finished().ending == .skipped)
      #expect(try await executed.finished().ending == .succeeded)
    }
  }

  @Test("one that was cancelled before it was added waits for nothing")
  func cancellation() async throws {
    let (first, queue) = try known()
    let dependent = operation("noop")
    try dependent.addDependency(first)
    dependent.cancel()
    #expect(!dependent.isRegistered)
    try queue.addOperation(dependent)
    #expect(try await dependent.finished().ending == .cancelled)
    #expect(first.state == .ready)
  }

  @Test("a large batch of them is added, and waits for what it must")
  func batch() async throws {
    let (first, queue) = try known()
    let operations = (0..<3_000).map { _ in operation("noop") }
    for operation in operations { try operation.addDependency(first) }
    let other = try Pools.queue(2)
    try other.addOperations(operations)
    #expect(operations.allSatisfy { $0.state == .pending })
    #expect(other.operationCount == operations.count)
    queue.isSuspended = false
    let end = try await first.finished().finished
    for operation in operations {
      #expect(try #require(try await operation.finished().started) >= end)
    }
  }

  @Test("none is lost where several threads note, and another makes the operation known")
  func threads() async throws {
    for _ in 0..<200 {
      let pools = try (0..<3).map { _ in try PoolOperationQueue.suspendedBlocks() }
      let dependent = PoolBlockOperation {}
      let meeting = Meeting(of: pools.count + 1)
      await withThrowingTaskGroup(of: Void.self) { group in
        for (first, _) in pools {
          group.addTask {
            try await Blocking.run {
              meeting.join()
              try dependent.addDependency(first)
            }
          }
        }
        group.addTask {
          try await Blocking.run {
            meeting.join()
            _ = dependent.state
          }
        }
      }
      #expect(dependent.dependencies.count == pools.count)
      for (index, pool) in pools.enumerated() {
        #expect(dependent.state == .pending, "\(pools.count - index) are left")
        pool.queue.isSuspended = false
        try await pool.first.finished()
      }
      #expect(await dependent.reaches(.ready))
    }
  }
}

extension PoolOperationQueue {
  /// A queue of blocks that is suspended, and the one that is in it.
  fileprivate static func suspendedBlocks() throws -> (
    first: PoolBlockOperation, queue: PoolOperationQueue
  ) {
    let queue = try Pools.blocks()
    queue.isSuspended = true
    let first = PoolBlockOperation {}
    try queue.addOperation(first)
    return (first, queue)
  }
}
