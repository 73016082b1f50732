import OperationPool
import PoolModel
import PoolTestSupport
import Testing

/// Contract: what Foundation's and GNUstep's tests assert of `start()` without a queue.
///
/// In brackets the case that each test takes over.
@Suite("Foundation's and GNUstep's cases: without a queue", .timeLimit(.minutes(30)))
struct WithoutQueueTests {
  // [test_AsyncOperation]
  @Test("an asynchronous operation is started, goes on, and finishes by itself")
  func asynchronous() async throws {
    let operation = PoolBlockOperation { await Task.yield() }
    #expect(operation.flags == ["ready"] && operation.isAsynchronous)
    try operation.start()
    #expect(try await operation.finished().ending == .succeeded)
    #expect(operation.flags == ["finished"])
  }

  // [test_SyncOperationWithoutAQueue]
  @Test("a synchronous operation has finished when the call that started it returns")
  func synchronous() throws {
    let notebook = Notebook<Int>()
    let operation = block { notebook.write(1) }
    try operation.start()
    #expect(operation.flags == ["finished"] && notebook.all == [1])
  }

  // [basic.m:64-71]
  @Test("when it has been started, its completion block was called, and its dependent is ready")
  func started() throws {
    let (dependency, dependent) = (block("first"), block("second"))
    let completions = Notebook<Int>()
    dependency.completionBlock = { completions.write(1) }
    try dependent.addDependency(dependency)
    let refusal = #expect(throws: PoolError.self) { try dependent.start() }
    #expect(refusal?.code == .notReady && refusal?.description.contains("'first'") == true)
    try dependency.start()
    #expect(dependency.isFinished && dependent.isReady && completions.reaches(1))
    #expect(areSame(dependent.dependencies, [dependency]))
    try dependent.start()
    #expect(dependent.isFinished)
  }

  // [basic.m:78-89]
  @Test("a cancelled operation finishes by being started, in spite of its dependencies")
  func cancelled() async throws {
    let (dependency, dependent) = (block(), block { Issue.record("it must not execute") })
    try dependent.addDependency(dependency)
    dependent.cancel()
    try dependent.start()
    #expect(try await dependent.finished().ending == .cancelled)
    try dependent.start()
    #expect(dependent.flags == ["cancelled", "finished"])
  }

  // [basic.m:78-89], where the second call raises
  @Test("an executing operation is not started again; a finished one is left alone")
  func twice() async throws {
    let (begun, end) = (Meeting(of: 2), Meeting(of: 2))
    let queue = try Pools.blocks()
    let operation = block {
      begun.join()
      end.join()
    }
    try queue.addOperation(operation)
    try await Blocking.run { begun.join() }
    #expect(throws: PoolError.self) { try operation.start() }
    try await Blocking.run { end.join() }
    try await operation.finished()
    try operation.start()
    #expect(operation.outcome?.attempts == 1)
  }
}
