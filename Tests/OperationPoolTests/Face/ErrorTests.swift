import OperationPool
import PoolModel
import Testing

/// Contract: what cannot be added is refused with a reason that names it, and then nothing of the
/// batch was added.
@Suite("Refusals", .timeLimit(.minutes(1)))
struct ErrorTests {
  private func refusal(
    _ queue: PoolOperationQueue,
    _ operations: [PoolOperation]
  ) -> PoolError? {
    do throws(PoolError) {
      try queue.addOperations(operations)
      return nil
    } catch {
      return error
    }
  }

  @Test("an operation is added once, and to one queue")
  func twice() async throws {
    let (queue, other) = (try Pools.queue(), try Pools.queue())
    let (first, fresh) = (operation("noop", name: "first"), operation("noop"))
    try queue.addOperation(first)
    #expect(refusal(queue, [fresh, first])?.code == .alreadyEnqueued)
    #expect(refusal(queue, [fresh, fresh])?.code == .alreadyEnqueued)
    #expect(refusal(other, [first])?.code == .otherQueue)
    #expect(refusal(queue, [first])?.description.contains("'first'") == true)
    try other.addOperation(fresh)
    #expect(await fresh.finished().ending == .succeeded, "a refused batch leaves no trace")
  }

  @Test("a dependency belongs to the same queue")
  func foreign() async throws {
    let (queue, other) = (try Pools.queue(), try Pools.queue())
    let (dependency, dependent) = (operation("noop", name: "foreign"), operation("noop"))
    try other.addOperation(dependency)
    dependent.addDependency(dependency)
    let error = refusal(queue, [dependent])
    #expect(error?.code == .otherQueue)
    #expect(error?.description.contains("'foreign'") == true)
    #expect(queue.operationCount == 0)
  }

  @Test("operations that wait for each other are refused, and all of the circle is named")
  func circle() async throws {
    let queue = try Pools.queue()
    let ring = ["a", "b", "c"].map { operation("noop", name: $0) }
    for (next, previous) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
      next.addDependency(previous)
    }
    let error = refusal(queue, ring)
    #expect(error?.code == .cycle)
    for name in ["'a'", "'b'", "'c'"] { #expect(error?.description.contains(name) == true) }
    #expect(queue.operationCount == 0)
    let selfish = operation("noop", name: "selfish")
    selfish.addDependency(selfish)
    #expect(refusal(queue, [selfish])?.code == .cycle)
  }

  @Test("a circle is found when its last member is added")
  func lateCircle() async throws {
    let queue = try Pools.queue()
    let (first, last) = (operation("noop"), operation("noop"))
    first.addDependency(last)
    last.addDependency(first)
    try queue.addOperation(first)
    #expect(refusal(queue, [last])?.code == .cycle)
  }

  @Test("what a refused batch taught about circles is forgotten with it")
  func forgottenCircle() async throws {
    let queue = try Pools.queue()
    let innocent = operation("noop")
    let ring = [operation("noop"), operation("noop")]
    ring[0].addDependency(ring[1])
    ring[1].addDependency(ring[0])
    #expect(refusal(queue, [innocent] + ring)?.code == .cycle)
    let partner = operation("noop")
    innocent.addDependency(partner)
    partner.addDependency(innocent)
    #expect(refusal(queue, [innocent, partner])?.code == .cycle)
  }

  @Test("an operation that cannot be written as JSON is refused")
  func unspeakable() async throws {
    let queue = try Pools.queue()
    let error = refusal(queue, [operation("noop"), PoolTypedOperation(Unspeakable())])
    #expect(error?.code == .notEncodable)
    #expect(queue.operationCount == 0)
  }

  @Test("a result of another type is an error of its own")
  func wrongType() async throws {
    let queue = try Pools.queue()
    let odd = PoolTypedOperation(Misunderstood())
    try queue.addOperation(odd)
    let error = await #expect(throws: PoolError.self) { try await odd.value }
    #expect(error?.code == .notSuccessful)
    #expect(odd.outcome?.ending == .succeeded)
  }

  @Test("the value of an operation that failed is its failure")
  func failureOfValue() async throws {
    let queue = try PoolOperationQueue(workers: .command("exit 1", count: 1))
    let sum = PoolTypedOperation(Sum(numbers: []))
    try queue.addOperation(sum)
    let failure = await #expect(throws: PoolFailure.self) { try await sum.value }
    #expect(failure?.cause == "noWorker")
  }
}
