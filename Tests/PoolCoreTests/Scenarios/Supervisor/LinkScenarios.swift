import PoolModel
import Testing

@testable import PoolCore

/// A link to a worker ends: nothing proves what the worker has begun, or that it has ended.
@Suite("Loss of links")
struct LinkScenarios {
  /// A scenario whose one worker executes `a` and holds `b` and `c`.
  private func holding(_ b: Scenario.Plan, retries: Int = 0) -> Scenario {
    let scenario = Scenario()
    scenario.expectShort()
    scenario.submit([.init("a", retries: retries), b, .init("c")], "spawn 1 of 0")
    scenario.greet(
      1,
      as: .full,
      "announce 0",
      "dispatch a to 1 as attempt 1",
      "dispatch b to 1 as attempt 1",
      "dispatch c to 1 as attempt 1"
    )
    scenario.start("a", "a executes on 1 as attempt 1")
    return scenario
  }

  @Test("what was sent may have begun, and has spent an attempt; what was not is free")
  func doubt() {
    let scenario = holding(.init("b"))
    let count = scenario.cut(
      1,
      sentUpTo: "b",
      "blame a for 1",
      "settle a lost by workerDied in attempt 1 on 1",
      "b executes on 1 as attempt 1",
      "settle b lost by mayHaveBegun in attempt 1 on 1",
      "spawn 2 of 0"
    )
    #expect(count == 1)
    scenario.greet(2, as: .full, "dispatch c to 2 as attempt 1")
  }

  @Test("an answer that was read ends the doubt")
  func answered() {
    let scenario = holding(.init("b"))
    scenario.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1")
    let count = scenario.cut(
      1,
      sentUpTo: "b",
      "blame b for 1",
      "b executes on 1 as attempt 1",
      "settle b lost by mayHaveBegun in attempt 1 on 1",
      "spawn 2 of 0"
    )
    #expect(count == 1)
  }

  @Test("a retry repeats what may have begun, as the next attempt")
  func retry() {
    let scenario = holding(.init("b", retries: 1))
    _ = scenario.cut(
      1,
      sentUpTo: "b",
      "blame a for 1",
      "settle a lost by workerDied in attempt 1 on 1",
      "b executes on 1 as attempt 1",
      "retry b lost by mayHaveBegun in attempt 1 on 1",
      "spawn 2 of 0"
    )
    scenario.greet(
      2,
      as: .full,
      "dispatch b to 2 as attempt 2",
      "dispatch c to 2 as attempt 1"
    )
    _ = scenario.cut(
      2,
      sentUpTo: "b",
      "blame b for 2",
      "b executes on 2 as attempt 2",
      "settle b lost by mayHaveBegun in attempt 2 on 2",
      "spawn 3 of 0"
    )
  }

  @Test("an idempotent operation is repeated without a retry, whether it had begun or not")
  func idempotent() {
    var plan = Scenario.Plan("b")
    plan.isIdempotent = true
    let scenario = holding(plan)
    _ = scenario.cut(
      1,
      sentUpTo: "b",
      "blame a for 1",
      "settle a lost by workerDied in attempt 1 on 1",
      "b executes on 1 as attempt 1",
      "retry b lost by mayHaveBegun in attempt 1 on 1",
      "spawn 2 of 0"
    )
    scenario.greet(2, as: .full, "dispatch b to 2 as attempt 2", "dispatch c to 2 as attempt 1")
    scenario.start("b", "b executes on 2 as attempt 2")
    _ = scenario.cut(
      2,
      sentUpTo: "b",
      "blame b for 2",
      "retry b lost by workerDied in attempt 2 on 2",
      "spawn 3 of 0"
    )
    // A worker of this machine is known to be dead: that is the operation's own failure.
    scenario.greet(3, as: .full, "dispatch b to 3 as attempt 3")
    scenario.start("b", "b executes on 3 as attempt 3")
    scenario.exit(
      3,
      "blame b for 3",
      "settle b lost by workerDied in attempt 3 on 3",
      "spawn 4 of 0"
    )
  }

  @Test("the death of a worker of this machine is no reason to repeat an idempotent operation")
  func proved() {
    var plan = Scenario.Plan("b")
    plan.isIdempotent = true
    let scenario = holding(plan)
    scenario.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1")
    scenario.start("b", "b executes on 1 as attempt 1")
    scenario.exit(
      1,
      "blame b for 1",
      "settle b lost by workerDied in attempt 1 on 1",
      "spawn 2 of 0"
    )
  }

  @Test("what was cancelled is cancelled, and is no attempt")
  func cancelled() {
    let scenario = holding(.init("b"))
    scenario.cancel("b", "ask 1 to stop b")
    let count = scenario.cut(
      1,
      sentUpTo: "c",
      "blame a for 1",
      "settle a lost by workerDied in attempt 1 on 1",
      "settle b cancelled by request",
      "c executes on 1 as attempt 1",
      "settle c lost by mayHaveBegun in attempt 1 on 1"
    )
    #expect(count == 1)
  }

  /// A scenario with one worker that may be far, and operations one after the other.
  private func far(_ isFar: Bool, _ names: [String]) -> Scenario {
    var spec = ConfigurationSpec(count: 1)
    spec.isFar = isFar
    let scenario = Scenario(configurations: [spec])
    let plans = names.enumerated().map { place, name in
      Scenario.Plan(name, after: place == 0 ? [] : [names[place - 1]], when: .finished)
    }
    scenario.submit(plans, "spawn 1 of 0")
    return scenario
  }

  @Test("where a host has worked, an outage ends nothing: it is tried again, later each time")
  func outage() {
    let scenario = far(true, ["a", "b"])
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.answer(
      "a",
      .succeeded,
      "settle a succeeded by answer in attempt 1 on 1",
      "dispatch b to 1 as attempt 1"
    )
    scenario.exit(1, "blame b for 1", "spawn 2 of 0")
    var waited: [Int64] = []
    for worker in UInt32(2)..<8 {
      if worker == 2 { scenario.exit(2, "go on with 0") } else { scenario.exit(worker) }
      waited.append(scenario.timeLeft)
      scenario.pass(scenario.timeLeft + scenario.timeLeft / 16, "spawn \(worker + 1) of 0")
    }
    #expect(
      waited[0] < waited[5] && waited.allSatisfy { $0 > 0 && $0 <= .seconds(60) },
      "\(waited)"
    )
    scenario.greet(8, "dispatch b to 8 as attempt 1")
    scenario.start("b", "b executes on 8 as attempt 1")
    scenario.answer("b", .succeeded, "settle b succeeded by answer in attempt 1 on 8")
  }

  @Test("a host that has never worked, and one that is near, are given up")
  func hopeless() {
    let scenario = far(true, ["a"])
    scenario.exit(1, "spawn 2 of 0")
    scenario.exit(2)
    scenario.pass(scenario.timeLeft, "spawn 3 of 0")
    scenario.exit(3, "give up 0", "settle a failed by noWorker")
  }
}
