import Foundation
import OperationPool
import PoolModel
import Testing

/// Contract: a group is a graph with one outcome; it finishes when all of its operations have.
@Suite("Groups", .timeLimit(.minutes(30)))
struct GroupTests {
  @Test("it finishes when all have, and takes no slot: its members take those of its queue")
  func width() async throws {
    let queue = try Pools.queue()
    queue.maxConcurrentOperationCount = 1
    let notebook = Notebook<String>()
    let blocks = (0..<2).map { index in
      PoolBlockOperation {
        notebook.write("begin \(index)")
        notebook.write("end \(index)")
      }
    }
    let remote = operation("noop")
    let group = try PoolGroupOperation(operations: blocks + [remote])
    try queue.addOperation(group)
    #expect(try await group.finished().ending == .succeeded)
    #expect(notebook.all == ["begin 0", "end 0", "begin 1", "end 1"])
    #expect(group.operations.allSatisfy { $0.outcome?.ending == .succeeded })
    #expect(group.name == nil && group.isAsynchronous)
    #expect(queue.operationCount == 0)
  }

  @Test("a member may add to its queue as long as there is room, in which the group counts as one")
  func room() async throws {
    let queue = try Pools.blocks()
    queue.capacity = 2
    let block = PoolBlockOperation { try await queue.add(PoolBlockOperation {}) }
    let group = try PoolGroupOperation(operations: [PoolGroupOperation(operations: [block])])
    try queue.addOperation(group)
    #expect(try await group.finished().ending == .succeeded)
    try await queue.allOperationsFinished()
  }

  @Test("members that end as they are added are counted in the queue's progress")
  func progress() async throws {
    let queue = try Pools.blocks()
    let progress = queue.progress
    let group = try PoolGroupOperation(operations: (0..<3).map { _ in PoolBlockOperation {} })
    group.cancel()
    try queue.addOperation(group)
    try await queue.allOperationsFinished()
    #expect(progress.totalUnitCount == 4 && progress.completedUnitCount == 4)
  }

  @Test("a group that is cancelled while a member waits stays executing until it has finished")
  func state() async throws {
    let queue = try Pools.blocks()
    let member = PoolBlockOperation {}
    let gate = member.addGate()
    let group = try PoolGroupOperation(operations: [member])
    try queue.addOperation(group)
    #expect(await group.reaches(.executing))
    group.cancel()
    #expect([.executing, .finished].contains(group.state))
    #expect(try await group.finished().ending == .cancelled)
    gate.open()
  }

  @Test("an empty group succeeds")
  func empty() async throws {
    let queue = try Pools.queue()
    let group = try PoolGroupOperation()
    try queue.addOperation(group)
    #expect(try await group.finished().ending == .succeeded)
  }

  @Test("its operations execute no more at once than its own width allows")
  func ownWidth() async throws {
    let queue = try Pools.queue()
    let notebook = Notebook<Int>()
    let blocks = (0..<20).map { index in PoolBlockOperation { notebook.write(index) } }
    let group = try PoolGroupOperation(operations: blocks)
    group.maxConcurrentOperationCount = 1
    try queue.addOperation(group)
    try await group.finished()
    #expect(notebook.all == Array(0..<20))
    #expect(group.maxConcurrentOperationCount == 1)
  }

  @Test("its operations wait for it, and what waits for it waits for them")
  func order() async throws {
    let queue = try Pools.queue()
    let notebook = Notebook<String>()
    let first = PoolBlockOperation { notebook.write("first") }
    let inner = PoolBlockOperation { notebook.write("inner") }
    let last = PoolBlockOperation { notebook.write("last") }
    let group = try PoolGroupOperation(operations: [inner])
    try group.addDependency(first)
    try last.addDependency(group)
    #expect(!inner.isReady)
    try queue.addOperations([last, group, first])
    try await last.finished()
    #expect(notebook.all == ["first", "inner", "last"])
  }

  @Test("operations inside wait for others outside, and the other way round")
  func across() async throws {
    let (queue, other) = (try Pools.queue(), try Pools.queue())
    let notebook = Notebook<String>()
    let before = PoolBlockOperation { notebook.write("before") }
    let inside = PoolBlockOperation { notebook.write("inside") }
    let after = PoolBlockOperation { notebook.write("after") }
    try inside.addDependency(before)
    try after.addDependency(inside)
    let group = try PoolGroupOperation(operations: [inside])
    try queue.addOperation(group)
    try other.addOperations([after, before])
    try await after.finished()
    #expect(try await group.finished().ending == .succeeded)
    #expect(notebook.all == ["before", "inside", "after"])
  }

  @Test("groups in groups end with one outcome, however many there are")
  func nested() async throws {
    let queue = try Pools.queue()
    let notebook = Notebook<Int>()
    // More than there are workers for blocks, each waiting for the next.
    var next: PoolOperation = PoolBlockOperation { notebook.write(1) }
    for _ in 0..<300 { next = try PoolGroupOperation(operations: [next]) }
    try queue.addOperation(next)
    #expect(try await next.finished().ending == .succeeded)
    #expect(notebook.all == [1])
  }

  @Test(
    "a shutdown returns when all members have their outcome, however deep, though none was executed",
    arguments: PoolShutdown.allCases
  )
  func neverExecuted(mode: PoolShutdown) async throws {
    let missing = PoolBlockOperation {}
    let guilty = PoolBlockOperation { throw CancellationError() }
    for depth in [1, 1, 1, 1, 100] {
      let queue = try Pools.blocks()
      let innermost = PoolBlockOperation {}
      var next: PoolOperation = innermost
      for _ in 0..<depth { next = try PoolGroupOperation(operations: [next]) }
      // It waits forever, or is skipped.
      let first = mode == .cancel ? missing : guilty
      try next.addDependency(first, requiring: .succeeded)
      try queue.addOperation(next)
      if mode == .finish, guilty.outcome == nil { try queue.addOperation(guilty) }
      await queue.shutdown(mode)
      #expect(innermost.outcome?.ending == .cancelled && next.outcome != nil)
      #expect(queue.operationCount == 0)
    }
  }

  @Test("it fails with the first that did not succeed, whose own sentence it keeps")
  func failure() async throws {
    let queue = try Pools.queue()
    let guilty = operation("fail", #"{"message":"out of paper"}"#, name: "printer")
    let victim = operation("noop", name: "victim")
    try victim.addDependency(guilty, requiring: .succeeded)
    let inner = try PoolGroupOperation(
      options: .init(name: "inner"),
      operations: [victim, guilty]
    )
    let outer = try PoolGroupOperation(operations: [operation("noop"), inner])
    try queue.addOperation(outer)
    let outcome = try await outer.finished()
    #expect(outcome.ending == .failed && outcome.failure?.cause == .member)
    let sentence =
      "its operation 'inner' did not succeed: its operation 'printer' did not succeed: out of paper"
    #expect(outcome.failure?.description == sentence)
    #expect(victim.outcome?.ending == .skipped)
  }

  @Test("it is never executed twice: what is retried are its operations")
  func retries() async throws {
    let queue = try Pools.queue()
    let member = operation("fail", #"{"message":"no"}"#, retries: 2)
    let group = try PoolGroupOperation(
      options: .init(retryPolicy: .retries(3)),
      operations: [member]
    )
    try queue.addOperation(group)
    #expect(try await group.finished().attempts == 1)
    #expect(member.outcome?.attempts == 3)
  }

  @Test("its operations may add others only while it executes")
  func growing() async throws {
    let queue = try Pools.queue()
    let notebook = Notebook<Int>()
    let group = try PoolGroupOperation()
    let first = PoolBlockOperation { [weak group] in
      for index in 0..<10 {
        try group?.addOperation(PoolBlockOperation { notebook.write(index) })
      }
    }
    try group.addOperation(first)
    try queue.addOperation(group)
    #expect(try await group.finished().ending == .succeeded)
    #expect(notebook.all.sorted() == Array(0..<10))
    #expect(group.operations.count == 11)
    let late = PoolBlockOperation {}
    let error = #expect(throws: PoolError.self) { try group.addOperation(late) }
    #expect(error?.code == .alreadyExecuting)
    try queue.addOperation(late)
    #expect(try await late.finished().ending == .succeeded)
  }

  @Test("an operation belongs to one group or one queue, until the group is let go")
  func belonging() async throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    let (member, queued) = (PoolBlockOperation {}, PoolBlockOperation {})
    try queue.addOperation(queued)
    var group: PoolGroupOperation? = try PoolGroupOperation(operations: [member])
    #expect(throws: PoolError.self) { try queue.addOperation(member) }
    #expect(throws: PoolError.self) { try member.start() }
    #expect(throws: PoolError.self) { try PoolGroupOperation(operations: [member]) }
    #expect(throws: PoolError.self) { try group?.addOperations([PoolBlockOperation {}, queued]) }
    #expect(group?.operations.count == 1)
    group = nil
    queue.isSuspended = false
    try queue.addOperation(member)
    #expect(try await member.finished().ending == .succeeded)
  }

  @Test("cycles through a group are refused, with their path")
  func cycles() throws {
    let (inside, outside) = (operation("noop", name: "in"), operation("noop", name: "out"))
    let group = try PoolGroupOperation(options: .init(name: "group"), operations: [inside])
    try outside.addDependency(group)
    let error = #expect(throws: PoolError.self) { try inside.addDependency(outside) }
    #expect(error?.code == .cycle)
    #expect(error?.description.contains("'in' → 'out' → 'group' → 'in'") == true)
    let before = operation("noop", name: "before")
    try group.addDependency(before)
    let other = #expect(throws: PoolError.self) { try before.addDependency(inside) }
    #expect(other?.description.contains("'before' → 'in' → 'group' → 'before'") == true)
    let late = operation("noop", name: "late")
    try late.addDependency(outside)
    #expect(throws: PoolError.self) { try group.addOperation(late) }
    #expect(group.operations.count == 1)
    #expect(throws: PoolError.self) { try group.addOperation(group) }
  }

  /// The barrier waits for what is before it, which waits for what is behind it.
  private func barrierCycle() throws -> [PoolOperation] {
    let (first, last) = (PoolBlockOperation {}, PoolBlockOperation {})
    let barrier = PoolBlockOperation(options: .init(isBarrier: true)) {}
    try first.addDependency(last)
    return [first, barrier, last]
  }

  @Test("members that wait for each other through a barrier are refused with their group")
  func barrierCycles() async throws {
    let queue = try Pools.queue()
    let members = try barrierCycle()
    let group = try PoolGroupOperation(operations: [members[0], members[1]])
    let outer = try PoolGroupOperation(operations: [group])
    try group.addOperation(members[2])
    let error = #expect(throws: PoolError.self) { try queue.addOperation(outer) }
    #expect(error?.code == .cycle)
    #expect(queue.operationCount == 0 && group.operations.count == 3)
    members[0].removeDependency(members[2])
    try queue.addOperation(outer)
    #expect(try await outer.finished().ending == .succeeded)
    let late = try PoolGroupOperation()
    let adding = PoolBlockOperation { [weak late] in
      let error = #expect(throws: PoolError.self) { try late?.addOperations(barrierCycle()) }
      #expect(error?.code == .cycle && late?.operations.count == 1)
    }
    try late.addOperation(adding)
    try queue.addOperation(late)
    #expect(try await late.finished().ending == .succeeded)
  }

  @Test(
    "members have ended when a group that is cancelled or skipped has",
    arguments: [true, false]
  )
  func endsLast(isCancelled: Bool) async throws {
    let queue = try Pools.blocks()
    let failing = PoolBlockOperation { throw Refusal(description: "no") }
    for _ in 0..<50 {
      let members = (0..<3).map { _ in PoolBlockOperation {} }
      let group = try PoolGroupOperation(operations: members)
      if isCancelled {
        group.cancel()
      } else {
        try group.addDependency(failing, requiring: .succeeded)
      }
      try queue.addOperation(group)
      if failing.outcome == nil, !isCancelled { try queue.addOperation(failing) }
      #expect(try await group.finished().ending == (isCancelled ? .cancelled : .skipped))
      #expect(members.allSatisfy { $0.outcome?.cancellation?.origin == .group })
    }
  }

  @Test("a block in it that waits for it, or for its queue, is told that this would be for ever")
  func deadlock() async throws {
    let queue = try Pools.queue()
    let notebook = Notebook<PoolError.Code>()
    let group = try PoolGroupOperation()
    let block = PoolBlockOperation { [weak group] in
      do throws(PoolError) {
        try group?.waitUntilFinished()
      } catch {
        notebook.write(error.code)
      }
      do throws(PoolError) {
        try queue.waitUntilAllOperationsAreFinished()
      } catch {
        notebook.write(error.code)
      }
    }
    try group.addOperation(block)
    try queue.addOperation(group)
    try await group.finished()
    #expect(notebook.all == [.deadlock, .deadlock])
  }
}
