import PoolModel
import Synchronization
import Testing

@testable import OperationPool

/// Contract: an observer may do what it likes, and is told nothing any more once its observation
/// has ended; observing keeps neither operations nor observers.
@Suite("Observers", .timeLimit(.minutes(30)))
struct ObserverLifeTests {
  @Test("an observer that ends its own observation is told nothing more")
  func ownEnd() async throws {
    let queue = try Pools.queue()
    let (operation, chronicle) = (operation("noop"), Chronicle<String>())
    let kept = Mutex<PoolKeyValueObservation?>(nil)
    operation.completionBlock = { chronicle.write("completion") }
    let observation = operation.observe(\.isExecuting) { _, _ in
      chronicle.write("executing")
      kept.withLock { $0 }?.invalidate()
    }
    kept.withLock { $0 = observation }
    try queue.addOperation(operation)
    #expect(try await chronicle.whenCompleted() == ["executing", "completion"])
  }

  @Test("an observer may end another one's observation before that is told")
  func othersEnd() async throws {
    let (operation, chronicle) = (operation("noop"), Chronicle<String>())
    let kept = Mutex<PoolKeyValueObservation?>(nil)
    let first = operation.observe(\.queuePriority) { _, _ in
      chronicle.write("first")
      kept.withLock { $0 }?.invalidate()
    }
    let second = operation.observe(\.queuePriority) { _, _ in chronicle.write("second") }
    kept.withLock { $0 = second }
    operation.queuePriority = .high
    let third = operation.observe(\.queuePriority, options: .initial) { _, _ in
      chronicle.write("third")
    }
    #expect(try await chronicle.when(count: 2) == ["first", "third"])
    _ = (first, third)
  }

  @Test("an observation that is let go has ended")
  func dropped() async throws {
    let (operation, chronicle) = (operation("noop"), Chronicle<Int>())
    for number in 0..<10 {
      _ = operation.observe(\.queuePriority) { _, _ in chronicle.write(number) }
    }
    operation.queuePriority = .high
    let last = operation.observe(\.queuePriority, options: .initial) { _, _ in
      chronicle.write(10)
    }
    #expect(try await chronicle.when(count: 1) == [10])
    last.invalidate()
    last.invalidate()
  }

  @Test("an observer adds operations, waits for them, and cancels its own")
  func freedom() async throws {
    let queue = try Pools.queue()
    queue.maxConcurrentOperationCount = 2
    let (block, chronicle) = (PoolBlockOperation.untilAsked(), Chronicle<String>())
    block.completionBlock = { chronicle.write("completion") }
    let observation = block.observe(\.isExecuting, options: .new) { operation, change in
      do {
        let other = try queue.addOperation {}
        try other.waitUntilFinished()
        chronicle.write("\(other.outcome?.ending as Any) \(change.newValue as Any)")
        operation.cancel()
      } catch {
        chronicle.write("\(error)")
      }
    }
    try queue.addOperation(block)
    let ended = "Optional(PoolModel.PoolEnding.succeeded)"
    #expect(
      try await chronicle.whenCompleted()
        == ["\(ended) Optional(true)", "\(ended) Optional(false)", "completion"]
    )
    withExtendedLifetime(observation) {}
  }

  @Test("the observation keeps no operation, and an operation no observer")
  func leaks() async throws {
    let queue = try Pools.queue()
    weak var operation: PoolOperation?
    weak var token: Token?
    var observations: [PoolKeyValueObservation] = []
    for isExecuted in [true, false] {
      (operation, token) = try await observe(in: isExecuted ? queue : nil, &observations)
      while operation != nil { await Task.yield() }
      #expect(token == nil)
      for observation in observations { observation.invalidate() }
    }
    let kept = PoolBlockOperation {}
    token = add(to: kept, &observations)
    #expect(token != nil)
    observations = []
    #expect(token == nil, "what the closure keeps goes with the observation")
  }

  @Test("an operation without observers keeps nothing for later ones")
  func unobserved() async throws {
    let queue = try Pools.queue()
    let operation = operation("noop")
    try queue.addOperation(operation)
    try await operation.finished()
    #expect(operation.life.withLock { $0.observers == nil })
  }

  @Test("an observed operation is forgotten when it has finished, and when it is let go")
  func forgotten() async throws {
    let queue = try Pools.queue()
    let executed = operation("noop")
    var dropped: PoolOperation? = operation("noop")
    let observations = [executed, dropped].map { $0?.observe(\.isReady) { _, _ in } }
    let ids = [executed, dropped].compactMap { $0?.life.withLock { $0.id } }
    #expect(ids.allSatisfy { isWatched($0) } && ids.count == 2)
    try queue.addOperation(executed)
    try await executed.finished()
    dropped = nil
    #expect(!ids.contains { isWatched($0) })
    withExtendedLifetime(observations) {}
  }

  private func isWatched(_ id: OperationID) -> Bool {
    OperationRegistry.process.observers(of: id) != nil
  }

  private final class Token: Sendable {}

  private func add(
    to operation: PoolOperation,
    _ observations: inout [PoolKeyValueObservation]
  ) -> Token {
    let token = Token()
    observations.append(operation.observe(\.isFinished) { _, _ in _ = token })
    return token
  }

  /// Observes an operation in every way, has it executed, and lets go of it.
  private func observe(
    in queue: PoolOperationQueue?,
    _ observations: inout [PoolKeyValueObservation]
  ) async throws -> (PoolOperation, Token) {
    let operation = operation("noop")
    try operation.addDependency(PoolBlockOperation {})
    operation.removeDependency(operation.dependencies[0])
    let token = add(to: operation, &observations)
    observations.append(operation.observe(\.dependencies, options: [.old, .new]) { _, _ in })
    let stream = operation.transitions
    if let queue {
      try queue.addOperation(operation)
      for await _ in stream {}
    }
    return (operation, token)
  }
}
