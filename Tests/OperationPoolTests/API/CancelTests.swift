import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

@testable import OperationPool

/// Contract: before it executes, a cancelled operation never will; while it executes, it is made to
/// end; afterwards nothing happens.
@Suite("Cancellation", .timeLimit(.minutes(30)))
struct CancelTests {
  @Test("an operation that was cancelled before it was added ends so, without a worker")
  func beforeAdding() async throws {
    let queue = try Pools.queue()
    let cancelled = operation("noop")
    cancelled.cancel()
    #expect(cancelled.isCancelled)
    try queue.addOperation(cancelled)
    let outcome = try await cancelled.finished()
    #expect(outcome.ending == .cancelled)
    #expect(outcome.failure?.cause == .cancelled)
    #expect(outcome.attempts == 0)
  }

  @Test("a ready operation that is cancelled ends at once")
  func whileReady() async throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    let ready = operation("noop")
    try queue.addOperation(ready)
    ready.cancel()
    #expect(try await ready.finished().ending == .cancelled)
    #expect(queue.operationCount == 0)
  }

  @Test("one that waits for another does not wait for it to be cancelled")
  func whilePending() async throws {
    let queue = try Pools.queue()
    let (first, second) = (operation("noop"), operation("noop"))
    try second.addDependency(first)
    try queue.addOperation(second)
    second.cancel()
    #expect(try await second.finished().ending == .cancelled)
  }

  @Test(
    "an executing operation that listens ends when it is asked",
    arguments: ["untilCancelled", "sleepUntilCancelled"]
  )
  func whileExecuting(kind: String) async throws {
    let queue = try Pools.queue()
    let (slow, next) = (operation(kind, "{}"), operation("pid"))
    try queue.addOperations([slow, next])
    #expect(await slow.reaches(.executing))
    #expect(slow.isExecuting && !slow.isFinished)
    slow.cancel()
    let outcome = try await slow.finished()
    #expect(outcome.ending == .cancelled)
    #expect(outcome.failure?.description.contains("message") == true)
    #expect(try await next.finished().worker == outcome.worker, "its worker lives on")
  }

  @Test("an executing command ends with everything that it started")
  func command() async throws {
    let queue = try Pools.commands()
    let command = PoolCommandOperation(shell: "sleep 1000 & sleep 1000 & wait")
    try queue.addOperation(command)
    #expect(await command.reaches(.executing))
    command.cancel()
    #expect(try await command.finished().ending == .cancelled)
  }

  @Test("what executes without listening is killed in the end, and its worker replaced")
  func deaf() async throws {
    let queue = try Pools.queue()
    let (deaf, next) = (operation("stubborn"), operation("noop"))
    try queue.addOperations([deaf, next])
    #expect(await deaf.reaches(.executing))
    deaf.cancel()
    #expect(try await deaf.finished().ending == .cancelled)
    #expect(try await next.finished().ending == .succeeded)
  }

  @Test("a cancelled operation is not tried again")
  func retries() async throws {
    let queue = try Pools.queue()
    let slow = operation("untilCancelled", "{}", retries: 3)
    try queue.addOperation(slow)
    #expect(await slow.reaches(.executing))
    slow.cancel()
    let outcome = try await slow.finished()
    #expect(outcome.ending == .cancelled && outcome.attempts == 1)
  }

  @Test("a finished operation cannot be cancelled")
  func afterwards() async throws {
    let queue = try Pools.queue()
    let done = operation("noop")
    try queue.addOperation(done)
    try await done.finished()
    done.cancel()
    #expect(!done.isCancelled)
    #expect(done.outcome?.ending == .succeeded)
  }

  @Test("all of a queue is cancelled at once: nothing is skipped because another was first")
  func all() async throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    let chain = (0..<1_000).map { _ in operation("noop") }
    for (next, previous) in zip(chain.dropFirst(), chain) {
      try next.addDependency(previous, requiring: .succeeded)
    }
    try queue.addOperations(chain)
    queue.cancelAllOperations()
    for operation in chain {
      #expect(try await operation.finished().ending == .cancelled)
      #expect(operation.isCancelled)
    }
    #expect(queue.operationCount == 0)
  }
}

/// Contract: the outcome names the first request for a cancellation, and the step that worked.
@Suite("Cause of a cancellation", .timeLimit(.minutes(30)))
struct CancellationOriginTests {
  @Test("each way of asking has its name; the first one counts")
  func origins() async throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    let own = operation("noop")
    let owner = Task { try await queue.run(own) }
    await queue.reaches(1)
    let all = (0..<4).map { _ in operation("noop") }
    try queue.addOperations(all)
    all[0].cancel()
    owner.cancel()
    await #expect(throws: CancellationError.self) { try await owner.value }
    #expect(own.outcome?.cancellation == PoolCancellation(origin: .task, step: nil))
    all[1].cancel()
    #expect(
      try await all[1].finished().cancellation == PoolCancellation(origin: .operation, step: nil)
    )
    _ = all[2].addGate()
    #expect(try await all[2].finished().cancellation?.origin == .gate)
    queue.cancelAllOperations()
    #expect(try await all[3].finished().cancellation?.origin == .queue)
    #expect(try await all[0].finished().cancellation?.origin == .operation)
    #expect(all.allSatisfy { $0.outcome?.ending == .cancelled && $0.outcome?.attempts == 0 })
  }

  @Test("the first request is named while it still executes, whatever requests follow")
  func first() async throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    let gates = Monitor(false)
    let blocks = (0..<2).map { _ in
      PoolBlockOperation { gates.wait(while: { !$0 }, then: { _ in }) }
    }
    try queue.addOperations(blocks)
    queue.isSuspended = false
    for block in blocks { #expect(await block.reaches(.executing)) }
    blocks[0].cancel()
    queue.cancelAllOperations()
    blocks[1].cancel()
    gates.withLock { $0 = true }
    gates.broadcast()
    #expect(try await blocks[0].finished().cancellation?.origin == .operation)
    #expect(try await blocks[1].finished().cancellation?.origin == .queue)
  }

  @Test("what ended by itself has no canceller; what ignores a request was still asked")
  func others() async throws {
    let queue = try Pools.queue()
    let (quiet, stubborn) = (operation("noop"), PoolBlockOperation {})
    try queue.addOperation(quiet)
    #expect(try await quiet.finished().cancellation == nil)
    let gate = stubborn.addGate()
    try queue.addOperation(stubborn)
    stubborn.cancel()
    gate.open()
    #expect(try await stubborn.finished().cancellation?.origin == .operation)
  }

  /// Asked before its process was started, it would end without a signal.
  @Test("what ignores the message ends by a signal, and the outcome names it")
  func step() async throws {
    let (queue, folder) = (try Pools.commands(), try TestFolder())
    try folder.makePipe("up")
    let script = "echo up > \(folder.path(of: "up")); exec sleep 1000"
    // A busy machine may take its time to end a process.
    let steps: [PoolTeardownSequence.Step] = [
      PoolTeardownSequence.Step(.message, grace: .milliseconds(1)),
      PoolTeardownSequence.Step(.signal(15), grace: .seconds(600)),
    ]
    let options = PoolOperationOptions(teardownSequence: PoolTeardownSequence(steps: steps))
    let command = PoolCommandOperation(shell: script, options: options)
    try queue.addOperation(command)
    #expect(try await folder.read(pipe: "up") == "up\n")
    command.cancel()
    let outcome = try await command.finished()
    #expect(outcome.cancellation == PoolCancellation(origin: .operation, step: .signal(15)))
  }
}
