import PoolModel
import Testing

@testable import PoolCore

/// An observer is told each change exactly once, in order, before what follows from it.
@Suite("What observers are told")
struct ObservationScenarios {
  private func staffed() -> Scenario {
    let scenario = Scenario()
    scenario.staff(1)
    return scenario
  }

  /// Makes an operation known that is observed from the beginning.
  private func observed(_ plan: Scenario.Plan, in scenario: Scenario) {
    scenario.create(plan)
    scenario.observe(plan.name)
  }

  @Test("ready, executing, ready again after a failure, executing, finished")
  func life() {
    let scenario = staffed()
    observed(.init("a", retries: 1), in: scenario)
    scenario.enqueue("a", expecting: ["note a ready", "dispatch a to 1 as attempt 1"])
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.answer(
      "a",
      .failed,
      "retry a failed by answer in attempt 1 on 1",
      "note a ready",
      "dispatch a to 1 as attempt 2"
    )
    scenario.execute("a", attempt: 2)
  }

  @Test("a dependency makes it pending, its end makes it ready, also before it was added")
  func dependencies() {
    let scenario = staffed()
    for name in ["y", "z"] { scenario.create(.init(name)) }
    observed(.init("a"), in: scenario)
    scenario.link("a", after: "y", .finished, "note a pending")
    scenario.link("a", after: "z", .finished)
    scenario.unlink("a", from: "y")
    scenario.conclude("z", as: .succeeded, "note a ready")
    scenario.suspend()
    scenario.enqueue("a")
    scenario.link("a", after: "y", .finished, "note a pending")
    scenario.unlink("a", from: "y", "note a ready")
    scenario.addGate("a", "note a pending")
    scenario.addGate("a")
    scenario.openGate("a")
    scenario.openGate("a", "note a ready")
    scenario.resume("dispatch a to 1 as attempt 1")
  }

  @Test(
    "a member is pending until its group opens, and so is a group that is not gated until its members end"
  )
  func groups() {
    let scenario = staffed()
    scenario.name(scenario.machine.create(.gatedGroup()), "g")
    observed(.group("h", of: []), in: scenario)
    observed(.init("a"), in: scenario)
    scenario.addMember("a", to: "h", "note h pending")
    scenario.addMember("a", to: "g", "note a pending")
    scenario.removeMember("a", from: "h", "note h ready")
    scenario.removeMember("a", from: "g", "note a ready")
  }

  @Test("a barrier that is before it makes it pending when it is added")
  func barrier() {
    let scenario = staffed()
    scenario.submit([.barrier("x")], "dispatch x to 1 as attempt 1")
    observed(.init("a"), in: scenario)
    scenario.enqueue("a", expecting: ["note a pending"])
    scenario.execute("x", then: "note a ready", "dispatch a to 1 as attempt 1")
  }

  @Test("while it is prepared it is pending")
  func preparation() {
    let scenario = staffed()
    observed(Scenario.Plan(name: "a", prepares: true), in: scenario)
    scenario.enqueue("a", expecting: ["note a pending", "prepare a"])
    scenario.prepared("a", .ready, "note a ready", "dispatch a to 1 as attempt 1")
  }

  @Test("cancelled while it waits, it is ready to leave, and leaves")
  func cancelledWaiting() {
    let scenario = staffed()
    scenario.create(.init("z"))
    observed(.init("a"), in: scenario)
    scenario.link("a", after: "z", .finished, "note a pending")
    scenario.enqueue("a")
    scenario.cancel("a", "note a cancelled", "note a ready", "settle a cancelled by request")
    scenario.cancel("a")
  }

  @Test("cancelled before it was added, it is ready whatever it waits for from now on")
  func cancelledBefore() {
    let scenario = staffed()
    for name in ["y", "z"] { scenario.create(.init(name)) }
    observed(.init("a"), in: scenario)
    scenario.link("a", after: "z", .succeeded, "note a pending")
    scenario.cancel("a", "note a cancelled", "note a ready")
    scenario.link("a", after: "y", .finished)
    scenario.conclude("z", as: .failed)
    scenario.conclude("y", as: .succeeded)
    #expect(scenario.machine.graph.phase(of: scenario.id("a")) == .ready)
    scenario.enqueue("a", expecting: ["settle a cancelled by request"])
  }

  @Test("an operation that will be skipped is ready before it was added: nothing is waited for")
  func willSkip() {
    let scenario = staffed()
    scenario.create(.init("z"))
    observed(.init("a"), in: scenario)
    scenario.link("a", after: "z", .succeeded, "note a pending")
    scenario.conclude("z", as: .failed, "note a ready")
    #expect(scenario.machine.graph.phase(of: scenario.id("a")) == .ready)
    scenario.addGate("a", "note a pending")
    #expect(scenario.machine.graph.phase(of: scenario.id("a")) == .pending)
    scenario.cancel("a", "note a cancelled", "note a ready")
    #expect(scenario.machine.graph.phase(of: scenario.id("a")) == .ready)
  }

  @Test("cancelled while ready or executing, it is said to be so once")
  func cancelledLater() {
    let scenario = staffed()
    observed(.init("a"), in: scenario)
    observed(.init("b"), in: scenario)
    scenario.enqueue(
      "a",
      "b",
      expecting: ["note a ready", "note b ready", "dispatch a to 1 as attempt 1"]
    )
    scenario.cancel("b", "note b cancelled", "settle b cancelled by request")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.cancel("a", "note a cancelled", "signal 1 with 15")
    scenario.cancel("a")
  }

  @Test("what is given back unstarted was ready all the time")
  func returned() {
    let scenario = Scenario()
    scenario.expectShort()
    scenario.submit([.init("x")], "spawn 1 of 0")
    scenario.greet(1, as: .full, "announce 0", "dispatch x to 1 as attempt 1")
    observed(.init("a"), in: scenario)
    scenario.enqueue("a", expecting: ["note a ready", "dispatch a to 1 as attempt 1"])
    scenario.start("x", "x executes on 1 as attempt 1")
    scenario.pass(.milliseconds(10), "recall a from 1")
    scenario.allowReuse(of: "a")
    scenario.exit(
      1,
      "blame x for 1",
      "settle x lost by workerDied in attempt 1 on 1",
      "spawn 2 of 0"
    )
  }

  @Test("a queue that is observed tells of all that is in it, and of nothing else")
  func queue() {
    let scenario = staffed()
    let other = scenario.machine.addQueue(to: scenario.fleet)
    scenario.submit([.init("x")], in: other, "dispatch x to 1 as attempt 1")
    scenario.expect([], #_sourceLocation) { machine, _ in machine.graph.observe(scenario.queue) }
    scenario.submit(
      [.init("a"), .init("b", after: ["a"]), .barrier("c")],
      "note a ready",
      "note c pending"
    )
    scenario.submit([.init("y", after: ["x"])], in: other)
    scenario.cancelAll(
      "note a cancelled",
      "settle a cancelled by request",
      "note b cancelled",
      "note b ready",
      "settle b cancelled by request",
      "note c cancelled",
      "note c ready",
      "settle c cancelled by request"
    )
  }
}
