import OperationPool
import PoolModel
import Testing

/// Contract: a stream gives each step in an operation's life once, in order, from the moment it is
/// asked for until the end.
@Suite("Transitions", .timeLimit(.minutes(30)))
struct TransitionTests {
  /// All that a stream gives, as words.
  private func words(of stream: PoolEventStream<PoolTransition>) async -> [String] {
    var words: [String] = []
    for await transition in stream { words.append(transition.word) }
    return words
  }

  @Test(
    "from before its addition to its end",
    arguments: [
      ("noop", 0, ["ready", "executing 1", "finished succeeded"]),
      ("crash", 0, ["ready", "executing 1", "finished lost"]),
      (
        "fail", 1,
        [
          "ready", "executing 1", "retrying no", "pending", "ready", "executing 2",
          "finished failed",
        ]
      ),
      (
        "talkative", 0,
        ["ready", "executing 1", "progressed 1/2", "logged half of it", "finished succeeded"]
      ),
    ]
  )
  func whole(kind: String, retries: Int, expected: [String]) async throws {
    let queue = try Pools.queue()
    let operation = operation(kind, #"{"message":"no"}"#, retries: retries)
    let streams = [operation.transitions, operation.transitions]
    try queue.addOperation(operation)
    for stream in streams { #expect(await words(of: stream) == expected) }
  }

  @Test("an operation that has finished gives its outcome to every caller")
  func finished() async throws {
    let queue = try Pools.queue()
    let (seen, unseen) = (operation("noop"), operation("noop"))
    let first = seen.transitions
    try queue.addOperations([seen, unseen])
    for operation in [seen, unseen] {
      try await operation.finished()
      #expect(await words(of: operation.transitions) == ["finished succeeded"])
    }
    #expect(await words(of: first) == ["ready", "executing 1", "finished succeeded"])
  }

  @Test("asked for while it executes, a stream gives what follows")
  func late() async throws {
    let queue = try Pools.queue()
    let block = PoolBlockOperation.untilAsked()
    let before = block.transitions
    try queue.addOperation(block)
    #expect(await block.reaches(.executing))
    let after = block.transitions
    block.cancel()
    let end = ["cancelled", "finished succeeded"]
    #expect(await words(of: after) == end)
    #expect(await words(of: before) == ["ready", "executing 1"] + end)
  }

  @Test("10,000 streams asked for at any moment give a part that ends with the outcome")
  func anyMoment() async throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    let whole = ["ready", "executing 1", "finished succeeded"]
    let operations = (0..<2_000).map { _ in operation("noop") }
    try queue.addOperations(operations)
    queue.isSuspended = false
    var streams: [PoolEventStream<PoolTransition>] = []
    for operation in operations { for _ in 0..<5 { streams.append(operation.transitions) } }
    for stream in streams {
      let words = await words(of: stream)
      #expect(!words.isEmpty && words == Array(whole.suffix(words.count)))
    }
  }

  @Test("outside queues, dependencies and cancellations are steps, too")
  func outside() async throws {
    let queue = try Pools.queue()
    let (operation, other) = (operation("noop"), operation("noop"))
    try operation.addDependency(other)
    let stream = operation.transitions
    operation.removeDependency(other)
    try operation.addDependency(other)
    operation.cancel()
    try queue.addOperation(operation)
    #expect(
      await words(of: stream) == ["ready", "pending", "cancelled", "ready", "finished cancelled"]
    )
  }

  @Test("an operation that is let go ends its streams")
  func letGo() async throws {
    var operation: PoolOperation? = PoolBlockOperation {}
    let stream = operation?.transitions
    operation = nil
    #expect(await words(of: try #require(stream)).isEmpty)
  }

  @Test("a reader that leaves early takes nothing from others")
  func leaving() async throws {
    let queue = try Pools.queue()
    let operation = operation("noop")
    let (brief, whole) = (operation.transitions, operation.transitions)
    try queue.addOperation(operation)
    for await transition in brief {
      #expect(transition.word == "ready")
      break
    }
    #expect(await words(of: whole) == ["ready", "executing 1", "finished succeeded"])
  }
}

/// Contract: the stream of a queue gives the steps of all its operations, each once, and those of
/// one operation in order.
@Suite("Transitions of queues", .timeLimit(.minutes(30)))
struct QueueTransitionTests {
  // So many that the stream has room for all steps, should the reader get no processor.
  @Test("5,000 operations that succeed take three steps each")
  func many() async throws {
    let queue = try Pools.queue(2)
    let stream = queue.transitions
    let operations = (0..<5_000).map { index in
      index.isMultiple(of: 4) ? PoolBlockOperation {} : operation("noop")
    }
    try queue.addOperations(operations)
    var steps: [ObjectIdentifier: [String]] = [:]
    var finishedCount = 0
    for await (operation, transition) in stream {
      steps[ObjectIdentifier(operation), default: []].append(transition.word)
      if case .finished = transition { finishedCount += 1 }
      if finishedCount == operations.count { break }
    }
    #expect(steps.count == operations.count)
    let whole = ["ready", "executing 1", "finished succeeded"]
    #expect(steps.values.allSatisfy { $0 == whole })
  }

  @Test("every way to end, until the queue object is gone")
  func endings() async throws {
    var queue: PoolOperationQueue? = try Pools.queue()
    let stream = try #require(queue?.transitions)
    let failing = operation("fail", #"{"message":"no"}"#, name: "failing", retries: 1)
    let skipped = operation("noop", name: "skipped")
    try skipped.addDependency(failing, requiring: .succeeded)
    let waiting = operation("noop", name: "waiting")
    try waiting.addDependency(PoolBlockOperation {})
    try queue?.addOperations([failing, skipped, waiting])
    waiting.cancel()
    for operation in [failing, skipped, waiting] { try await operation.finished() }
    // What has finished is told a moment later; what is added last is told last.
    let last = try queue?.addOperation(options: .init(name: "last")) {}
    var steps: [String: [String]] = [:]
    for await (operation, transition) in stream {
      steps[operation.name ?? "", default: []].append(transition.word)
      if operation === last, case .finished = transition { queue = nil }
    }
    #expect(
      steps == [
        "failing": [
          "ready", "executing 1", "retrying no", "pending", "ready", "executing 2",
          "finished failed",
        ],
        "skipped": ["finished skipped"],
        "waiting": ["cancelled", "ready", "finished cancelled"],
        "last": ["ready", "executing 1", "finished succeeded"],
      ]
    )
  }

  @Test("what became ready outside is told when it enters")
  func entering() async throws {
    let queue = try Pools.queue()
    let (first, second) = (PoolBlockOperation {}, operation("noop"))
    try second.addDependency(first)
    try Pools.queue().addOperation(first)
    try await first.finished()
    let stream = queue.transitions
    try queue.addOperation(second)
    var words: [String] = []
    for await (_, transition) in stream {
      words.append(transition.word)
      if case .finished = transition { break }
    }
    #expect(words == ["ready", "executing 1", "finished succeeded"])
  }

  @Test("what happened before it was asked for is no part of it")
  func late() async throws {
    let queue = try Pools.queue()
    let block = PoolBlockOperation.untilAsked()
    try queue.addOperation(block)
    #expect(await block.reaches(.executing))
    let stream = queue.transitions
    block.cancel()
    var words: [String] = []
    for await (_, transition) in stream {
      words.append(transition.word)
      if case .finished = transition { break }
    }
    #expect(words == ["cancelled", "finished succeeded"])
  }
}

extension PoolTransition {
  /// The transition in words.
  var word: String {
    switch self {
    case .ready: "ready"
    case .pending: "pending"
    case .executing(let attempt, _): "executing \(attempt)"
    case .progressed(let progress): "progressed \(progress.completed)/\(progress.total)"
    case .logged(let line): "logged \(line)"
    case .retrying(let failure): "retrying \(failure.sentence)"
    case .cancelled: "cancelled"
    case .finished(let outcome): "finished \(outcome.ending)"
    }
  }
}
