import PoolModel
import PoolTestSupport
import Testing

@testable import OperationPool

/// Contract: a reader that is slow costs bounded memory, and hears how many events it has missed.
@Suite("Streams with slow readers", .timeLimit(.minutes(10)))
struct EventStreamTests {
  private final class Event: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  private let capacity = PoolEventStream<Int>.capacity

  private func rest<Element>(of stream: PoolEventStream<Element>) async -> [Element] {
    var list: [Element] = []
    for await element in stream { list.append(element) }
    return list
  }

  @Test("up to the capacity nothing is missed; beyond it the oldest are, and each is counted")
  func bounded() async {
    for extra in [0, 1, 5_000] {
      let (stream, writer) = PoolEventStream<Int>.make()
      for number in 0..<capacity + extra { writer.yield(number) }
      #expect(stream.missedCount == extra)
      writer.finish()
      writer.yield(-1)
      #expect(await rest(of: stream) == Array(extra..<capacity + extra))
      #expect(stream.missedCount == extra)
    }
  }

  @Test("one that reads again after it has missed some misses no more")
  func again() async {
    let (stream, writer) = PoolEventStream<Int>.make()
    for number in 0...capacity { writer.yield(number) }
    var iterator = stream.makeAsyncIterator()
    for number in 1...capacity { #expect(await iterator.next() == number) }
    for number in 0..<capacity { writer.yield(number) }
    #expect(await iterator.next() == 0)
    #expect(stream.missedCount == 1)
  }

  @Test("what is missed is not kept, and a writer whose reader is gone keeps nothing")
  func released() {
    weak var oldest: Event?
    weak var newest: Event?
    do {
      let (stream, writer) = PoolEventStream<Event>.make()
      do {
        let event = Event(0)
        oldest = event
        writer.yield(event)
      }
      #expect(oldest != nil)
      for number in 1...capacity { writer.yield(Event(number)) }
      #expect(oldest == nil)
      let event = Event(-1)
      newest = event
      writer.yield(event)
      _ = consume stream
      writer.finish()
    }
    #expect(newest == nil)
  }

  /// Two readers that begin together and read only when all is over: their counts are the same.
  @Test("of a queue's transitions the latest are kept, and the operations of no others")
  func queue() async throws {
    let queue: PoolOperationQueue? = try Pools.queue(2)
    let streams = [queue, queue].compactMap { $0?.transitions }
    var operations = (0..<10_000).map { _ in operation("noop") }
    weak let first = operations.first
    try queue?.addOperations(operations)
    for operation in operations { try await operation.finished() }
    let last = try #require(operations.last)
    operations = []
    #expect(first == nil)
    try await queue?.allOperationsFinished()
    _ = consume queue
    var totals: Set<Int> = []
    for stream in streams {
      let read = await rest(of: stream)
      #expect(read.count == capacity && stream.missedCount >= 3 * 10_000 - capacity)
      #expect(read.contains { $0.operation === last })
      totals.insert(read.count + stream.missedCount)
    }
    #expect(totals.count == 1)
  }

  @Test("an operation that says more than is read is told of to its end")
  func operationEnd() async throws {
    let queue = try Pools.queue()
    let talker = operation("chatter", "20000")
    let transitions = talker.transitions
    try queue.addOperation(talker)
    try await talker.finished()
    let read = await rest(of: transitions)
    #expect(read.last?.state == .finished)
    #expect(read.count == capacity && transitions.missedCount == 20_003 - capacity)
  }
}
