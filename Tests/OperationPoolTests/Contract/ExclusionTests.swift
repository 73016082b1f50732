import OperationPool
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

/// Contract: mutual exclusion, limits and conditions as ProcedureKit's users needed them, without
/// the deadlocks that they met.
///
/// In brackets the suite and the case that each test takes over.
@Suite("ProcedureKit's cases: exclusion and conditions", .timeLimit(.minutes(30)))
struct ExclusionTests {
  /// Notes how many are inside at once.
  private final class Room: Sendable {
    private let state = Monitor((inside: 0, most: 0, visits: 0))

    var most: Int { state.withLock { $0.most } }
    var visits: Int { state.withLock { $0.visits } }

    func visit() {
      state.withLock { state in
        state.inside += 1
        state.most = max(state.most, state.inside)
        state.visits += 1
      }
      state.withLock { $0.inside -= 1 }
    }
  }

  private func exclusive(
    _ categories: [String],
    _ body: @escaping PoolBlockOperation.Block = {}
  ) -> PoolBlockOperation {
    PoolBlockOperation(options: .init(exclusive: categories), body)
  }

  // [MutualExclusivityTests: added_concurrently_are_run_exclusively]
  @Test("what threads add at once, to several queues, executes one at a time within its category")
  func exclusiveAcrossThreads() async throws {
    let queues = try (0..<3).map { _ in try Pools.blocks() }
    let room = Room()
    let threads = try queues.map { queue in
      try SystemThread.start(name: "adds", mask: .full) {
        for _ in 0..<200 {
          try? queue.addOperation(exclusive(["room of threads"]) { room.visit() })
        }
      }
    }
    try await Blocking.run { for thread in threads { thread.join() } }
    for queue in queues { try await queue.allOperationsFinished() }
    #expect(room.visits == 600 && room.most == 1)
  }

  // [MutualExclusivityTests: mutual_exclusivity_with_dependencies]
  @Test("exclusive operations that depend on each other do not block each other")
  func exclusiveWithDependencies() async throws {
    let queue = try Pools.blocks()
    let notebook = Notebook<String>()
    let dependent = exclusive(["with dependencies"]) { notebook.write("dependent") }
    let dependency = exclusive(["with dependencies"]) { notebook.write("dependency") }
    try dependent.addDependency(dependency)
    try queue.addOperations([dependent, dependency])
    try await queue.allOperationsFinished()
    #expect(notebook.all == ["dependency", "dependent"])
  }

  // [MutualExclusivityTests: when_initial_reference_to_queue_goes_away]
  @Test("a category is given back by the operations of a queue that was dropped")
  func droppedQueue() async throws {
    let other = try Pools.blocks()
    func addAndDrop() throws -> PoolBlockOperation {
      let dropped = try Pools.blocks()
      let first = exclusive(["dropped"])
      try dropped.addOperation(first)
      return first
    }
    let first = try addAndDrop()
    let second = exclusive(["dropped"])
    try other.addOperation(second)
    #expect(try await second.finished().ending == .succeeded)
    #expect(try await first.finished().ending == .succeeded)
  }

  // [the deadlocks of ProcedureKit #486 and #665, PSOperations #93]
  @Test("operations that want the same categories in different orders all execute")
  func differentOrders() async throws {
    let queue = try Pools.blocks()
    let names = ["fork 0", "fork 1", "fork 2", "fork 3", "fork 4"]
    let philosophers = (0..<500).map { seat in
      exclusive([names[seat % 5], names[(seat + 1) % 5]].shuffled())
    }
    try queue.addOperations(philosophers)
    for philosopher in philosophers {
      #expect(try await philosopher.finished().ending == .succeeded)
    }
  }

  // [barging: what ProcedureKit PR #394 met]
  @Test("one that lacks one of two categories holds back nobody, and is executed in the end")
  func barging() async throws {
    let queue = try Pools.blocks()
    let (begun, end) = (Meeting(of: 2), Meeting(of: 2))
    let notebook = Notebook<Int>()
    let first = exclusive(["left"]) {
      begun.join()
      end.join()
    }
    try queue.addOperation(first)
    try await Blocking.run { begun.join() }
    let second = exclusive(["left", "right"]) { notebook.write(2) }
    try queue.addOperation(second)
    let third = exclusive(["right"]) { notebook.write(3) }
    try queue.addOperation(third)
    #expect(try await third.finished().ending == .succeeded)
    #expect(second.isReady && notebook.all == [3])
    try await Blocking.run { end.join() }
    try await queue.allOperationsFinished()
    #expect(notebook.all == [3, 2])
  }

  @Test("one that waits for a slot of its queue holds back no other queue that claims the same")
  func idleQueue() async throws {
    let fleet = try PoolFleet()
    let (narrow, idle) = (PoolOperationQueue(fleet: fleet), PoolOperationQueue(fleet: fleet))
    narrow.maxConcurrentOperationCount = 1
    let (begun, end) = (Meeting(of: 2), Meeting(of: 2))
    try narrow.addOperation {
      begun.join()
      end.join()
    }
    try await Blocking.run { begun.join() }
    let waiting = exclusive(["idle queue"])
    try narrow.addOperation(waiting)
    let other = exclusive(["idle queue"])
    try idle.addOperation(other)
    #expect(try await other.finished().ending == .succeeded)
    #expect(!waiting.isFinished)
    try await Blocking.run { end.join() }
    #expect(try await waiting.finished().ending == .succeeded)
  }

  // [ConditionTests; StressTests: conditions_queue_suspension_safety]
  @Test("suspending and resuming while conditions are evaluated loses no operation")
  func conditionsAndSuspension() async throws {
    let queue = try Pools.blocks()
    let operations = try (0..<300).map { number in
      let operation = block()
      try operation.addCondition(
        PoolCondition("even") { _ in
          await Task.yield()
          return number.isMultiple(of: 2)
        }
      )
      return operation
    }
    for operation in operations {
      try queue.addOperation(operation)
      queue.isSuspended.toggle()
    }
    queue.isSuspended = false
    for (number, operation) in operations.enumerated() {
      let ending: PoolEnding = number.isMultiple(of: 2) ? .succeeded : .skipped
      #expect(try await operation.finished().ending == ending)
    }
  }

  // [ConditionTests: single condition fails, negated, throws, and when they are asked]
  @Test("conditions are asked in order when dependencies have ended, up to the first that fails")
  func conditions() async throws {
    let queue = try Pools.blocks()
    let asked = Notebook<String>()
    let dependency = block { asked.write("dependency") }
    func condition(_ name: String, _ holds: Bool) -> PoolCondition {
      PoolCondition(name) { _ in
        asked.write(name)
        return holds
      }
    }
    let (refused, negated, broken) = (block(), block(), block())
    try refused.addDependency(dependency)
    for (name, holds) in [("first", true), ("second", false), ("third", true)] {
      try refused.addCondition(condition(name, holds))
    }
    try negated.addCondition(.not(PoolCondition("never") { _ in false }))
    try broken.addCondition(PoolCondition("broken") { _ in throw Refusal(description: "odd") })
    try queue.addOperations([refused, negated, broken])
    #expect(try await negated.finished().ending == .succeeded)
    #expect(try await broken.finished().ending == .failed)
    #expect(asked.all.isEmpty)
    try queue.addOperation(dependency)
    #expect(try await refused.finished().ending == .skipped)
    #expect(asked.all == ["dependency", "first", "second"])
    #expect(refused.outcome?.failure?.cause == .condition)
    #expect(throws: PoolError.self) { try refused.addCondition(condition("late", true)) }
  }

  // [ConditionTests: cancelled while evaluating]
  @Test("cancelled while its condition is evaluated, an operation leaves at once")
  func cancelledWhileEvaluated() async throws {
    let queue = try Pools.blocks()
    let (asked, answer) = (Meeting(of: 2), Meeting(of: 2))
    let operation = block()
    try operation.addCondition(
      PoolCondition("slow") { _ in
        await withCheckedContinuation { continuation in
          let thread = try? SystemThread.start(name: "slow", mask: .full) {
            asked.join()
            answer.join()
            continuation.resume()
          }
          thread?.detach()
        }
        return true
      }
    )
    try queue.addOperation(operation)
    try await Blocking.run { asked.join() }
    #expect(operation.state == .pending)
    operation.cancel()
    #expect(try await operation.finished().ending == .cancelled)
    try await Blocking.run { answer.join() }
    #expect(operation.outcome?.attempts == 0)
  }
}
