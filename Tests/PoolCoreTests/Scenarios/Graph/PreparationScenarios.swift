import PoolModel
import Testing

@testable import PoolCore

/// What is between the end of the last dependency and the ready queue: holds and preparation.
@Suite("Holds and preparation")
struct PreparationScenarios {
  private func staffed() -> Scenario {
    let scenario = Scenario(workers: 2)
    scenario.staff(2)
    return scenario
  }

  private func preparing(_ name: String = "a", after: [String] = []) -> Scenario.Plan {
    Scenario.Plan(name: name, after: after, retries: 1, prepares: true)
  }

  @Test("each hold must be taken back, before or after the operation was added")
  func holds() {
    let scenario = staffed()
    scenario.create(.init("a"))
    scenario.addGate("a")
    scenario.addGate("a")
    scenario.openGate("a")
    scenario.enqueue("a")
    scenario.addGate("a")
    scenario.openGate("a")
    scenario.openGate("a", "dispatch a to 1 as attempt 1")
    // Nothing is held any more, and what a worker has cannot be.
    scenario.openGate("a")
    _ = scenario.expect([], #_sourceLocation) { $0.change(.addGate(scenario.id("a")), at: $1) }
    let isTooLate = !scenario.machine.graph.acceptsDependencies(scenario.id("a"))
    #expect(isTooLate)
    #expect(scenario.machine.graph.phase(of: scenario.id("a")) == .ready)
  }

  @Test("an operation that is ready can be held, and comes back in its old place")
  func readyHeld() {
    let scenario = staffed()
    scenario.suspend()
    scenario.submit([.init("a"), .init("b"), .init("c")])
    scenario.addGate("a")
    #expect(scenario.machine.graph.phase(of: scenario.id("a")) == .pending)
    scenario.resume("dispatch b to 1 as attempt 1", "dispatch c to 2 as attempt 1")
    scenario.submit([.init("d")])
    scenario.openGate("a")
    scenario.execute("b", then: "dispatch a to 1 as attempt 1")
  }

  @Test("one that is held is cancelled at once, and its hold with it")
  func heldCancelled() {
    let scenario = staffed()
    scenario.create(.init("a"))
    scenario.addGate("a")
    scenario.enqueue("a")
    scenario.cancel("a", "settle a cancelled by request")
    scenario.openGate("a")
    #expect(scenario.machine.graph.unsettledCount == 0)
  }

  @Test("it is prepared when its last dependency has ended, and executed when it may be")
  func go() {
    let scenario = staffed()
    scenario.submit([.init("z")], "dispatch z to 1 as attempt 1")
    scenario.submit([preparing(after: ["z"])])
    scenario.execute("z", then: "prepare a")
    #expect(scenario.machine.graph.phase(of: scenario.id("a")) == .pending)
    scenario.prepared("a", .ready, "dispatch a to 1 as attempt 1")
    // Once more changes nothing.
    scenario.prepared("a", .ready)
  }

  @Test("without dependencies it is prepared when it is added, also while suspended")
  func atOnce() {
    let scenario = staffed()
    scenario.suspend()
    scenario.submit([preparing()], "prepare a")
    scenario.prepared("a", .ready)
    scenario.resume("dispatch a to 1 as attempt 1")
  }

  @Test(
    "refused, it ends as the result says without having been executed",
    arguments: [EndingCause.condition, .input]
  )
  func refused(_ cause: EndingCause) {
    let scenario = staffed()
    scenario.submit([preparing(), .init("b", after: ["a"])], "prepare a")
    scenario.prepared(
      "a",
      .ended(.failed, cause, DetailID(rawValue: 7)),
      "settle a failed by \(cause)",
      "settle b skipped by dependency of a"
    )
    #expect(scenario.settlements["a"]?.detail == DetailID(rawValue: 7))
    #expect(scenario.settlements["a"]?.queued == nil)
  }

  @Test("cancelled meanwhile, it is gone, and the result comes too late")
  func cancelledMeanwhile() {
    let scenario = staffed()
    scenario.submit([preparing()], "prepare a")
    scenario.cancel("a", "settle a cancelled by request")
    scenario.prepared("a", .ready)
    scenario.prepared("a", .ended(.failed, .condition, .none))
  }

  @Test("a dependency that is added meanwhile makes the preparation void: it is prepared again")
  func dependencyMeanwhile() {
    let scenario = staffed()
    scenario.submit([.init("z")], "dispatch z to 1 as attempt 1")
    scenario.submit([preparing()], "prepare a")
    let first = scenario.preparation(of: "a")
    scenario.link("a", after: "z", .finished)
    scenario.prepared("a", .ready)
    scenario.execute("z", then: "prepare a")
    // The first result is an old one.
    scenario.prepared("a", .ended(.failed, .condition, .none), number: first)
    scenario.prepared("a", .ready, "dispatch a to 1 as attempt 1")
  }

  @Test("a dependency that is added when it is prepared already has it prepared once more")
  func dependencyAfterwards() {
    let scenario = staffed()
    scenario.suspend()
    scenario.submit([preparing(), .init("z")], "prepare a")
    scenario.prepared("a", .ready)
    scenario.link("a", after: "z", .finished)
    scenario.resume("dispatch z to 1 as attempt 1")
    scenario.execute("z", then: "prepare a")
    scenario.prepared("a", .ready, "dispatch a to 1 as attempt 1")
  }

  @Test("a hold that comes meanwhile counts like a dependency")
  func heldMeanwhile() {
    let scenario = staffed()
    scenario.submit([preparing()], "prepare a")
    scenario.addGate("a")
    scenario.prepared("a", .ready)
    scenario.openGate("a", "prepare a")
    scenario.prepared("a", .ready, "dispatch a to 1 as attempt 1")
  }

  @Test("another attempt needs no other preparation")
  func retry() {
    let scenario = staffed()
    scenario.submit([preparing()], "prepare a")
    scenario.prepared("a", .ready, "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.answer(
      "a",
      .failed,
      "retry a failed by answer in attempt 1 on 1",
      "dispatch a to 1 as attempt 2"
    )
  }

  @Test("numbers of preparations are those of no dispatch")
  func numbers() {
    let scenario = staffed()
    scenario.submit([preparing()], "prepare a")
    let number = scenario.preparation(of: "a")
    scenario.prepared("a", .ready, number: number + 1)
    scenario.prepared("a", .ready, number: number - 1)
    scenario.prepared("a", .ready, "dispatch a to 1 as attempt 1")
    #expect(scenario.reference("a").dispatch.rawValue != number)
  }
}
