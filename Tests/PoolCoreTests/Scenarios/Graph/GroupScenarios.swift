import PoolModel
import Testing

@testable import PoolCore

/// A group's members wait until it executes, and its dependents wait for them.
@Suite("Groups in the core")
struct GroupScenarios {
  /// A scenario of a group `g` with the members `a` and `b`, none of them in a queue.
  private func grouped() -> Scenario {
    let scenario = Scenario(workers: 2)
    scenario.staff(2)
    scenario.name(scenario.machine.create(.executedGroup(scenario.kinds[0])), "g")
    for name in ["a", "b"] {
      scenario.create(.init(name))
      join(name, in: scenario)
    }
    return scenario
  }

  private func join(
    _ name: String,
    _ group: String = "g",
    in scenario: Scenario,
    refusal: [String]? = nil,
    at place: SourceLocation = #_sourceLocation
  ) {
    scenario.addMember(name, to: group, refusal: refusal, at: place)
  }

  @Test("members wait until it executes, its dependents until all have ended")
  func order() {
    let scenario = grouped()
    scenario.submit([.init("d", after: ["g"])])
    scenario.enqueue("a", "b")
    scenario.enqueue("g", expecting: ["dispatch g to 1 as attempt 1"])
    scenario.start("g", "g executes on 1 as attempt 1", "dispatch a to 2 as attempt 1")
    scenario.execute("a", .failed, then: "dispatch b to 2 as attempt 1")
    scenario.answer("g", .succeeded, "settle g succeeded by answer in attempt 1 on 1")
    // Its own ending counts, and not those of its members.
    scenario.execute("b", then: "dispatch d to 1 as attempt 1")
  }

  /// The other worker is busy with `x`; what is less urgent waits behind it first.
  @Test(
    "a member that joins late is as urgent as what waits for the group",
    arguments: [false, true]
  )
  func lateMember(hasBegun: Bool) {
    let scenario = grouped()
    scenario.submit([Scenario.Plan(name: "d", after: ["g"], priority: .veryHigh, raises: true)])
    if hasBegun { scenario.enqueue("g", expecting: ["dispatch g to 1 as attempt 1"]) }
    if hasBegun { scenario.start("g", "g executes on 1 as attempt 1") }
    let busy = hasBegun ? ["x"] : ["w", "x"]
    for (index, name) in busy.enumerated() {
      scenario.create(.init(name))
      let worker = hasBegun ? 2 : index + 1
      scenario.enqueue(name, expecting: ["dispatch \(name) to \(worker) as attempt 1"])
    }
    scenario.submit([.init("n")])
    scenario.create(.init("m"))
    join("m", in: scenario)
    scenario.enqueue("m")
    if !hasBegun {
      scenario.enqueue("g")
      scenario.execute("w", then: "dispatch g to 1 as attempt 1")
      scenario.start("g", "g executes on 1 as attempt 1")
    }
    scenario.execute("x", then: "dispatch m to 2 as attempt 1")
  }

  @Test("what requires another end of it than it had is skipped, and names it")
  func requirement() {
    let scenario = grouped()
    scenario.submit([.init("d", after: ["g"])])
    scenario.enqueue("a", "b")
    scenario.enqueue("g", expecting: ["dispatch g to 1 as attempt 1"])
    scenario.start("g", "g executes on 1 as attempt 1", "dispatch a to 2 as attempt 1")
    scenario.execute("a", then: "dispatch b to 2 as attempt 1")
    scenario.execute("b")
    scenario.answer(
      "g",
      .failed,
      "settle g failed by answer in attempt 1 on 1",
      "settle d skipped by dependency of g"
    )
  }

  @Test("one that never executes lets its members go, and its dependents wait for them")
  func cancelled() {
    let scenario = grouped()
    scenario.create(.init("z"))
    scenario.link("g", after: "z", .finished)
    scenario.submit([.init("d", after: ["g"], when: .cancelled)])
    scenario.enqueue("g")
    scenario.cancel("g", "settle g cancelled by request")
    scenario.cancel("a")
    scenario.cancel("b")
    scenario.enqueue("a", expecting: ["settle a cancelled by request"])
    scenario.enqueue(
      "b",
      expecting: ["settle b cancelled by request", "dispatch d to 1 as attempt 1"]
    )
  }

  @Test("a cycle through a dependent is refused, whichever edge comes last")
  func dependentCycle() {
    let scenario = grouped()
    scenario.create(.init("x"))
    scenario.link("x", after: "g", .finished)
    scenario.refuseLink("a", after: "x", because: ["a", "x", "g"])
    scenario.create(.init("c"))
    scenario.link("c", after: "x", .finished)
    join("c", in: scenario, refusal: ["g", "c", "x"])
    scenario.create(.init("y"))
    scenario.link("b", after: "y", .finished)
    scenario.refuseLink("y", after: "g", because: ["y", "g", "b"])
  }

  @Test("a cycle through a dependency is refused, whichever edge comes last")
  func dependencyCycle() {
    let scenario = grouped()
    scenario.create(.init("x"))
    scenario.link("x", after: "a", .finished)
    scenario.refuseLink("g", after: "x", because: ["g", "x", "a"])
    scenario.create(.init("y"))
    scenario.link("g", after: "y", .finished)
    scenario.refuseLink("y", after: "b", because: ["y", "b", "g"])
    scenario.create(.init("c"))
    scenario.link("y", after: "c", .finished)
    join("c", in: scenario, refusal: ["c", "g", "y"])
  }

  @Test("neither may a group wait for its member, nor a member for its group")
  func ownCycle() {
    let scenario = grouped()
    scenario.refuseLink("g", after: "a", because: ["g", "a"])
    scenario.refuseLink("a", after: "g", because: ["a", "g"])
    join("g", in: scenario, refusal: ["g"])
  }

  @Test("a cycle through two groups, one in the other, is refused")
  func nested() {
    let scenario = grouped()
    scenario.name(scenario.machine.create(.executedGroup(scenario.kinds[0])), "h")
    join("h", in: scenario)
    scenario.create(.init("c"))
    join("c", "h", in: scenario)
    scenario.create(.init("x"))
    scenario.link("x", after: "g", .finished)
    scenario.refuseLink("c", after: "x", because: ["c", "x", "g", "h"])
    join("g", "h", in: scenario, refusal: ["g", "h"])
  }

  @Test("a cycle through a barrier is refused, before the group and behind it")
  func barrier() {
    let scenario = grouped()
    scenario.suspend()
    scenario.create(.barrier("w"))
    scenario.link("w", after: "a", .finished)
    scenario.enqueue("w")
    scenario.refuse("g", because: ["g", "w", "a"])
    let other = scenario.machine.addQueue(to: scenario.fleet)
    scenario.enqueue("g", in: other, expecting: ["dispatch g to 1 as attempt 1"])
    scenario.create(.barrier("v"))
    scenario.link("b", after: "v", .finished)
    scenario.refuse("v", in: other, because: ["g", "b", "v"])
  }

  @Test("a member that is added while it executes waits for nothing, and is waited for")
  func late() {
    let scenario = grouped()
    scenario.submit([.init("d", after: ["g"])])
    scenario.enqueue("g", expecting: ["dispatch g to 1 as attempt 1"])
    scenario.start("g", "g executes on 1 as attempt 1")
    scenario.create(.init("c"))
    join("c", in: scenario)
    scenario.enqueue("c", expecting: ["dispatch c to 2 as attempt 1"])
    scenario.execute("c")
    scenario.answer("g", .succeeded, "settle g succeeded by answer in attempt 1 on 1")
    scenario.release("a")
    scenario.release("b", "dispatch d to 1 as attempt 1")
  }

  @Test("a member that is taken out waits for it no longer, nor is it waited for")
  func removed() {
    let scenario = grouped()
    for name in ["a", "b"] { scenario.removeMember(name, from: "g") }
    scenario.submit([.init("d", after: ["g"])])
    scenario.enqueue("a", expecting: ["dispatch a to 1 as attempt 1"])
    scenario.enqueue("g", expecting: ["dispatch g to 2 as attempt 1"])
    scenario.execute("g", then: "dispatch d to 2 as attempt 1")
  }

  @Test("one that is let go without having been added leaves nothing behind")
  func released() {
    let scenario = grouped()
    let former = Self.slotCount(of: scenario)
    scenario.submit([.init("d", after: ["g"], when: .cancelled)])
    scenario.release("g", "dispatch d to 1 as attempt 1")
    scenario.execute("d")
    scenario.enqueue("a", expecting: ["dispatch a to 1 as attempt 1"])
    scenario.execute("a")
    for name in ["a", "b", "d"] { scenario.release(name) }
    // The group, its end, and its two members.
    #expect(Self.slotCount(of: scenario) == former - 4)
  }

  /// How many slots are in use.
  private static func slotCount(of scenario: Scenario) -> Int {
    scenario.machine.graph.operations.handles.count {
      !scenario.machine.graph.operations[$0].state.isFree
    }
  }
}
