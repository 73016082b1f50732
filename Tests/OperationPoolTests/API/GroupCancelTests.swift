import OperationPool
import PoolModel
import Testing

/// Contract: whatever ends a group ends its operations, and they never execute where it did not.
@Suite("Cancelled groups", .timeLimit(.minutes(30)))
struct GroupCancelTests {
  /// A member that must not execute, and where it writes if it does.
  private func idle() -> (PoolBlockOperation, Notebook<Bool>) {
    let notebook = Notebook<Bool>()
    return (PoolBlockOperation { notebook.write(true) }, notebook)
  }

  @Test("cancelled while it executes, it ends when its operations have ended as cancelled")
  func executing() async throws {
    let queue = try Pools.queue()
    let block = PoolBlockOperation.untilAsked { throw CancellationError() }
    let remote = operation("untilCancelled", "{}")
    let (waiting, notebook) = idle()
    try waiting.addDependency(block)
    let group = try PoolGroupOperation(operations: [block, remote, waiting])
    try queue.addOperation(group)
    #expect(await block.reaches(.executing))
    #expect(await remote.reaches(.executing))
    group.cancel()
    #expect(group.operations.allSatisfy { $0.isCancelled })
    #expect(try await group.finished().ending == .cancelled)
    #expect(group.operations.allSatisfy { $0.outcome?.ending == .cancelled })
    #expect(remote.outcome?.cancellation?.origin == .group)
    #expect(notebook.all.isEmpty)
  }

  @Test("cancelled in its queue, it never executes, nor do its operations, and all finish")
  func waiting() async throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    let (block, notebook) = idle()
    let (nested, inner) = idle()
    let group = try PoolGroupOperation(operations: [
      block, PoolGroupOperation(operations: [nested]),
    ])
    let after = PoolBlockOperation {}
    try after.addDependency(group)
    try queue.addOperation(group)
    group.cancel()
    #expect(try await group.finished().ending == .cancelled)
    #expect(try await block.finished().ending == .cancelled)
    #expect(try await nested.finished().ending == .cancelled)
    queue.isSuspended = false
    try queue.addOperation(after)
    #expect(try await after.finished().ending == .succeeded)
    #expect(notebook.all.isEmpty && inner.all.isEmpty)
  }

  @Test("what is added after its timeout is cancelled, too")
  func timedOut() async throws {
    let queue = try Pools.queue()
    var timeout = Duration.milliseconds(50)
    // The time may be over before its block begins, if the machine has much to do.
    while try await !timesOut(in: queue, after: timeout) { timeout *= 2 }
  }

  /// Whether the member that adds another one at the group's timeout had begun by then.
  private func timesOut(in queue: PoolOperationQueue, after timeout: Duration) async throws -> Bool
  {
    let (late, notebook) = idle()
    let group = try PoolGroupOperation(options: .init(timeout: timeout))
    let adding = PoolBlockOperation.untilAsked { [weak group] in try group?.addOperation(late) }
    try group.addOperation(adding)
    try queue.addOperation(group)
    #expect(try await group.finished().ending == .timedOut)
    guard adding.outcome?.started != nil else { return false }
    #expect(try await late.finished().ending == .cancelled)
    #expect(notebook.all.isEmpty)
    return true
  }

  @Test("cancelled before it is in a queue, it marks its operations, and all end in one")
  func outside() async throws {
    let queue = try Pools.queue()
    let (block, notebook) = idle()
    let (late, other) = idle()
    let group = try PoolGroupOperation(operations: [block])
    group.cancel()
    #expect(group.isCancelled && block.isCancelled && !block.isFinished)
    try group.addOperation(late)
    #expect(late.isCancelled)
    try queue.addOperation(group)
    #expect(try await group.finished().ending == .cancelled)
    #expect(try await block.finished().ending == .cancelled)
    #expect(try await late.finished().ending == .cancelled)
    #expect(notebook.all.isEmpty && other.all.isEmpty)
  }

  @Test("the cancellation of a whole queue reaches into its groups")
  func queue() async throws {
    let queue = try Pools.queue()
    let block = PoolBlockOperation.untilAsked { throw CancellationError() }
    let group = try PoolGroupOperation(operations: [PoolGroupOperation(operations: [block])])
    try queue.addOperation(group)
    #expect(await block.reaches(.executing))
    queue.cancelAllOperations()
    #expect(try await group.finished().ending == .cancelled)
    #expect(block.outcome?.ending == .cancelled)
  }

  @Test("what is added to a group that was cancelled is cancelled, too")
  func addition() async throws {
    let queue = try Pools.queue()
    let (late, notebook) = idle()
    let group = try PoolGroupOperation()
    let block = PoolBlockOperation.untilAsked { [weak group] in try group?.addOperation(late) }
    try group.addOperation(block)
    try queue.addOperation(group)
    #expect(await block.reaches(.executing))
    group.cancel()
    try await group.finished()
    #expect(late.outcome?.ending == .cancelled)
    #expect(block.outcome?.ending == .succeeded)
    #expect(notebook.all.isEmpty)
  }

  @Test("a group that is skipped ends its operations, which never execute")
  func skipped() async throws {
    let queue = try Pools.queue()
    let guilty = operation("fail", #"{"message":"no"}"#)
    let (block, notebook) = idle()
    let group = try PoolGroupOperation(operations: [block])
    try group.addDependency(guilty, requiring: .succeeded)
    try queue.addOperations([group, guilty])
    #expect(try await group.finished().ending == .skipped)
    #expect(try await block.finished().ending == .cancelled)
    #expect(notebook.all.isEmpty)
  }

  @Test("its timeout is that of all of its operations together")
  func timeout() async throws {
    let queue = try Pools.queue()
    let remote = operation("untilCancelled", "{}")
    let group = try PoolGroupOperation(
      options: .init(timeout: .milliseconds(50)),
      operations: [remote]
    )
    try queue.addOperation(group)
    #expect(try await group.finished().ending == .timedOut)
    #expect(remote.outcome?.ending == .cancelled)
  }

  @Test("one operation that is cancelled alone makes the group fail")
  func single() async throws {
    let queue = try Pools.queue()
    let (block, _) = idle()
    block.cancel()
    let group = try PoolGroupOperation(operations: [block, operation("noop")])
    try queue.addOperation(group)
    let outcome = try await group.finished()
    #expect(outcome.ending == .failed && outcome.failure?.cause == .member)
    #expect(!group.isCancelled)
  }

  @Test("a group may be cancelled at any moment without losing one of its operations")
  func races() async throws {
    let queue = try Pools.queue()
    for _ in 0..<200 {
      let blocks = (0..<4).map { _ in PoolBlockOperation {} }
      let group = try PoolGroupOperation(operations: blocks)
      try queue.addOperation(group)
      async let cancellation: Void = Task.detached { group.cancel() }.value
      let outcome = try await group.finished()
      await cancellation
      #expect([.cancelled, .succeeded].contains(outcome.ending), "\(outcome)")
      for block in blocks { try await block.finished() }
    }
    try await queue.allOperationsFinished()
  }

  @Test("one that has ended takes no operation, even if its outcome is only about to be seen")
  func late() async throws {
    let queue = try Pools.blocks()
    let never = block()
    for _ in 0..<200 {
      let (group, late) = (try PoolGroupOperation(), block())
      try group.addDependency(never)
      try queue.addOperation(group)
      group.cancel()
      let error = #expect(throws: PoolError.self) { try group.addOperation(late) }
      #expect(error?.code == .alreadyExecuting && !late.isCancelled)
      #expect(try await group.finished().ending == .cancelled)
    }
  }
}
