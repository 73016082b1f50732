import OperationPool
import OperationWorker
import PoolModel
import PoolTestSupport
import Testing

/// Contract: a fleet gets workers, more of them, fewer or none while it lives; operations with a
/// constraint are executed only where the machines have its features.
@Suite("Fleets that change", .timeLimit(.minutes(30)))
struct FleetChangeTests {
  /// Workers that say which they are.
  private func workers(_ name: String, count: Int = 1) -> PoolWorkerConfiguration {
    .inProcess(.raw("where") { _, _ in Array("\"\(name)\"".utf8) }, count: count)
  }

  private func place(_ constraint: Set<String> = []) -> PoolInvocationOperation {
    operation("where", constraint: constraint)
  }

  private func run(
    _ queue: PoolOperationQueue,
    _ constraint: Set<String> = []
  ) async throws -> String? {
    try await queue.run(place(constraint)).text
  }

  @Test("an operation goes to the machines that have all features of its constraint")
  func constraint() async throws {
    let queue = try PoolOperationQueue(
      workers: workers("a"),
      workers("b").having("gpu"),
      workers("c").having("gpu", "ssd")
    )
    #expect(try await run(queue)?.count == 3)
    #expect(try await run(queue, ["gpu"]) == "\"b\"")
    #expect(try await run(queue, ["ssd"]) == "\"c\"")
    #expect(try await run(queue, ["ssd", "gpu"]) == "\"c\"")
    let none = try await queue.run(place(["tape"]))
    #expect(none.ending == .failed && none.failure?.cause == .unservedKind)
    #expect(
      none.failure?.sentence
        == "no worker that serves 'where' has the features of its constraint; all features are "
        + "'gpu', 'ssd'"
    )
    await queue.shutdown()
  }

  @Test("features that are known before the kinds are, and kinds before the features, count alike")
  func order() async throws {
    let program = Repository.program("test-worker")
    let queue = try PoolOperationQueue(
      workers: .executable(program, count: 1),
      .executable(program, count: 1).having("gpu")
    )
    let before = operation("echo", "1", constraint: ["gpu"])
    let plain = operation("echo", "2")
    try queue.addOperations([before, plain])
    #expect(try await before.finished().ending == .succeeded)
    #expect(try await plain.finished().ending == .succeeded)
    let after = try await queue.run(operation("unserved", constraint: ["gpu"]))
    #expect(after.failure?.cause == .unservedKind)
    #expect(try await queue.run(operation("noop", constraint: ["gpu"])).ending == .succeeded)
    await queue.shutdown()
  }

  @Test("workers that are added execute what had none before, and are named by their index")
  func added() async throws {
    let fleet = try PoolFleet(workers("a"))
    let queue = PoolOperationQueue(fleet: fleet)
    #expect(try await queue.run(place(["gpu"])).failure?.cause == .unservedKind)
    #expect(try fleet.add(workers("b", count: 2).having("gpu")) == 1)
    #expect(try await run(queue, ["gpu"]) == "\"b\"")
    #expect(fleet.state.configurations.map(\.count) == [1, 2])
    #expect(throws: PoolError.self) { try fleet.add(workers("c", count: 0)) }
    await queue.shutdown()
    let closed = try PoolOperationQueue(workers: workers("a"))
    await closed.shutdown()
    #expect(throws: PoolError.self) { try closed.fleet.add(workers("b")) }
  }

  @Test("workers that are withdrawn end, also those with work once that has ended, and come back")
  func withdrawn() async throws {
    let program = Repository.program("test-worker")
    let fleet = try PoolFleet(.executable(program, count: 2), .executable(program, count: 1))
    let queue = PoolOperationQueue(fleet: fleet)
    let long = operation("untilCancelled")
    try queue.addOperation(long)
    #expect(await long.reaches(.executing))
    fleet.limitWorkers(ofConfiguration: 0, to: 0)
    #expect(fleet.state.configurations[0].count == 0)
    let others = (0..<3).map { _ in operation("noop") }
    try queue.addOperations(others)
    for other in others { #expect(try await other.finished().ending == .succeeded) }
    #expect(long.state == .executing)
    long.cancel()
    #expect(try await long.finished().ending == .cancelled)
    for await state in fleet.states where state.configurations[0].alive == 0 { break }
    #expect(fleet.state.configurations.map(\.count) == [0, 1])
    fleet.limitWorkers(ofConfiguration: 0, to: 3)
    #expect(fleet.state.configurations.map(\.count) == [3, 1])
    await queue.shutdown()
  }
}
