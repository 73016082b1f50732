import OperationPool
import PoolModel
import PoolTestSupport
import Testing

/// Contract: an operation executes after all that it depends on, and only if each ended as it
/// required.
@Suite("Dependencies", .timeLimit(.minutes(30)))
struct DependencyTests {
  @Test("a dependent executes after its dependencies, in whatever order they were added")
  func order() async throws {
    let queue = try Pools.queue(2)
    let chain = (0..<50).map { _ in operation("noop") }
    for (next, previous) in zip(chain.dropFirst(), chain) { try next.addDependency(previous) }
    var generator = SeededGenerator(seed: 7)
    for operation in chain.shuffled(using: &generator) { try queue.addOperation(operation) }
    var last = Duration.zero
    for operation in chain {
      let outcome = try await operation.finished()
      #expect(outcome.ending == .succeeded)
      let started = try #require(outcome.started)
      #expect(started >= last)
      last = outcome.finished
    }
  }

  @Test("each requirement lets a dependent execute after the endings that it names, and no other")
  func requirements() async throws {
    let queue = try Pools.queue()
    let succeeds = operation("noop")
    let fails = operation("fail", #"{"message":"no"}"#)
    let cancelled = operation("noop")
    cancelled.cancel()
    var pairs: [(PoolInvocationOperation, Bool)] = []
    for (dependency, ending) in [
      (succeeds, PoolEnding.succeeded), (fails, .failed), (cancelled, .cancelled),
    ] {
      for requirement in PoolRequirement.allCases {
        let dependent = operation("noop", name: "\(ending) for \(requirement)")
        try dependent.addDependency(dependency, requiring: requirement)
        pairs.append((dependent, requirement.isMet(by: ending)))
      }
    }
    try queue.addOperations(pairs.map(\.0) + [cancelled, fails, succeeds])
    for (dependent, executes) in pairs {
      let outcome = try await dependent.finished()
      #expect(outcome.ending == (executes ? .succeeded : .skipped), "\(dependent.name)")
    }
  }

  @Test("a skip spreads to those that require success, and to no others")
  func spread() async throws {
    let queue = try Pools.queue()
    let fails = operation("fail", #"{"message":"no"}"#)
    let (skipped, skippedToo, runs) = (operation("noop"), operation("noop"), operation("noop"))
    try skipped.addDependency(fails, requiring: .succeeded)
    try skippedToo.addDependency(skipped, requiring: .succeeded)
    try runs.addDependency(skipped)
    try queue.addOperations([runs, skippedToo, skipped, fails])
    #expect(try await runs.finished().ending == .succeeded)
    #expect(try await skippedToo.finished().ending == .skipped)
  }

  @Test("a dependency that has finished already is met already")
  func late() async throws {
    let queue = try Pools.queue()
    let first = operation("noop")
    try queue.addOperation(first)
    try await first.finished()
    let (second, third) = (operation("noop"), operation("noop"))
    try second.addDependency(first, requiring: .succeeded)
    try third.addDependency(first, requiring: .failed)
    #expect(second.isReady)
    try queue.addOperations([second, third])
    #expect(try await second.finished().ending == .succeeded)
    #expect(try await third.finished().ending == .skipped)
  }

  @Test("a dependency that was never added holds its dependents back, and nothing else")
  func missing() async throws {
    let queue = try Pools.queue()
    let (gate, waiting, free) = (operation("noop"), operation("noop"), operation("noop"))
    try waiting.addDependency(gate)
    try queue.addOperations([waiting, free])
    try await free.finished()
    #expect(waiting.state == .pending)
    #expect(queue.operationCount == 1)
    try queue.addOperation(gate)
    #expect(try await waiting.finished().ending == .succeeded)
  }

  @Test("an operation in a queue still takes and loses dependencies, until a worker has it")
  func changes() async throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    let (first, other) = (operation("noop"), operation("noop"))
    try queue.addOperation(first)
    #expect(first.isReady)
    try first.addDependency(other)
    #expect(first.dependencies.count == 1 && !first.isReady)
    first.removeDependency(other)
    #expect(first.dependencies.isEmpty && first.isReady, "the last one made it ready at once")
    try first.addDependency(other)
    queue.isSuspended = false
    try queue.addOperation(other)
    #expect(try await first.finished().ending == .succeeded)
    try first.addDependency(operation("noop"))
    #expect(first.dependencies.count == 1, "no effect once it was dispatched; they stay listed")
  }

  @Test("a dependency may be in another queue, over other workers")
  func crossQueue() async throws {
    let (queue, other) = (try Pools.queue(), try Pools.queue())
    let (first, second, third) = (operation("noop"), operation("noop"), operation("noop"))
    try second.addDependency(first, requiring: .succeeded)
    try third.addDependency(second, requiring: .succeeded)
    try queue.addOperations([third, first])
    try other.addOperation(second)
    #expect(try await third.finished().ending == .succeeded)
  }

  @Test("a requirement that was just disappointed is not forgotten with another dependency")
  func pardon() async throws {
    let queue = try Pools.blocks(width: 0)
    for _ in 0..<200 {
      let (cancelled, other, dependent) = (block(), block(), block())
      try dependent.addDependency(cancelled, requiring: .succeeded)
      try dependent.addDependency(other)
      try queue.addOperation(cancelled)
      // It has ended now, but its outcome may still be on its way.
      cancelled.cancel()
      dependent.removeDependency(other)
      try queue.addOperation(dependent)
      // One that did not leave at once would wait for ever.
      dependent.cancel()
      #expect(try await dependent.finished().ending == .skipped)
    }
  }
}
