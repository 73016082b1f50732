import PoolModel
import Testing

@testable import PoolCore

/// Such a group ends when all of its members have, as the gravest of them.
@Suite("Groups that execute nothing")
struct UnexecutedGroupScenarios {
  /// A scenario whose two workers execute `a` and `b`, which are members of `j`.
  private func joining() -> Scenario {
    let scenario = Scenario(workers: 2)
    scenario.staff(2)
    scenario.submit(
      [.init("a"), .init("b"), .group("j", of: ["a", "b"])],
      "dispatch a to 1 as attempt 1",
      "dispatch b to 2 as attempt 1"
    )
    return scenario
  }

  @Test("where all have succeeded it has, without a worker")
  func succeeded() {
    let scenario = joining()
    scenario.execute("a")
    scenario.execute("b", then: "settle j succeeded by answer")
    #expect(scenario.machine.graph.unsettledCount == 0)
  }

  @Test("a failure outweighs a cancellation, that a skip, whatever comes first")
  func gravest() {
    let scenario = joining()
    scenario.create(.init("s"))
    scenario.create(.init("c"))
    scenario.create(.init("z"))
    scenario.link("s", after: "z", .succeeded)
    for name in ["s", "c"] { scenario.addMember(name, to: "j") }
    scenario.cancel("c")
    scenario.conclude("z", as: .failed)
    scenario.enqueue("s", expecting: ["settle s skipped by dependency of z"])
    scenario.enqueue("c", expecting: ["settle c cancelled by request"])
    scenario.execute("a", .failed)
    scenario.execute("b", then: "settle j failed by dependency of a")
  }

  @Test("one that was skipped makes it skipped, and names the root")
  func skipped() {
    let scenario = joining()
    scenario.create(.init("s"))
    scenario.link("s", after: "a", .failed)
    scenario.addMember("s", to: "j")
    scenario.enqueue("s")
    scenario.execute("a", then: "settle s skipped by dependency of a")
    scenario.execute("b", then: "settle j skipped by dependency of a")
  }

  @Test("a group that held it back and ended outside is none of its members")
  func letGoByGroup() {
    for release in [false, true] {
      let scenario = joining()
      scenario.name(scenario.machine.create(.gatedGroup()), "g")
      scenario.create(.group("k", of: []))
      scenario.addMember("k", to: "g")
      if release { scenario.release("g") } else { scenario.conclude("g", as: .failed) }
      scenario.enqueue("k", expecting: ["settle k succeeded by answer"])
    }
  }

  @Test("one that was cancelled makes it cancelled")
  func cancelledMember() {
    let scenario = joining()
    scenario.create(.init("c"))
    scenario.addMember("c", to: "j")
    scenario.cancel("c")
    scenario.enqueue("c", expecting: ["settle c cancelled by request"])
    scenario.execute("a")
    scenario.execute("b", then: "settle j cancelled by dependency of c")
  }

  @Test("lost and timed out count as failed", arguments: [PoolEnding.lost, .timedOut, .failed])
  func failures(_ ending: PoolEnding) {
    let scenario = joining()
    scenario.create(.init("c"))
    scenario.addMember("c", to: "j")
    scenario.conclude("c", as: ending)
    scenario.execute("a", .failed)
    scenario.execute("b", then: "settle j failed by dependency of c")
  }

  @Test("what had ended before it was depended on counts like what ends later")
  func late() {
    let scenario = joining()
    scenario.execute("a", .failed)
    scenario.create(.group("k", of: []))
    scenario.link("k", after: "a", .finished)
    scenario.enqueue("k", expecting: ["settle k failed by dependency of a"])
    scenario.execute("b", then: "settle j failed by dependency of a")
  }

  @Test("without dependencies it succeeds when it is added, suspended or not")
  func empty() {
    let scenario = joining()
    scenario.suspend()
    scenario.submit([.group("k", of: [])], "settle k succeeded by answer")
  }

  @Test("a requirement skips it like any other operation")
  func requirement() {
    let scenario = joining()
    scenario.submit([Scenario.Plan(name: "k", after: ["a", "b"], role: .group)])
    scenario.execute("a", .failed, then: "settle k skipped by dependency of a")
    scenario.execute("b", then: "settle j failed by dependency of a")
  }

  @Test("groups of groups end in one go, and their dependents hear how")
  func nested() {
    let scenario = joining()
    scenario.submit([
      Scenario.Plan(name: "k", after: ["j"], when: .finished, role: .group),
      Scenario.Plan(name: "l", after: ["k"], when: .finished, role: .group),
      .init("c", after: ["l"], when: .failed),
    ])
    scenario.execute("a", .failed)
    scenario.execute(
      "b",
      then: "settle j failed by dependency of a",
      "settle k failed by dependency of a",
      "settle l failed by dependency of a",
      "dispatch c to 1 as attempt 1"
    )
  }

  @Test("cancelled or forgotten after it has heard of a failure, it leaves nothing behind")
  func nothingLeft() {
    let scenario = joining()
    scenario.create(.group("k", of: []))
    for name in ["a", "b"] { scenario.link("k", after: name, .finished) }
    scenario.execute("a", .failed)
    scenario.cancel("j", "settle j cancelled by request")
    scenario.release("j")
    scenario.release("k")
    #expect(scenario.machine.graph.roots.isEmpty)
    // Operations that use the places again have nothing to do with it.
    scenario.submit(
      ["m", "n"].map { .init(name: $0, after: ["b"], when: .finished, role: .group) }
    )
    scenario.execute("b", then: "settle m succeeded by answer", "settle n succeeded by answer")
    #expect(scenario.settlements["m"]?.root == scenario.id("m"))
    #expect(scenario.settlements["n"]?.root == scenario.id("n"))
  }

  @Test("barriers neither wait for it nor hold it back, and not being one itself")
  func passesBarriers() {
    let scenario = joining()
    var barrier = Scenario.Plan.group("k", of: ["c"])
    barrier.isBarrier = true
    scenario.submit([.barrier("x"), .init("c"), barrier, .init("d")])
    scenario.submit([.group("e", of: [])], "settle e succeeded by answer")
    scenario.execute("a")
    scenario.execute(
      "b",
      then: "settle j succeeded by answer",
      "dispatch x to 1 as attempt 1"
    )
    scenario.execute("x", then: "dispatch c to 1 as attempt 1", "dispatch d to 2 as attempt 1")
    scenario.submit([.barrier("y")])
    scenario.execute("c", .failed, then: "settle k failed by dependency of c")
    scenario.execute("d", then: "dispatch y to 1 as attempt 1")
  }

  @Test("its members may be on both sides of a barrier")
  func aroundBarrier() {
    let scenario = Scenario(workers: 1)
    scenario.staff(1)
    scenario.submit(
      [.group("g", of: ["a", "c"]), .init("a"), .barrier("x"), .init("c")],
      "dispatch a to 1 as attempt 1"
    )
    scenario.execute("a", then: "dispatch x to 1 as attempt 1")
    scenario.execute("x", then: "dispatch c to 1 as attempt 1")
    scenario.execute("c", then: "settle g succeeded by answer")
  }

  @Test("when its queue is cancelled it ends as its members do, which may be spared")
  func cancelledQueue() {
    let scenario = Scenario(workers: 1)
    scenario.staff(1)
    scenario.submit(
      [.group("g", of: ["a"]), .group("h", of: ["b"]), .init("a"), .init("b")],
      "dispatch a to 1 as attempt 1"
    )
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.expect(
      ["settle b cancelled by request", "settle h cancelled by dependency of b"],
      #_sourceLocation
    ) { $0.cancelAll(in: scenario.queue, isDrain: true, at: $1) }
    scenario.answer(
      "a",
      .succeeded,
      "settle a succeeded by answer in attempt 1 on 1",
      "settle g succeeded by answer"
    )
  }

  @Test("it takes no room: it needs neither width nor a worker that serves its kind")
  func noRoom() {
    let scenario = Scenario()
    scenario.widen(to: 0)
    scenario.create(.init("z"))
    scenario.submit([.group("j", of: ["z"])])
    scenario.conclude("z", as: .succeeded, "settle j succeeded by answer")
    #expect(scenario.machine.supervisor.liveWorkerCount == 0)
  }
}
