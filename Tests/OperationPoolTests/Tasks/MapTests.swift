import OperationPool
import OperationWorker
import PoolSystem
import Synchronization
import Testing

/// Contract: a map executes each input once, tells each result once, in the order that was asked
/// for, and holds no more of them at once than it may; what is left without a reader is cancelled.
@Suite("Maps", .timeLimit(.minutes(30)))
struct MapTests {
  private struct Refusal: Error {}

  private func sums(_ count: Int) -> [Sum] { (0..<count).map { Sum(numbers: [$0, 1]) } }

  @Test("each input has one result, in either order, whatever the limit", arguments: [1, 7, 256])
  func complete(_ limit: Int) async throws {
    let queue = try Pools.queue(2)
    for order in PoolMapOrder.allCases {
      var indices: [Int] = []
      for try await (index, result) in queue.map(sums(500), order: order, limit: limit) {
        #expect(try result.get().sum == index + 1)
        indices.append(index)
      }
      #expect(indices.sorted() == Array(0..<500))
      if order == .input || limit == 1 { #expect(indices == Array(0..<500)) }
    }
    #expect(queue.operationCount == 0)
  }

  @Test("no input gives no result")
  func empty() async throws {
    let queue = try Pools.queue()
    for try await _ in queue.map([Sum]()) { Issue.record("there was no input") }
  }

  @Test("inputs are read as there is room, and not before results are read")
  func bounded() async throws {
    let queue = try Pools.queue(2)
    let read = Atomic(0)
    let taken = Atomic(0)
    let inputs = AsyncStream<Sum> {
      let count = read.add(1, ordering: .relaxed).newValue
      // One more is read while there is no room for it, and one may be about to be counted.
      #expect(count <= taken.load(ordering: .relaxed) + 10 + 2)
      return count <= 1_000 ? Sum(numbers: [count]) : nil
    }
    for try await (_, result) in queue.map(inputs, order: .input, limit: 10) {
      _ = try result.get()
      taken.add(1, ordering: .relaxed)
    }
    #expect(taken.load(ordering: .relaxed) == 1_000)
  }

  @Test("leaving the loop cancels what is left")
  func left() async throws {
    let queue = try Pools.queue()
    let inputs = [Mixed.Deed.sum(1)] + Array(repeating: .forever, count: 1_000)
    for try await (index, _) in queue.map(inputs.map(Mixed.init), limit: 20) {
      #expect(index == 0)
      break
    }
    try await queue.allOperationsFinished()
    #expect(queue.operationCount == 0)
  }

  @Test("a cancelled task cancels what is left, and is told when that has ended")
  func cancelled() async throws {
    let queue = try Pools.queue()
    let task = Task {
      for try await _ in queue.map(Array(repeating: Mixed(.forever), count: 30), limit: 20) {}
    }
    await queue.reaches(20)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(queue.operationCount == 0)
  }

  @Test("a task that waits for an input which never comes can be cancelled")
  func starved() async throws {
    let queue = try Pools.queue()
    let (inputs, writer) = AsyncStream.makeStream(of: Sum.self)
    writer.yield(Sum(numbers: [1]))
    let (results, seen) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for try await _ in queue.map(inputs) { seen.yield() }
    }
    // Without blocking the thread, which the task may need.
    var iterator = results.makeAsyncIterator()
    await iterator.next()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("the outputs alone: the first failure is thrown when the rest, cancelled, has ended")
  func outputs() async throws {
    let queue = try Pools.queue()
    var sum = 0
    for try await (_, output) in queue.map(sums(10)).outputs { sum += output.sum }
    #expect(sum == 55)
    let inputs = [Mixed(.sum(1)), Mixed(.failure)] + Array(repeating: Mixed(.forever), count: 100)
    var count = 0
    let failure = await #expect(throws: PoolFailure.self) {
      for try await _ in queue.map(inputs, order: .input).outputs { count += 1 }
    }
    #expect(failure?.cause == .error && count == 1 && queue.operationCount == 0)
  }

  @Test("an error of the inputs comes after the results of those before it")
  func inputError() async throws {
    let queue = try Pools.queue()
    let left = Mutex(3)
    let inputs = AsyncThrowingStream<Sum, any Error> {
      let number = left.withLock { left in
        left -= 1
        return left
      }
      if number < 0 { throw Refusal() }
      return Sum(numbers: [number])
    }
    var count = 0
    await #expect(throws: Refusal.self) {
      for try await (_, result) in queue.map(inputs) {
        _ = try result.get()
        count += 1
      }
    }
    #expect(count == 3)
  }

  @Test("an input that cannot be written as JSON fails alone")
  func notEncodable() async throws {
    let queue = try Pools.queue()
    var failures = 0
    for try await (_, result) in queue.map([Unspeakable(), Unspeakable()]) {
      #expect(throws: PoolError.self) { try result.get() }
      failures += 1
    }
    #expect(failures == 2)
  }

  @Test("results can be read once")
  func once() async throws {
    let results = try Pools.queue().map(sums(1))
    for try await _ in results {}
    await #expect(throws: PoolError.self) { for try await _ in results {} }
  }
}
