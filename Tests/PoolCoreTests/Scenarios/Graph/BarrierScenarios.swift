import PoolModel
import Testing

@testable import PoolCore

/// A barrier waits for all that is before it in its queue, and holds back all that is behind it.
@Suite("Barriers")
struct BarrierScenarios {
  /// Three workers that are idle.
  private func staffed() -> Scenario {
    let scenario = Scenario(workers: 3)
    scenario.staff(3)
    return scenario
  }

  @Test("a barrier waits for all before it, and all behind it wait for the barrier")
  func order() {
    let scenario = staffed()
    scenario.submit(
      [.init("a"), .init("b"), .barrier("x"), .init("c"), .init("d")],
      "dispatch a to 1 as attempt 1",
      "dispatch b to 2 as attempt 1"
    )
    scenario.execute("a")
    scenario.execute("b", .failed, then: "dispatch x to 1 as attempt 1")
    scenario.submit([.init("e", .veryHigh)])
    scenario.execute(
      "x",
      .failed,
      then: "dispatch e to 1 as attempt 1",
      "dispatch c to 2 as attempt 1",
      "dispatch d to 3 as attempt 1"
    )
    // Nothing of it is left.
    #expect(scenario.machine.graph.edges.count == 0)
    scenario.execute("e")
    scenario.submit([.init("f")], "dispatch f to 1 as attempt 1")
  }

  @Test("on an empty queue a barrier is executed at once, and still holds back what follows")
  func emptyQueue() {
    let scenario = staffed()
    scenario.submit([.barrier("x"), .init("a")], "dispatch x to 1 as attempt 1")
    scenario.execute("x", then: "dispatch a to 1 as attempt 1")
  }

  @Test("a barrier on an empty queue waits while the queue is suspended")
  func suspended() {
    let scenario = staffed()
    scenario.suspend()
    scenario.submit([.barrier("x"), .init("a")])
    #expect(scenario.machine.graph.unsettledCount(of: scenario.queue) == 2)
    scenario.resume("dispatch x to 1 as attempt 1")
    scenario.suspend()
    scenario.execute("x")
    scenario.resume("dispatch a to 1 as attempt 1")
  }

  @Test("a barrier counts towards the width")
  func width() {
    let scenario = staffed()
    scenario.widen(to: 0)
    scenario.submit([.barrier("x"), .init("a")])
    scenario.widen(to: 1, "dispatch x to 1 as attempt 1")
    scenario.execute("x", then: "dispatch a to 1 as attempt 1")
  }

  @Test("two barriers are executed one after the other")
  func two() {
    let scenario = staffed()
    scenario.submit(
      [.init("a"), .barrier("x"), .init("b"), .barrier("y"), .init("c")],
      "dispatch a to 1 as attempt 1"
    )
    scenario.execute("a", then: "dispatch x to 1 as attempt 1")
    scenario.execute("x", then: "dispatch b to 1 as attempt 1")
    scenario.execute("b", then: "dispatch y to 1 as attempt 1")
    scenario.execute("y", then: "dispatch c to 1 as attempt 1")
  }

  @Test("two barriers in a row need nothing between them")
  func adjacent() {
    let scenario = staffed()
    scenario.submit([.barrier("x"), .barrier("y"), .init("a")], "dispatch x to 1 as attempt 1")
    scenario.execute("x", then: "dispatch y to 1 as attempt 1")
    scenario.execute("y", then: "dispatch a to 1 as attempt 1")
  }

  @Test("a barrier that is cancelled while it waits takes nothing along, and holds back nothing")
  func cancelled() {
    let scenario = staffed()
    scenario.submit(
      [.init("a"), .barrier("x"), .init("b")],
      "dispatch a to 1 as attempt 1"
    )
    scenario.cancel("x", "settle x cancelled by request", "dispatch b to 2 as attempt 1")
    // A later one waits for what the cancelled one waited for.
    scenario.submit([.barrier("y"), .init("c")])
    scenario.execute("b")
    scenario.execute("a", then: "dispatch y to 1 as attempt 1")
    scenario.execute("y", then: "dispatch c to 1 as attempt 1")
  }

  @Test("of two barriers the first can be cancelled: the second still waits for all before it")
  func cancelledFirst() {
    let scenario = staffed()
    scenario.submit(
      [.init("a"), .barrier("x"), .init("b"), .barrier("y"), .init("c")],
      "dispatch a to 1 as attempt 1"
    )
    scenario.cancel("x", "settle x cancelled by request", "dispatch b to 2 as attempt 1")
    scenario.execute("b")
    scenario.execute("a", then: "dispatch y to 1 as attempt 1")
    scenario.execute("y", then: "dispatch c to 1 as attempt 1")
  }

  @Test("of two barriers the second can be cancelled: what is behind it waits for the first")
  func cancelledSecond() {
    let scenario = staffed()
    scenario.submit(
      [.init("a"), .barrier("x"), .barrier("y"), .init("b")],
      "dispatch a to 1 as attempt 1"
    )
    scenario.cancel("y", "settle y cancelled by request")
    scenario.execute("a", then: "dispatch x to 1 as attempt 1")
    scenario.execute("x", then: "dispatch b to 1 as attempt 1")
  }

  @Test("a barrier that was cancelled before it was added is none")
  func cancelledBefore() {
    let scenario = staffed()
    scenario.submit([.init("a")], "dispatch a to 1 as attempt 1")
    scenario.create(.barrier("x"))
    scenario.cancel("x")
    scenario.enqueue("x", expecting: ["settle x cancelled by request"])
    scenario.submit([.init("b")], "dispatch b to 2 as attempt 1")
  }

  @Test("a barrier waits for its own dependencies, wherever they are, and holds back meanwhile")
  func ownDependencies() {
    let scenario = staffed()
    let (_, other) = scenario.addFleet(ConfigurationSpec(count: 1, kinds: scenario.kinds))
    scenario.submit([.init("z")], in: other, "spawn 4 of 1")
    scenario.submit([.barrier("x", after: ["z"]), .init("a")])
    scenario.greet(4, "announce 1", "dispatch z to 4 as attempt 1")
    scenario.execute("z", then: "dispatch x to 1 as attempt 1")
    scenario.execute("x", then: "dispatch a to 1 as attempt 1")
  }

  @Test("a barrier whose dependency fails is skipped, and holds back nothing any more")
  func skipped() {
    let scenario = staffed()
    scenario.submit(
      [.init("a"), .barrier("x", after: ["a"]), .init("b")],
      "dispatch a to 1 as attempt 1"
    )
    scenario.execute(
      "a",
      .failed,
      then: "settle x skipped by dependency of a",
      "dispatch b to 1 as attempt 1"
    )
  }

  @Test("a barrier does not hold back another queue of the same fleet")
  func otherQueue() {
    let scenario = staffed()
    let other = scenario.machine.addQueue(to: scenario.fleet)
    scenario.submit([.barrier("x"), .init("a")], "dispatch x to 1 as attempt 1")
    scenario.submit([.init("b")], in: other, "dispatch b to 2 as attempt 1")
  }

  @Test("an operation before a barrier cannot wait for one behind it: the cycle is named")
  func cycleBehind() {
    let scenario = staffed()
    scenario.suspend()
    scenario.submit([.init("a"), .barrier("x"), .init("b")])
    scenario.refuseLink("a", after: "b", because: ["a", "b", "x"])
    scenario.create(.init("c"))
    scenario.link("a", after: "c", .finished)
    let slots = scenario.machine.graph.operations.handles.count
    scenario.refuse("c", because: ["c", "x", "a"])
    #expect(scenario.machine.graph.operations.handles.count == slots)
    // Elsewhere it may be added.
    let other = scenario.machine.addQueue(to: scenario.fleet)
    scenario.enqueue("c", in: other, expecting: ["dispatch c to 1 as attempt 1"])
  }

  @Test("a barrier cannot be put behind what waits for it, and nothing of its batch is added")
  func cycleOfBatch() {
    let scenario = staffed()
    scenario.create(.barrier("y"))
    scenario.submit([.init("a", after: ["y"], when: .finished)])
    for plan in [.init("b"), .barrier("x"), .init("c")] as [Scenario.Plan] { scenario.create(plan) }
    scenario.refuse("b", "x", "c", "y", because: ["c", "x", "a", "y"])
    #expect(scenario.machine.graph.unsettledCount(of: scenario.queue) == 1)
    #expect(scenario.machine.graph.operations(in: scenario.queue) == [scenario.id("a")])
    #expect(scenario.machine.graph.edges.count == 1)
    // What was refused can be added otherwise, and is what it was.
    scenario.enqueue("b", expecting: ["dispatch b to 1 as attempt 1"])
    let other = scenario.machine.addQueue(to: scenario.fleet)
    scenario.enqueue("y", "c", in: other, expecting: ["dispatch y to 2 as attempt 1"])
    scenario.execute("y", then: "dispatch a to 2 as attempt 1", "dispatch c to 3 as attempt 1")
  }

  @Test(
    "a barrier costs a step for each operation since the last one, and its gates are used again"
  )
  func cost() {
    let scenario = staffed()
    scenario.suspend()
    for round in 0..<100 {
      scenario.submit([.init("a\(round)"), .barrier("x\(round)")])
    }
    // Each gate waits for two operations and a gate; each operation for the gate before it.
    #expect(scenario.machine.graph.edges.count < 100 * 8)
    let slots = scenario.machine.graph.operations.handles.count
    _ = scenario.context { $0.cancelAll(in: scenario.queue, at: $1) }
    #expect(scenario.machine.graph.edges.count == 0)
    #expect(scenario.machine.brokenInvariants() == [])
    for round in 0..<100 {
      _ = scenario.context { machine, now in
        machine.release(scenario.id("a\(round)"), at: now)
        machine.release(scenario.id("x\(round)"), at: now)
      }
    }
    for round in 0..<100 {
      scenario.submit([.init("a\(round)"), .barrier("x\(round)")])
    }
    #expect(scenario.machine.graph.operations.handles.count == slots)
  }
}
