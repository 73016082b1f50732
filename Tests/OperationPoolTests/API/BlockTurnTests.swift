import OperationPool
import PoolModel
import PoolSystem
import PoolTestSupport
import Synchronization
import Testing

/// Contract: threads whose blocks have ended, and threads that add operations, go on with the
/// queue's work; that harms neither.
@Suite("Threads of blocks that go on with the queue's work", .timeLimit(.minutes(30)))
struct BlockTurnTests {
  @TaskLocal private static var mark = "none"

  private static func queue(width: Int = 2) throws -> PoolOperationQueue {
    let queue = PoolOperationQueue(fleet: try PoolFleet())
    queue.maxConcurrentOperationCount = width
    return queue
  }

  @Test(
    "a block knows nothing of the task that has added it, or of the block before it",
    arguments: [PoolQualityOfService.default, .utility, .background]
  )
  func taskValues(quality: PoolQualityOfService) async throws {
    let queue = try Self.queue(width: 1)
    let marks = Notebook<String>()
    let operations = (0..<20).map { number in
      let operation = PoolBlockOperation { () async in
        marks.write(Self.mark)
        await Self.$mark.withValue("block \(number)") { await Task.yield() }
      }
      operation.qualityOfService = quality
      return operation
    }
    try Self.$mark.withValue("adder") {
      for operation in operations { try queue.addOperation(operation) }
    }
    for operation in operations { #expect(try await operation.finished().ending == .succeeded) }
    #expect(marks.all == Array(repeating: "none", count: 20))
  }

  @Test(
    "what a finished operation lets go may add an operation, and is executed once",
    arguments: [1, 2]
  )
  func additionAtTheEnd(width: Int) throws {
    let queue = try Self.queue(width: width)
    let added = Notebook<Int>()
    let count = 300
    for number in 0..<count {
      let last = LastWord { _ = try? queue.addOperation { added.write(number) } }
      try queue.addOperation { withExtendedLifetime(last) {} }
    }
    #expect(added.reaches(count))
    #expect(added.all.sorted() == Array(0..<count))
  }

  @Test("a thread that adds operations under a lock lets nothing go that takes the lock")
  func additionUnderLock() throws {
    let queue = try Self.queue()
    let lock = Mutex(0)
    let released = Notebook<Int>()
    let count = 2_000
    for number in 0..<count {
      let last = LastWord {
        lock.withLock { $0 += 1 }
        released.write(number)
      }
      let operation = PoolBlockOperation { withExtendedLifetime(last) {} }
      try lock.withLock { _ in try queue.addOperation(operation) }
    }
    #expect(released.reaches(count) && lock.withLock { $0 } == count)
  }

  @Test("blocks that fail, are tried again, or are cancelled end as they do elsewhere")
  func endings() async throws {
    struct Refusal: Error {}
    let queue = try Self.queue()
    let attempts = Atomic(0)
    let options = PoolOperationOptions(retryPolicy: .retries(2))
    let failing = PoolBlockOperation(options: options) {
      attempts.add(1, ordering: .relaxed)
      throw Refusal()
    }
    let gate = Meeting(of: 2)
    let cancelled = PoolBlockOperation { gate.join() }
    let dependent = PoolBlockOperation {}
    try dependent.addDependency(failing)
    try queue.addOperations([failing, cancelled, dependent])
    #expect(try await failing.finished().ending == .failed)
    #expect(try await dependent.finished().ending == .succeeded)
    #expect(await cancelled.reaches(.executing))
    cancelled.cancel()
    gate.join()
    #expect(try await cancelled.finished().ending == .succeeded)
    #expect(attempts.load(ordering: .relaxed) == 3)
  }
}
