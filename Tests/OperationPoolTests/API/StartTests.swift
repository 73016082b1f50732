import OperationPool
import PoolModel
import PoolTestSupport
import Testing

/// Contract: an operation can be executed without a queue, once, when nothing holds it back.
@Suite("Start without a queue", .timeLimit(.minutes(30)))
struct StartTests {
  private func fleet() throws -> PoolFleet {
    try PoolFleet(.executable(Repository.program("test-worker"), count: 1))
  }

  @Test("a block has finished when the call returns")
  func block() async throws {
    let notebook = Notebook<Bool>()
    let block = PoolBlockOperation { notebook.write(PoolOperationQueue.current == nil) }
    try await Blocking.run { try block.start() }
    #expect(block.isFinished && block.outcome?.ending == .succeeded)
    #expect(notebook.all == [true])
  }

  @Test("an operation of a worker goes on, and a second start is refused until it has finished")
  func remote() async throws {
    let remote = operation("untilCancelled", "{}")
    try remote.start(on: fleet())
    let error = #expect(throws: PoolError.self) { try remote.start() }
    #expect(error?.code == .alreadyExecuting)
    #expect(await remote.reaches(.executing))
    #expect(throws: PoolError.self) { try remote.start() }
    #expect(throws: PoolError.self) { try Pools.queue().addOperation(remote) }
    remote.cancel()
    #expect(try await remote.finished().ending == .cancelled)
    try remote.start()
  }

  @Test("a command is executed by the standard worker of the shared fleet")
  func command() async throws {
    let command = PoolCommandOperation(shell: "echo started")
    try command.start()
    let output = try await command.finished().standardOutput
    #expect(String(decoding: output, as: UTF8.self) == "started\n")
  }

  @Test("one that waits for something is refused, which names it")
  func notReady() async throws {
    let fleet = try fleet()
    let (first, second) = (operation("noop", name: "first"), operation("noop", name: "second"))
    try second.addDependency(first)
    let error = #expect(throws: PoolError.self) { try second.start(on: fleet) }
    #expect(error?.code == .notReady && error?.description.contains("'first'") == true)
    let gate = first.addGate()
    let other = #expect(throws: PoolError.self) { try first.start(on: fleet) }
    #expect(other?.code == .notReady && other?.description.contains("a gate") == true)
    gate.open()
    try first.start(on: fleet)
    try await first.finished()
    try second.start(on: fleet)
    #expect(try await second.finished().ending == .succeeded)
  }

  @Test("one that was cancelled ends without having been executed")
  func cancelled() async throws {
    let notebook = Notebook<Bool>()
    let block = PoolBlockOperation { notebook.write(true) }
    try block.addDependency(operation("noop"))
    block.cancel()
    try await Blocking.run { try block.start() }
    #expect(block.isFinished && block.isCancelled && block.outcome?.attempts == 0)
    #expect(notebook.all.isEmpty)
  }

  @Test("one that is in a queue is refused")
  func queued() async throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    let queued = operation("noop")
    try queue.addOperation(queued)
    let error = #expect(throws: PoolError.self) { try queued.start() }
    #expect(error?.code == .alreadyEnqueued)
    queue.isSuspended = false
    try await queued.finished()
    try queued.start()
    #expect(queued.outcome?.attempts == 1)
  }

  @Test("a group can be started, too")
  func group() async throws {
    let group = try PoolGroupOperation(operations: [operation("noop"), PoolBlockOperation {}])
    try group.start(on: fleet())
    #expect(try await group.finished().ending == .succeeded)
  }

  @Test("of many threads that start an operation, one does")
  func races() async throws {
    let fleet = try fleet()
    for _ in 0..<50 {
      let remote = operation("noop")
      await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<4 {
          group.addTask { (try? remote.start(on: fleet)) != nil }
        }
        var count = 0
        for await hasStarted in group where hasStarted { count += 1 }
        // One that comes when it has finished returns quietly.
        #expect(count >= 1)
      }
      #expect(try await remote.finished().attempts == 1)
    }
  }

  @Test("the shared fleet ends when nothing uses it, and a program that is no worker is named")
  func scenes() async throws {
    let left = try await Scenes.play("shared")
    #expect(left == ["started", "0", "flat"])
    let forgetful = try await Scenes.play("forgetful")
    let last = forgetful.last ?? ""
    #expect(last.hasPrefix("no worker that serves 'pid' could be kept alive: "))
    #expect(
      last.hasSuffix("does its 'main' call 'PoolWorker.serveIfSpawned' before anything else?")
    )
    let marked = try await Scenes.play("marked")
    #expect(marked.count == 2)
    #expect(marked.allSatisfy { $0.contains("PoolWorker.serveIfSpawned") })
  }
}
