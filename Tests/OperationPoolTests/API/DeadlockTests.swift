import OperationPool
import PoolModel
import PoolTestSupport
import Testing

/// Contract: a block that awaits what its own operation holds up is told so, as one that blocks its
/// thread is; nothing is refused that can end.
@Suite("Waits that cannot end", .timeLimit(.minutes(30)))
struct DeadlockTests {
  /// The code of the error that a closure throws.
  private static func code(of body: () async throws -> Void) async -> PoolError.Code? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? PoolError)?.code
    }
  }

  private static func serialQueue(_ width: Int = 1) throws -> PoolOperationQueue {
    let queue = try Pools.queue()
    queue.maxConcurrentOperationCount = width
    return queue
  }

  @Test("a block of a serial queue cannot await another operation of that queue in any way")
  func serial() async throws {
    let queue = try Self.serialQueue()
    let next = PoolTypedOperation(Sum(numbers: [1, 2]))
    let sums = [Sum(numbers: [1])]
    let codes = Notebook<PoolError.Code?>()
    let block = PoolBlockOperation(options: PoolOperationOptions(name: "first")) {
      codes.write(await Self.code { try await next.finished() })
      codes.write(await Self.code { _ = try await next.value })
      codes.write(await Self.code { _ = try await next.result })
      codes.write(await Self.code { try await queue.run(PoolBlockOperation {}) })
      codes.write(await Self.code { for try await _ in queue.map(sums) {} })
      codes.write(await Self.code { for try await _ in queue.map(sums).outputs {} })
      codes.write(await Self.code { _ = try await queue.map(sums).reduce { _ in sums[0] } })
      try await next.finished()
    }
    try queue.addOperations([block, next])
    let sentence = try await block.finished().failure?.sentence ?? ""
    #expect(sentence.hasPrefix("'first' would wait for 'sum"))
    #expect(sentence.hasSuffix("', which their queue executes after it"))
    #expect(codes.all == Array(repeating: .deadlock, count: 7))
    #expect(try await next.value.sum == 3)
    try await queue.allOperationsFinished()
  }

  @Test("a block cannot await itself, its group, or what depends on it, also through a barrier")
  func itself() async throws {
    let queue = try Pools.queue()
    let codes = Notebook<PoolError.Code?>()
    let (middle, last) = (operation("noop"), operation("noop"))
    try last.addDependency(middle)
    let group = try PoolGroupOperation()
    let behind = PoolBlockOperation {}
    let block = PoolBlockOperation {
      codes.write(await Self.code { try await PoolOperation.current?.finished() })
      codes.write(await Self.code { try await last.finished() })
      codes.write(await Self.code { try await queue.run(last) })
      codes.write(await Self.code { try await behind.finished() })
    }
    let member = PoolBlockOperation { [weak group] in
      codes.write(await Self.code { try await group?.finished() })
    }
    try middle.addDependency(block)
    try group.addOperation(member)
    let gate = block.addGate()
    try queue.addOperation(block)
    try queue.addBarrierBlock {}
    try queue.addOperation(behind)
    gate.open()
    try await block.finished()
    try await queue.run(group)
    #expect(codes.all == Array(repeating: .deadlock, count: 5))
    #expect(last.state == .pending || last.state == .ready)
  }

  @Test("each of several blocks that suspend is told")
  func several() async throws {
    let queue = try Self.serialQueue()
    let codes = Notebook<PoolError.Code?>()
    let body: PoolBlockOperation.AsyncBlock = {
      codes.write(await Self.code { try await queue.run(PoolBlockOperation {}) })
    }
    let block = PoolBlockOperation(body)
    try block.addExecutionBlock(body)
    try block.addExecutionBlock { try queue.waitUntilAllOperationsAreFinished() }
    #expect(try await queue.run(block).failure?.cause == .error)
    #expect(codes.all == [.deadlock, .deadlock])
  }

  @Test("an operation that does not fit beside the caller counts like one of a serial queue")
  func slots() async throws {
    let queue = try Self.serialQueue(4)
    let codes = Notebook<PoolError.Code?>()
    let wide = PoolBlockOperation(options: PoolOperationOptions(slots: 3)) {
      for slots in [1, 2] {
        let other = PoolBlockOperation(options: PoolOperationOptions(slots: slots)) {}
        codes.write(await Self.code { try await queue.run(other) })
      }
    }
    try await queue.run(wide)
    #expect(codes.all == [nil, .deadlock])
  }

  @Test("room in a queue that is full of the caller alone is refused")
  func room() async throws {
    let queue = try Pools.queue()
    queue.capacity = 1
    let codes = Notebook<PoolError.Code?>()
    let block = PoolBlockOperation {
      codes.write(await Self.code { try await queue.add(PoolBlockOperation {}) })
      queue.capacity = 2
      codes.write(await Self.code { try await queue.add(PoolBlockOperation {}) })
    }
    try await queue.run(block)
    #expect(codes.all == [.deadlock, nil])
  }

  @Test("a block may await other queues, wide ones, what has ended, and in tasks of its own")
  func allowed() async throws {
    let (queue, other) = (try Self.serialQueue(), try Self.serialQueue(2))
    let (ended, later) = (PoolBlockOperation {}, PoolBlockOperation {})
    try await queue.run(ended)
    let codes = Notebook<PoolError.Code?>()
    let block = PoolBlockOperation {
      codes.write(await Self.code { try await ended.finished() })
      codes.write(await Self.code { try await other.run(PoolBlockOperation {}) })
      Task {
        codes.write(await Self.code { try await later.finished() })
        codes.write(await Self.code { await queue.shutdown() })
      }
    }
    let nested = PoolBlockOperation {
      codes.write(await Self.code { try await other.run(PoolBlockOperation {}) })
    }
    try queue.addOperations([block, later])
    try await other.run(nested)
    // On a thread of its own: the tasks of the test need those of tasks.
    #expect(try await Blocking.run { codes.reaches(5) })
    #expect(codes.all.allSatisfy { $0 == nil })
  }

  /// Such a task may outlive the block, and nothing tells whether the block awaits it.
  @Test("a wait in a task that a block starts is not refused: it lasts until it is cancelled")
  func tasks() async throws {
    let queue = try Self.serialQueue()
    let next = PoolBlockOperation {}
    let ends = Notebook<String>()
    @Sendable func wait() async {
      do {
        ends.write("\(try await next.finished().ending)")
      } catch is CancellationError {
        ends.write("cancelled task")
      } catch {
        ends.write("\(error)")
      }
    }
    let block = PoolBlockOperation {
      let task = Task { await wait() }
      task.cancel()
      await task.value
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await wait() }
        group.cancelAll()
      }
      do {
        // It is left without being awaited, and so cancelled.
        async let _ = wait()
      }
      await Task { await wait() }.value
    }
    try queue.addOperations([block, next])
    _ = try await Blocking.run { ends.reaches(3) }
    next.cancel()
    #expect(try await block.finished().ending == .succeeded)
    #expect(ends.all == Array(repeating: "cancelled task", count: 3) + ["cancelled"])
  }

  @Test("misuse that is no wait fails where it happens, and ends no process")
  func misuse() async throws {
    let queue = try Pools.queue()
    let limit = PoolLimit(-1)
    let held = PoolBlockOperation(options: PoolOperationOptions(limits: [limit])) {}
    try queue.addOperation(held)
    limit.setCount(-5)
    #expect(held.state == .ready)
    limit.setCount(1)
    #expect(try await held.finished().ending == .succeeded)
    let empty = PoolCommandOperation(run: [], options: PoolOperationOptions(name: "empty"))
    let error = #expect(throws: PoolError.self) { try queue.addOperation(empty) }
    #expect(error?.description == "'empty' is a command without a program")
    #expect(throws: PoolError.self) { try PoolGroupOperation(operations: [empty]) }
    #expect(error?.code == .notEncodable && queue.operationCount == 0)
  }
}
