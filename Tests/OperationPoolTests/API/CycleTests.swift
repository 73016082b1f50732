import OperationPool
import PoolTestSupport
import Testing

/// Contract: no dependency that would close a cycle is accepted; all of the cycle is named, in its
/// order, and nothing has changed.
@Suite("Cycles", .timeLimit(.minutes(30)))
struct CycleTests {
  /// The refusal of a dependency, if it is refused.
  private func refusal(of dependent: PoolOperation, on dependency: PoolOperation) -> PoolError? {
    do throws(PoolError) {
      try dependent.addDependency(dependency)
      return nil
    } catch {
      return error
    }
  }

  @Test("exactly the operations on the cycle are named, in its order")
  func names() throws {
    let all = (0..<6).map { operation("noop", name: "\($0)") }
    // 0 → 1 → 2 → 3, with 4 and 5 beside it.
    for (dependent, dependency) in [(0, 1), (1, 2), (2, 3), (2, 4), (5, 0)] {
      try all[dependent].addDependency(all[dependency])
    }
    let error = refusal(of: all[3], on: all[1])
    #expect(error?.code == .cycle)
    #expect(error?.description == "operations wait for each other: '3' → '1' → '2' → '3'")
    #expect(all[3].dependencies.isEmpty && all[3].isReady)
  }

  @Test("an operation cannot wait for itself")
  func selfish() {
    let selfish = operation("noop", name: "selfish")
    let error = refusal(of: selfish, on: selfish)
    #expect(error?.description == "operations wait for each other: 'selfish' → 'selfish'")
  }

  @Test("a cycle through operations that are in queues already is refused")
  func queued() async throws {
    let (queue, other) = (try Pools.queue(), try Pools.queue())
    let operations = ["a", "b", "c"].map { operation("noop", name: $0) }
    let gate = operations[2].addGate()
    try operations[0].addDependency(operations[1])
    try operations[1].addDependency(operations[2])
    try queue.addOperation(operations[0])
    try other.addOperation(operations[1])
    let error = refusal(of: operations[2], on: operations[0])
    #expect(error?.description == "operations wait for each other: 'c' → 'a' → 'b' → 'c'")
    try queue.addOperation(operations[2])
    gate.open()
    for operation in operations { #expect(try await operation.finished().ending == .succeeded) }
  }

  @Test("a cycle through a barrier is refused when its last operation is added, with its batch")
  func barrier() async throws {
    let queue = try Pools.queue()
    let (early, late, innocent) = (
      operation("noop", name: "early"), operation("noop", name: "late"), operation("noop")
    )
    try early.addDependency(late)
    try queue.addOperation(early)
    let barrier = try queue.addBarrierBlock {}
    let error = #expect(throws: PoolError.self) { try queue.addOperations([innocent, late]) }
    #expect(
      error?.description
        == "operations wait for each other: 'late' → 'barrier' → 'early' → 'late'"
    )
    #expect(queue.operations.map(\.name) == ["early", "barrier"])
    early.removeDependency(late)
    try queue.addOperations([innocent, late])
    try await queue.allOperationsFinished()
    #expect(
      [early, late, innocent, barrier].allSatisfy { $0.outcome?.ending == .succeeded }
    )
  }

  @Test(
    "on random graphs, a dependency is refused if and only if it closes a cycle",
    arguments: 0..<200
  )
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let all = (0..<12).map { operation("noop", name: "\($0)") }
    for _ in 0..<40 {
      let from = all[Int.random(in: 0..<12, using: &generator)]
      let to = all[Int.random(in: 0..<12, using: &generator)]
      let closes = reaches(from: to, from)
      #expect((refusal(of: from, on: to) != nil) == closes, "seed \(seed)")
    }
  }

  /// Whether one operation waits for another, however indirectly, or is it.
  private func reaches(from start: PoolOperation, _ goal: PoolOperation) -> Bool {
    start === goal || start.dependencies.contains { reaches(from: $0, goal) }
  }
}
