import OperationPool
import PoolModel
import PoolTestSupport
import Testing

/// Contract: observers of a queue are told each change of its properties once, in order.
@Suite("Observing queues", .timeLimit(.minutes(30)))
struct QueueObservationTests {
  @Test("name, width and suspension are told when they change, and only then")
  func settings() async throws {
    let queue = try Pools.queue()
    let chronicle = Chronicle<String>()
    func follow<Value: Sendable>(
      _ key: KeyPath<PoolOperationQueueKeys, PoolObservedKey<Value>>
    ) -> PoolKeyValueObservation {
      queue.observe(key, options: [.old, .new, .initial]) { _, change in
        let values = [change.oldValue, change.newValue].map { $0.map { "\($0)" } ?? "-" }
        chronicle.write(values.joined(separator: " to "))
      }
    }
    let observations = [
      follow(\.name), follow(\.maxConcurrentOperationCount), follow(\.isSuspended),
    ]
    queue.name = "a"
    queue.name = "a"
    queue.maxConcurrentOperationCount = 3
    queue.maxConcurrentOperationCount = 3
    queue.isSuspended = true
    queue.isSuspended = true
    queue.name = nil
    #expect(
      try await chronicle.when(count: 7) == [
        "- to nil", "- to \(Int.max)", "- to false", #"nil to Optional("a")"#,
        "\(Int.max) to 3", "false to true", #"Optional("a") to nil"#,
      ]
    )
    withExtendedLifetime(observations) {}
  }

  @Test("what a shutdown changes is told, too")
  func shutdown() async throws {
    let queue = try Pools.queue()
    let chronicle = Chronicle<String>()
    queue.maxConcurrentOperationCount = 0
    queue.isSuspended = true
    let observations = [
      queue.observe(\.isSuspended, options: .new) { _, change in
        chronicle.write("suspended \(change.newValue ?? true)")
      },
      queue.observe(\.maxConcurrentOperationCount, options: .new) { _, change in
        chronicle.write("width \(change.newValue ?? 0)")
      },
    ]
    await queue.shutdown()
    #expect(try await chronicle.when(count: 2) == ["suspended false", "width 1"])
    withExtendedLifetime(observations) {}
  }

  @Test("what is in the queue is told when it is added, together, and when it finishes")
  func operations() async throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    try queue.addOperation(operation("noop", name: "0"))
    let (lists, counts) = (Chronicle<[[String]]>(), Chronicle<[Int?]>())
    let observations = [
      queue.observe(\.operations, options: [.old, .new, .initial]) { _, change in
        lists.write([change.oldValue, change.newValue].map { $0?.map { $0.name ?? "" } ?? ["-"] })
      },
      queue.observe(\.operationCount, options: [.old, .new, .initial]) { _, change in
        counts.write([change.oldValue, change.newValue])
      },
    ]
    queue.maxConcurrentOperationCount = 1
    try queue.addOperations([operation("noop", name: "1"), operation("noop", name: "2")])
    queue.isSuspended = false
    #expect(
      try await lists.when(count: 5) == [
        [["-"], ["0"]], [["0"], ["0", "1", "2"]], [["0", "1", "2"], ["1", "2"]],
        [["1", "2"], ["2"]], [["2"], []],
      ]
    )
    #expect(try await counts.when(count: 5) == [[nil, 1], [1, 3], [3, 2], [2, 1], [1, 0]])
    withExtendedLifetime(observations) {}
  }

  @Test("the count of a queue that is observed at any moment goes up and down by what happens")
  func count() async throws {
    let seed = UInt64.random(in: 0 ... .max)
    let queue = try Pools.queue(2)
    let chronicles = (0..<50).map { _ in Chronicle<(Int?, Int?)>() }
    var observations: [PoolKeyValueObservation] = []
    var generator = SeededGenerator(seed: seed)
    for chronicle in chronicles {
      let batch = (0..<generator.next() % 40 + 1).map { _ in operation("noop") }
      try queue.addOperations(batch)
      observations.append(
        queue.observe(\.operationCount, options: [.old, .new, .initial]) { _, change in
          chronicle.write((change.oldValue, change.newValue))
        }
      )
    }
    try await queue.allOperationsFinished()
    for chronicle in chronicles {
      let lines = try await chronicle.when { $0.last?.1 == 0 && $0.count > 0 }
      #expect(lines.first?.0 == nil && lines.last?.1 == 0, "seed \(seed)")
      for (next, line) in zip(lines.dropFirst(), lines) {
        #expect(next.0 == line.1 && next.1 != line.1, "seed \(seed)")
      }
    }
    withExtendedLifetime(observations) {}
  }

  @Test("a batch that is refused was never there")
  func refusal() async throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    let counts = Chronicle<Int?>()
    let observation = queue.observe(\.operationCount, options: .new) { _, change in
      counts.write(change.newValue)
    }
    let operation = operation("noop")
    #expect(throws: PoolError.self) { try queue.addOperations([operation, operation]) }
    try queue.addOperation(operation)
    queue.isSuspended = false
    #expect(try await counts.when(count: 2) == [1, 0])
    observation.invalidate()
  }

  @Test("an observer does not keep the queue, and ends with it")
  func letGo() async throws {
    weak var queue: PoolOperationQueue?
    weak var token: Chronicle<Int>?
    (queue, token) = try await drop()
    while queue != nil { await Task.yield() }
    while token != nil { await Task.yield() }
  }

  private func drop() async throws -> (PoolOperationQueue, Chronicle<Int>) {
    let (queue, chronicle) = (try Pools.queue(), Chronicle<Int>())
    let observation = queue.observe(\.operations, options: [.old, .new]) { queue, _ in
      chronicle.write(queue.operationCount)
    }
    try queue.addOperation(operation("noop"))
    #expect(try await chronicle.when(count: 2).last == 0)
    observation.invalidate()
    return (queue, chronicle)
  }

  @Test("with the main queue as its underlying queue, all is told on the main thread")
  func mainQueue() async throws {
    #expect(
      try await Scenes.play("main-queue")
        == ["executing executed finished completed", "main"]
    )
  }
}
