import OperationPool
import OperationWorker
import PoolSystem
import PoolTestSupport
import Synchronization
import Testing

/// Contract: a reduction executes each input once and combines all outputs in their order, in
/// workers, with as little at once as a map; the first failure ends it.
@Suite("Reductions", .timeLimit(.minutes(30)))
struct ReduceTests {
  private struct Refusal: Error, Equatable {}

  private func queue(_ count: Int = 2) throws -> PoolOperationQueue {
    try PoolOperationQueue(workers: .inProcess(Hosted.kinds, count: count))
  }

  @Test("one result, of any number of inputs", arguments: [0, 1, 2, 8, 9, 64, 65, 1_000])
  func complete(_ count: Int) async throws {
    let queue = try Pools.queue(2)
    let inputs = (0..<count).map { AsyncSum(numbers: [$0]) }
    for limit in [1, 5, 256] {
      let total = try await queue.map(inputs, limit: limit).reduce { AsyncSum(numbers: $0) }
      #expect(total == (count == 0 ? nil : (0..<count).reduce(0, +)))
    }
    #expect(queue.operationCount == 0)
  }

  @Test("the order of inputs is kept, in either order of a map", arguments: PoolMapOrder.allCases)
  func ordered(_ order: PoolMapOrder) async throws {
    let queue = try queue(3)
    let inputs = (0..<300).map { Hosted.Join(texts: ["\($0) "]) }
    let text = try await queue.map(inputs, order: order, limit: 20).reduce(fanIn: 3) {
      Hosted.Join(texts: $0)
    }
    #expect(text == (0..<300).map { "\($0) " }.joined())
  }

  @Test("an endless sequence of inputs is read as there is room, combining operations included")
  func bounded() async throws {
    let queue = try queue(2)
    let most = Mutex(0)
    let inputs = AsyncStream<AsyncSum> { [count = Atomic(0)] in
      most.withLock { $0 = max($0, queue.operationCount) }
      let number = count.add(1, ordering: .relaxed).newValue
      return number <= 5_000 ? AsyncSum(numbers: [number]) : nil
    }
    let total = try await queue.map(inputs, limit: 10).reduce(fanIn: 2) {
      most.withLock { $0 = max($0, queue.operationCount) }
      return AsyncSum(numbers: $0)
    }
    #expect(total == 5_000 * 5_001 / 2)
    #expect(most.withLock { $0 } <= 10)
  }

  @Test(
    "the first failure ends it, also while the next input never comes",
    arguments: [true, false]
  )
  func failed(_ isEndless: Bool) async throws {
    let queue = try Pools.queue(2)
    let (inputs, writer) = AsyncStream.makeStream(of: Mixed.self)
    for number in 0..<10 { writer.yield(Mixed(.sum(number))) }
    writer.yield(Mixed(.failure))
    for _ in 0..<5 { writer.yield(Mixed(.forever)) }
    if !isEndless { writer.finish() }
    let error = await #expect(throws: PoolFailure.self) {
      try await queue.map(inputs).reduce { Mixed(.sum($0.count)) }
    }
    #expect(error?.description.hasSuffix("told to fail") == true && queue.operationCount == 0)
    writer.finish()
  }

  @Test("what combines may fail, throw, and refuse to be written; all is over when that is thrown")
  func combining() async throws {
    let queue = try Pools.queue(2)
    let inputs = (0..<50).map { Mixed(.sum($0)) }
    await #expect(throws: PoolFailure.self) {
      try await queue.map(inputs).reduce { _ in Mixed(.failure) }
    }
    await #expect(throws: Refusal.self) {
      try await queue.map(inputs).reduce { _ -> Mixed in throw Refusal() }
    }
    let error = await #expect(throws: PoolError.self) {
      try await queue.map(inputs).reduce { _ in Unspeakable() }
    }
    #expect(error?.code == .notEncodable && queue.operationCount == 0)
  }

  @Test("a cancelled task cancels what is left, and is told when that has ended")
  func cancelled() async throws {
    let queue = try Pools.queue(2)
    let inputs = (0..<8).map { Mixed(.sum($0)) } + (0..<100).map { _ in Mixed(.forever) }
    let task = Task { try await queue.map(inputs, limit: 20).reduce { _ in Mixed(.forever) } }
    await queue.reaches(19)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(queue.operationCount == 0)
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await queue.map(inputs).reduce { Mixed(.sum($0.count)) }
    }
    await #expect(throws: CancellationError.self) { try await early.value }
  }

  @Test("a map is reduced or read, once")
  func once() async throws {
    let queue = try Pools.queue()
    let map = queue.map([Mixed(.sum(1)), Mixed(.sum(2))])
    #expect(try await map.reduce { Mixed(.sum($0.reduce(0, +))) } == 3)
    await #expect(throws: PoolError.self) { try await map.reduce { Mixed(.sum($0.count)) } }
    await #expect(throws: PoolError.self) { for try await _ in map {} }
  }

  @Test("a queue that is shut down meanwhile ends it with the refusal")
  func shutDown() async throws {
    let queue = try queue()
    let task = Task {
      let inputs = AsyncStream<AsyncSum> { AsyncSum(numbers: [1]) }
      return try await queue.map(inputs).reduce { AsyncSum(numbers: $0) }
    }
    await queue.reaches(1)
    await queue.shutdown()
    let error = await #expect(throws: PoolError.self) { try await task.value }
    #expect(error?.code == .shutDown)
  }

  @Test("an operation made from any number of others has their values in order, or is skipped")
  func fromMany() async throws {
    let queue = try queue(3)
    for count in [0, 1, 100] {
      let sources = (0..<count).map { PoolTypedOperation(Hosted.Join(texts: ["\($0) "])) }
      let all = PoolTypedOperation(from: sources) { Hosted.Join(texts: $0) }
      #expect(all.dependencies.count == count)
      try queue.addOperations([all] + sources.reversed())
      #expect(try await all.value == (0..<count).map { "\($0) " }.joined())
    }
    let failing = PoolTypedOperation(Mixed(.failure))
    let fine = PoolTypedOperation(Mixed(.sum(1)))
    let victim = PoolTypedOperation(from: [fine, failing]) { AsyncSum(numbers: $0) }
    let other = try Pools.queue()
    try other.addOperations([victim, failing, fine])
    #expect(try await victim.finished().ending == .skipped)
  }
}
