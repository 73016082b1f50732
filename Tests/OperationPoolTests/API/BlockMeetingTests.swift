import OperationPool
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

/// Contract: several short blocks may share a turn of a thread, and none waits for another.
@Suite("Blocks that wait for one another", .timeLimit(.minutes(30)))
struct BlockMeetingTests {
  /// A queue whose blocks have been short so far.
  private func queue(_ width: Int) async throws -> PoolOperationQueue {
    let queue = PoolOperationQueue(fleet: try PoolFleet())
    queue.maxConcurrentOperationCount = width
    try queue.addOperations((0..<2_000).map { _ in PoolBlockOperation {} })
    try await queue.allOperationsFinished()
    return queue
  }

  @Test(
    "as many blocks as the queue is wide all begin, again and again",
    arguments: [2, 4, 32, 100],
    [false, true]
  )
  func rendezvous(width: Int, suspending: Bool) async throws {
    let queue = try await queue(width)
    for _ in 0..<3 {
      let meeting = Meeting(of: width)
      let results = Notebook<Bool>()
      let join: PoolBlockOperation.Block = { results.write(meeting.join()) }
      let operations = (0..<width).map { _ in
        suspending ? PoolBlockOperation { () async throws in try join() } : PoolBlockOperation(join)
      }
      try queue.addOperations(operations)
      try await queue.allOperationsFinished()
      #expect(results.all == Array(repeating: true, count: width))
      // Short ones in between, so that the next meeting is a surprise again.
      let short = (0..<500).map { _ in
        suspending ? PoolBlockOperation { () async in } : PoolBlockOperation {}
      }
      try queue.addOperations(short)
    }
  }

  @Test("the blocks of one operation all begin")
  func ownBlocks() async throws {
    let queue = try await queue(4)
    let meeting = Meeting(of: 8)
    let results = Notebook<Bool>()
    let operation = PoolBlockOperation {}
    for _ in 0..<8 { try operation.addExecutionBlock { results.write(meeting.join()) } }
    try queue.addOperation(operation)
    try await operation.finished()
    #expect(results.all == Array(repeating: true, count: 8))
  }

  @Test("a block that suspends begins behind one that blocks until it has run")
  func mixed() async throws {
    let queue = try await queue(2)
    let meeting = Meeting(of: 2)
    let results = Notebook<Bool>()
    let first = PoolBlockOperation { results.write(meeting.join()) }
    let second = PoolBlockOperation {
      await Task.yield()
      try await Blocking.run { results.write(meeting.join()) }
    }
    try queue.addOperations([first, second])
    try await queue.allOperationsFinished()
    #expect(results.all == [true, true])
  }

  @Test("a task that is asked to stop before it has ever suspended sees that it is cancelled")
  func asked() async throws {
    let queue = try await queue(1)
    let begun = Notebook<Bool>()
    let operation = PoolBlockOperation { () async throws in
      begun.write(true)
      while !Task.isCancelled { SystemThread.yieldProcessor() }
      throw CancellationError()
    }
    try queue.addOperation(operation)
    try await Blocking.run { _ = begun.reaches(1) }
    operation.cancel()
    let outcome = try await operation.finished()
    #expect(outcome.ending == .cancelled)
  }

  @Test("tasks of every length are executed once each, whatever they do", arguments: [1, 3, 64])
  func tasks(width: Int) async throws {
    let queue = try await queue(width)
    let calls = Notebook<Int>()
    let operations = (0..<1_000).map { number in
      PoolBlockOperation {
        if number % 3 == 0 { await Task.yield() }
        calls.write(number)
      }
    }
    try queue.addOperations(operations)
    try await queue.allOperationsFinished()
    #expect(calls.all.sorted() == Array(0..<1_000))
    #expect(operations.allSatisfy { $0.outcome?.ending == .succeeded })
  }
}
