import PoolModel
import Testing

@testable import PoolCore

/// Priorities that change, and that dependencies inherit.
@Suite("Priorities")
struct PriorityScenarios {
  /// One worker, which executes `x` until the scenario lets it end.
  private func busy() -> Scenario {
    let scenario = Scenario()
    scenario.submit([.init("x")], "spawn 1 of 0")
    scenario.greet(1, "announce 0", "dispatch x to 1 as attempt 1")
    return scenario
  }

  @Test("an operation that is ready moves to its new place")
  func ready() {
    let scenario = busy()
    scenario.submit([.init("a"), .init("b"), .init("c")])
    scenario.prioritise("c", .high)
    scenario.prioritise("a", .low)
    scenario.execute("x", then: "dispatch c to 1 as attempt 1")
    scenario.prioritise("b", .veryLow)
    scenario.prioritise("b", .normal)
    scenario.execute("c", then: "dispatch b to 1 as attempt 1")
    scenario.execute("b", then: "dispatch a to 1 as attempt 1")
  }

  @Test("with claims it moves in every line in which it waits")
  func claims() {
    let scenario = busy()
    let r = [1, 1].map { scenario.machine.dispatcher.addResource(capacity: $0) }
    scenario.suspend()
    scenario.submit([.init("a", claims: r), .init("b", claims: r), .init("c", claims: [r[1]])])
    scenario.resume()
    scenario.prioritise("c", .high)
    scenario.prioritise("b", .high)
    scenario.execute("x", then: "dispatch b to 1 as attempt 1")
    scenario.prioritise("a", .veryHigh)
    scenario.execute("b", then: "dispatch a to 1 as attempt 1")
    scenario.execute("a", then: "dispatch c to 1 as attempt 1")
  }

  @Test("before it was added, and while it waits, it only takes note")
  func notQueued() {
    let scenario = busy()
    scenario.create(.init("a"))
    scenario.prioritise("a", .low)
    scenario.submit([.init("b", after: ["x"])])
    scenario.prioritise("b", .veryLow)
    scenario.enqueue("a")
    scenario.execute("x", then: "dispatch a to 1 as attempt 1")
    scenario.execute("a", then: "dispatch b to 1 as attempt 1")
  }

  @Test("what executes goes on; another attempt comes in the new place")
  func executing() {
    let scenario = busy()
    scenario.submit([.init("a", retries: 1), .init("b"), .init("c")])
    scenario.execute("x", then: "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.prioritise("a", .low)
    scenario.answer(
      "a",
      .failed,
      "retry a failed by answer in attempt 1 on 1",
      "dispatch b to 1 as attempt 1"
    )
    scenario.execute("b", then: "dispatch c to 1 as attempt 1")
    scenario.prioritise("b", .veryHigh)
    scenario.execute("c", then: "dispatch a to 1 as attempt 2")
  }

  @Test("an operation that raises its dependencies raises the whole chain, from then on")
  func chain() {
    let scenario = busy()
    scenario.submit([
      .init("n"), .init("a"), .init("b", after: ["a"]),
      Scenario.Plan(name: "c", after: ["b"], priority: .high, raises: true),
      .init("d", .veryHigh),
    ])
    scenario.link("d", after: "c", .finished)
    scenario.execute("x", then: "dispatch a to 1 as attempt 1")
    scenario.execute("a", then: "dispatch b to 1 as attempt 1")
    scenario.execute("b", then: "dispatch c to 1 as attempt 1")
    scenario.execute("c", then: "dispatch d to 1 as attempt 1")
    scenario.execute("d", then: "dispatch n to 1 as attempt 1")
  }

  @Test("without asking for it nothing is lent")
  func notLent() {
    let scenario = busy()
    scenario.submit([
      .init("n"), .init("a"), Scenario.Plan(name: "c", after: ["a"], priority: .high),
    ])
    scenario.execute("x", then: "dispatch n to 1 as attempt 1")
  }

  @Test("what is in no queue yet has what was lent to it when it is added, and passes it on")
  func notQueuedLent() {
    let scenario = busy()
    for name in ["a", "z"] { scenario.create(.init(name)) }
    scenario.submit([
      .init("n"), Scenario.Plan(name: "c", after: ["a"], priority: .high, raises: true),
    ])
    // It was lent to before it was made to wait itself.
    scenario.link("a", after: "z", .finished)
    scenario.enqueue("a", "z")
    scenario.execute("x", then: "dispatch z to 1 as attempt 1")
    scenario.execute("z", then: "dispatch a to 1 as attempt 1")
  }

  @Test("a priority that is raised later is lent at once, and what was lent stays")
  func raisedLater() {
    let scenario = busy()
    scenario.submit([
      .init("n", .high), .init("a"), .init("b", after: ["a"]),
      Scenario.Plan(name: "c", after: ["b"], raises: true),
    ])
    scenario.prioritise("c", .veryHigh)
    scenario.execute("x", then: "dispatch a to 1 as attempt 1")
    scenario.prioritise("c", .veryLow)
    scenario.cancel("c", "settle c cancelled by request")
    scenario.execute("a", then: "dispatch b to 1 as attempt 1")
  }

  @Test("its own priority counts where it is higher than what was lent")
  func ownIsHigher() {
    let scenario = busy()
    scenario.submit([
      .init("n", .high), .init("a", .veryHigh),
      Scenario.Plan(name: "c", after: ["a"], priority: .high, raises: true),
    ])
    scenario.prioritise("a", .veryLow)
    scenario.execute("x", then: "dispatch n to 1 as attempt 1")
    scenario.submit([.init("m")])
    scenario.execute("n", then: "dispatch a to 1 as attempt 1")
  }

  @Test("what waits for a barrier lends to the barrier, and to all before it")
  func barrier() {
    let scenario = busy()
    let other = scenario.machine.addQueue(to: scenario.fleet)
    scenario.submit([.init("n", .high)], in: other)
    scenario.submit([
      .init("a"), .barrier("y"), Scenario.Plan(name: "c", priority: .veryHigh, raises: true),
    ])
    scenario.execute("x", then: "dispatch a to 1 as attempt 1")
    scenario.execute("a", then: "dispatch y to 1 as attempt 1")
    scenario.execute("y", then: "dispatch c to 1 as attempt 1")
    scenario.execute("c", then: "dispatch n to 1 as attempt 1")
  }
}
