import PoolModel
import PoolSystem
import Testing

@testable import OperationPool

/// Contract: a queue that is shut down leaves nothing behind, neither operations nor workers.
@Suite("Shutting a queue down", .timeLimit(.minutes(30)))
struct ShutdownTests {
  @Test("what was added finishes, even if suspended, its workers are reaped, and more is refused")
  func finish() async throws {
    let queue = try Pools.commands()
    let first = PoolCommandOperation(shell: "echo $PPID")
    try queue.addOperation(first)
    let text = String(decoding: try await first.finished().standardOutput, as: UTF8.self)
    let worker = try #require(Int32(text.dropLast()))
    #expect(ProcessSignal(0).send(toProcess: worker))
    queue.isSuspended = true
    let commands = (0..<20).map { _ in PoolCommandOperation(shell: "true") }
    try queue.addOperations(commands)
    await queue.shutdown()
    #expect(commands.allSatisfy { $0.outcome?.ending == .succeeded })
    #expect(!ProcessSignal(0).send(toProcess: worker))
    let late = PoolCommandOperation(shell: "true")
    let error = #expect(throws: PoolError.self) { try queue.addOperation(late) }
    #expect(error?.code == .shutDown && late.outcome == nil && queue.operationCount == 0)
    let loose = #expect(throws: PoolError.self) { try late.start(on: queue.fleet) }
    #expect(loose?.code == .shutDown)
    await queue.shutdown()
  }

  @Test("the error of what is added later names the queue, if it has a name")
  func named() async throws {
    let queue = PoolOperationQueue(fleet: try PoolFleet())
    await queue.shutdown()
    let nameless = #expect(throws: PoolError.self) { try queue.addOperation(PoolBlockOperation {}) }
    #expect(nameless?.description == "the queue was shut down, and takes no more operations")
    queue.name = "thumbnails"
    let one = #expect(throws: PoolError.self) { try queue.addOperation(PoolBlockOperation {}) }
    let many = #expect(throws: PoolError.self) {
      try queue.addOperations((0..<3).map { _ in PoolBlockOperation {} })
    }
    let awaited = await #expect(throws: PoolError.self) {
      try await queue.add(PoolBlockOperation {})
    }
    for error in [one, many, awaited] {
      #expect(
        error?.description == "the queue 'thumbnails' was shut down, and takes no more operations"
      )
    }
  }

  @Test("one that cancels ends what another one waits for")
  func cancel() async throws {
    let queue = try Pools.queue(2)
    let long = (0..<3).map { _ in operation("untilCancelled") }
    try queue.addOperations(long)
    async let slow: Void = queue.shutdown()
    #expect(await long[0].reaches(.executing))
    await queue.shutdown(.cancel)
    await slow
    #expect(long.allSatisfy { $0.outcome?.cancellation?.origin == .queue })
  }

  @Test("a fleet that others use, or that was made for several, goes on")
  func shared() async throws {
    let (owner, fleet) = (try Pools.queue(), try Pools.queue().fleet)
    let (guest, other) = (
      PoolOperationQueue(fleet: owner.fleet), PoolOperationQueue(fleet: fleet)
    )
    await owner.shutdown()
    await other.shutdown(.cancel)
    #expect(try await guest.run(operation("noop")).ending == .succeeded)
    let next = PoolOperationQueue(fleet: fleet)
    #expect(try await next.run(operation("noop")).ending == .succeeded)
  }

  @Test("a queue that the user has released keeps no worker, though another thread still uses it")
  func released() async throws {
    let owner = try Pools.commands()
    var other: PoolOperationQueue? = PoolOperationQueue(fleet: owner.fleet)
    let command = PoolCommandOperation(shell: "echo $PPID")
    let output = try await other?.run(command).standardOutput ?? []
    let worker = try #require(Int32(String(decoding: output, as: UTF8.self).dropLast()))
    // As the loop's thread does when it wakes those that wait for the last operation.
    let used = other?.core
    other = nil
    await owner.shutdown()
    #expect(!ProcessSignal(0).send(toProcess: worker))
    #expect(owner.fleet.state.alive == 0)
    withExtendedLifetime(used) {}
  }

  @Test("a queue that is released after its last operation, and before a shutdown, keeps no worker")
  func releases() async throws {
    for round in 0..<300 {
      let owner = try PoolOperationQueue(workers: .inProcess(Hosted.kinds, count: 1))
      var other: PoolOperationQueue? = PoolOperationQueue(fleet: owner.fleet)
      try await other?.run(operation("noop"))
      other = nil
      await owner.shutdown()
      #expect(owner.fleet.state.alive == 0, "round \(round)")
    }
  }

  @Test("a fleet that is gone does not close another one when it is let go")
  func numbers() async throws {
    for _ in 0..<20 {
      var ended: PoolOperationQueue? = try Pools.queue()
      await ended?.shutdown()
      // Without its queue, only the fleet itself keeps its number.
      var fleet = ended?.fleet
      ended = nil
      let next = try Pools.queue()
      #expect(fleet != nil)
      fleet = nil
      let block = operation("noop")
      try next.addOperation(block)
      #expect(try await block.finished().ending == .succeeded)
    }
  }

  @Test("a service returns when its queue is shut down; cancelled, it shuts it down")
  func service() async throws {
    let first = try Pools.queue()
    let serving = Task { await first.run() }
    #expect(try await first.run(operation("noop")).ending == .succeeded)
    await first.shutdown()
    await serving.value
    let second = try Pools.queue()
    let long = operation("untilCancelled")
    try second.addOperation(long)
    #expect(await long.reaches(.executing))
    let cancelled = Task { await second.run() }
    cancelled.cancel()
    await cancelled.value
    #expect(long.outcome?.ending == .cancelled)
    #expect(throws: PoolError.self) { try second.addOperation(operation("noop")) }
  }

  @Test("a block that awaits its own queue's end, also from a group, is told so; the queue goes on")
  func itself() async throws {
    let queue = try Pools.blocks()
    let blocks = [
      PoolBlockOperation { await queue.shutdown(.cancel) },
      PoolBlockOperation { await queue.run() },
      PoolBlockOperation { try await queue.allOperationsFinished() },
    ]
    for block in blocks { try await queue.run(PoolGroupOperation(operations: [block])) }
    for block in blocks {
      let sentence = "'opool.block 1' would wait for the queue that it is in"
      #expect(block.outcome?.failure?.sentence.hasSuffix(sentence.dropFirst(14)) == true)
    }
    #expect(try await queue.run(PoolBlockOperation {}).ending == .succeeded)
  }

  @Test("a block may start a task that shuts its queue down, and may shut down another queue")
  func others() async throws {
    let queue = try Pools.blocks()
    let other = try Pools.blocks()
    let (ends, writer) = AsyncStream.makeStream(of: Void.self)
    let block = PoolBlockOperation {
      Task {
        await queue.shutdown()
        writer.finish()
      }
      await other.shutdown()
    }
    #expect(try await queue.run(block).ending == .succeeded)
    for await _ in ends {}
    #expect(throws: PoolError.self) { try queue.addOperation {} }
    #expect(throws: PoolError.self) { try other.addOperation {} }
  }

  @Test("what is added meanwhile is refused, or has finished when the shutdown returns")
  func race() async throws {
    for size in [1, 5_000] {
      let queue = try Pools.blocks()
      let adding = Task {
        var added: [PoolBlockOperation] = []
        while true {
          let blocks = (0..<size).map { _ in PoolBlockOperation {} }
          added += blocks
          do { try queue.addOperations(blocks) } catch { return (added, error) }
          await Task.yield()
        }
      }
      while queue.operationCount == 0 { await Task.yield() }
      await queue.shutdown(.cancel)
      #expect(queue.operationCount == 0)
      let (added, error) = await adding.value
      #expect((error as? PoolError)?.code == .shutDown)
      let rest = added.suffix(size)
      #expect(added.dropLast(size).allSatisfy { $0.outcome != nil } && !rest.isEmpty)
    }
  }
}
