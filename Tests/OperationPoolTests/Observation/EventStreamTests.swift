import PoolModel
import PoolTestSupport
import Testing

@testable import OperationPool

/// Contract: a reader that is slow costs bounded memory, and hears how many events it has missed.
@Suite("Streams with slow readers", .timeLimit(.minutes(30)))
struct EventStreamTests {
  private final class Event: CompactEvent {
    let number: Int
    init(_ number: Int) { self.number = number }
    var event: Event { self }
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
      let (stream, writer) = PoolEventStream.make(keeping: Int.self)
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
    let (stream, writer) = PoolEventStream.make(keeping: Int.self)
    for number in 0...capacity { writer.yield(number) }
    var iterator = stream.makeAsyncIterator()
    for number in 1...capacity { #expect(await iterator.next() == number) }
    for number in 0..<capacity { writer.yield(number) }
    #expect(await iterator.next() == 0)
    #expect(stream.missedCount == 1)
  }

  @Test("each event that a batch or the last event pushes out is counted")
  func batches() async {
    let (stream, writer) = PoolEventStream.make(keeping: Int.self)
    let turnEnd = TurnEnd()
    writer.yield(0..<capacity, at: turnEnd)
    #expect(stream.missedCount == 0)
    writer.yield(capacity..<capacity + 7, at: turnEnd)
    #expect(stream.missedCount == 7)
    writer.finish(with: -1, at: turnEnd)
    turnEnd.deliver()
    #expect(await rest(of: stream) == Array(8..<capacity + 7) + [-1])
    #expect(stream.missedCount == 8)
  }

  @Test("what is missed is not kept, and a writer whose reader is gone keeps nothing")
  func released() {
    weak var oldest: Event?
    weak var newest: Event?
    do {
      let (stream, writer) = PoolEventStream.make(keeping: Event.self)
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

  @Test("a queue that is dropped after a wait has told its streams of the end, and of it once")
  func droppedQueue() async throws {
    let fleet = try PoolFleet()
    for round in 0..<3_000 {
      let operations = (0..<1 + round % 3).map { _ in PoolBlockOperation {} }
      let streams = try await Blocking.run {
        let queue = PoolOperationQueue(fleet: fleet)
        let streams = [queue.transitions, queue.transitions]
        try queue.addOperations(operations)
        if round.isMultiple(of: 2) {
          try queue.waitUntilAllOperationsAreFinished()
        } else {
          for operation in operations { try operation.waitUntilFinished() }
        }
        return streams
      }
      for stream in streams {
        let ends = await rest(of: stream).filter { $0.transition.state == .finished }
        #expect(ends.count == operations.count, "round \(round)")
      }
    }
  }

  @Test("the last event ends all who wait for one")
  func severalReaders() async {
    let channel = EventChannel<Int>()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<3 { group.addTask { await channel.waitForEvent() } }
      for _ in 0..<1_000 { await Task.yield() }
      channel.append([1], isLast: true)?.resume()
      await group.waitForAll()
    }
    #expect(channel.isOver)
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
    // The end may have come when some were read already.
    #expect((capacity...capacity + 1).contains(read.count))
    #expect(read.count + transitions.missedCount == 20_003)
  }
}

extension Int: CompactEvent {
  var event: Int { self }
}

@Suite("The events of a turn")
struct EventChannelTests {
  @Test("a reader that waits is woken when the turn is over, once, and finds all events")
  func wokenOnce() async {
    let (stream, writer) = PoolEventStream.make(keeping: Int.self)
    let reader = Task {
      var events: [Int] = []
      for await event in stream { events.append(event) }
      return events
    }
    let turnEnd = TurnEnd()
    for turn in 0..<100 {
      for number in 0..<5 {
        writer.yield([turn * 10 + 2 * number, turn * 10 + 2 * number + 1], at: turnEnd)
      }
      turnEnd.deliver()
      await Task.yield()
    }
    writer.finish()
    #expect(await reader.value == Array(0..<1_000))
  }

  @Test(
    "a stream is told what the turn has told since the stream was asked for, and nothing before"
  )
  func beginning() async {
    var streams = EventStreams<Int>()
    var readers: [PoolEventStream<Int>] = []
    for firstEffect in [0, 3, 5] {
      let (stream, writer) = PoolEventStream.make(keeping: Int.self)
      streams.add(writer, from: firstEffect)
      readers.append(stream)
    }
    let turnEnd = TurnEnd()
    streams.tell([(1, 10), (3, 30), (3, 31), (4, 40)], at: turnEnd)
    turnEnd.deliver()
    for writer in streams.removeAll() { writer.finish() }
    for (reader, expected) in zip(readers, [[10, 30, 31, 40], [30, 31, 40], []]) {
      var events: [Int] = []
      for await event in reader { events.append(event) }
      #expect(events == expected)
    }
  }

  @Test("streams that nothing reads any more are let go, also where no event comes")
  func unread() async {
    var streams = EventStreams<Int>()
    let (stream, writer) = PoolEventStream.make(keeping: Int.self)
    streams.add(writer, from: 0)
    for _ in 0..<1_000 {
      let (_, writer) = PoolEventStream.make(keeping: Int.self)
      streams.add(writer, from: 0)
      #expect(streams.count <= 5)
    }
    streams.removeOver()
    #expect(streams.count == 1)
    streams.tell([(0, 7)], at: TurnEnd())
    writer.finish()
    var events: [Int] = []
    for await event in stream { events.append(event) }
    #expect(events == [7])
  }

  @Test("a reader whose task is cancelled while it waits gets nil, and the writer keeps nothing")
  func cancelled() async {
    let (stream, writer) = PoolEventStream.make(keeping: Int.self)
    let reader = Task {
      for await _ in stream {}
      return true
    }
    reader.cancel()
    #expect(await reader.value)
    #expect(writer.isOver)
    writer.yield(1)
    #expect(stream.missedCount == 0)
    for await _ in stream { Issue.record("an event came after the end") }
  }

  @Test("the ring keeps its order while it grows, wraps and overflows")
  func ring() {
    var ring = EventRing<Int>()
    var next = 0
    for number in 0..<200_000 {
      if let oldest = ring.append(number) {
        #expect(oldest == next)
        next += 1
      }
      guard number % 7 == 0, number < 50_000 else { continue }
      #expect(ring.popFirst() == next)
      next += 1
    }
    #expect(ring.count == EventRing<Int>.capacity && ring.popFirst() == next)
  }
}
