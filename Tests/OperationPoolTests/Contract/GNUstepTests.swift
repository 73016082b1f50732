import Dispatch
import OperationPool
import PoolModel
import PoolTestSupport
import Testing

/// Contract: what GNUstep's tests of `NSOperation` assert beyond Foundation's own.
///
/// In brackets the file whose case each test takes over.
@Suite("GNUstep's cases", .timeLimit(.minutes(30)))
struct GNUstepTests {
  // [basic.m]
  @Test("a fresh operation is ready and nothing else, of normal priority, without dependencies")
  func fresh() {
    let operation = block()
    #expect(operation.flags == ["ready"])
    #expect(!operation.isAsynchronous)
    #expect(operation.dependencies.isEmpty)
    #expect(operation.queuePriority == .normal)
    #expect(operation.completionBlock == nil && operation.name == nil)
  }

  // [basic.m]
  @Test("a priority beyond the levels stops at the last one, one between them nearer to normal")
  func clamped() {
    let operation = block()
    for (value, level) in [
      (10_000, PoolQueuePriority.veryHigh), (7, .high), (3, .normal), (-3, .normal), (-7, .low),
      (-10, .veryLow),
    ] {
      operation.queuePriority = PoolQueuePriority(nearest: value)
      #expect(operation.queuePriority == level, "\(value)")
    }
  }

  // [basic.m]
  @Test("a dependency that was cancelled and has not finished still holds its dependent")
  func cancelledDependency() {
    let (dependent, dependency) = (block(), block())
    #expect(throws: Never.self) { try dependent.addDependency(dependency) }
    dependency.cancel()
    #expect(dependent.flags.isEmpty)
    #expect(areSame(dependent.dependencies, [dependency]))
  }

  // [basic.m]
  @Test("without its last dependency an operation is ready at once")
  func removed() throws {
    let (dependent, dependency) = (block(), block())
    try dependent.addDependency(dependency)
    #expect(!dependent.isReady)
    dependent.removeDependency(dependency)
    #expect(dependent.isReady && dependent.dependencies.isEmpty)
  }

  // [basic.m, threads.m]
  @Test("a dependency stays listed when all is over")
  func listed() async throws {
    let queue = try Pools.blocks()
    let (dependent, dependency) = (block(), block())
    try dependent.addDependency(dependency)
    try queue.addOperation(dependency)
    try await dependency.finished()
    #expect(dependent.isReady)
    #expect(areSame(dependent.dependencies, [dependency]))
    try queue.addOperation(dependent)
    try await dependent.finished()
    #expect(dependent.flags == ["finished"], "a finished one is not ready: its state is one")
    #expect(areSame(dependent.dependencies, [dependency]))
  }

  // [basic.m]
  @Test("a cancelled operation is ready in spite of its dependencies")
  func cancelledIsReady() throws {
    let (dependent, dependency) = (block(), block())
    try dependent.addDependency(dependency)
    dependent.cancel()
    #expect(dependent.flags == ["cancelled", "ready"])
  }

  // [basic.m]
  @Test("waiting for what has finished returns at once, on any thread, also within a block")
  func waitAfterwards() async throws {
    let queue = try Pools.blocks(width: 1)
    let first = try queue.addOperation {}
    try await first.finished()
    try await Blocking.run { try first.waitUntilFinished() }
    let second = try queue.addOperation { try first.waitUntilFinished() }
    #expect(try await second.finished().ending == .succeeded)
  }

  // [basic.m, in which a negative width raises]
  @Test("a fresh queue is open, as wide as can be, and empty; a negative width is the default")
  func freshQueue() throws {
    let queue = PoolOperationQueue(fleet: try PoolFleet(), name: "fresh")
    #expect(!queue.isSuspended && queue.name == "fresh")
    #expect(queue.operationCount == 0 && queue.operations.isEmpty)
    let standard = PoolOperationQueue.defaultMaxConcurrentOperationCount
    #expect(queue.maxConcurrentOperationCount == standard)
    for width in [1, 0, 1_000_000] {
      queue.maxConcurrentOperationCount = width
      #expect(queue.maxConcurrentOperationCount == width)
    }
    queue.maxConcurrentOperationCount = -1
    #expect(queue.maxConcurrentOperationCount == standard)
  }

  // [concurrent.m]
  @Test("many asynchronous operations are all performed, and their completion blocks are called")
  func asynchronous() async throws {
    let queue = try Pools.blocks()
    let completions = Notebook<Bool>()
    let operations = (0..<100).map { _ in PoolBlockOperation { await Task.yield() } }
    for operation in operations { operation.completionBlock = { completions.write(true) } }
    try queue.addOperations(operations)
    for operation in operations { #expect(try await operation.finished().ending == .succeeded) }
    #expect(operations.allSatisfy { $0.isAsynchronous })
    #expect(completions.reaches(100))
  }

  // [threads.m], where the operation would be executing for ever
  @Test("an operation whose process ends, or which throws, has finished all the same")
  func deadThread() async throws {
    let queue = try Pools.queue()
    let (exits, throwing, after) = (
      operation("exit", "0"), operation("fail", #"{"message":"no"}"#), operation("noop")
    )
    try queue.addOperations([exits, throwing, after])
    #expect(try await exits.finished().ending == .lost)
    #expect(try await throwing.finished().ending == .failed)
    #expect(try await after.finished().ending == .succeeded)
  }

  // [threads.m]
  @Test("a width of 0 suspends, and a width of 1 resumes")
  func widthOfNothing() async throws {
    let queue = try Pools.blocks(width: 0)
    let held = try queue.addOperation {}
    try await Pools.blocks().addOperation {}.finished()
    #expect(held.isReady)
    queue.maxConcurrentOperationCount = 1
    #expect(try await held.finished().ending == .succeeded)
  }

  // [queue_dispatch.m], which refuses the main queue and changes while the queue is not empty
  @Test("callbacks come on the underlying queue, which can be changed at any time")
  func underlyingQueue() async throws {
    let queue = try Pools.blocks()
    #expect(queue.underlyingQueue == nil)
    let key = DispatchSpecificKey<String>()
    let own = DispatchQueue(label: "own")
    own.setSpecific(key: key, value: "own")
    queue.underlyingQueue = own
    for expected in ["own", nil] {
      let notebook = Notebook<String?>()
      let operation = block()
      operation.completionBlock = { notebook.write(DispatchQueue.getSpecific(key: key)) }
      try queue.addOperation(operation)
      #expect(notebook.reaches(1))
      #expect(notebook.all == [expected])
      // One that is set too late is called there, too, whatever the queue's is by now.
      _ = try await operation.finished()
      queue.underlyingQueue = nil
      operation.completionBlock = { notebook.write(DispatchQueue.getSpecific(key: key)) }
      #expect(notebook.reaches(2))
      #expect(notebook.all == [expected, expected])
    }
  }
}
