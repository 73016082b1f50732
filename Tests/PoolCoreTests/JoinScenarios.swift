import PoolModel
import Testing

@testable import PoolCore

/// A join executes nothing: it ends when all that it depends on has, as the gravest of them.
@Suite("Joins")
struct JoinScenarios {
  /// A scenario whose two workers execute `a` and `b`, for both of which a join waits.
  private func joining() -> Scenario {
    let scenario = Scenario(workers: 2)
    scenario.staff(2)
    scenario.submit(
      [.init("a"), .init("b"), .join("j", after: ["a", "b"])],
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
    for name in ["s", "c"] { scenario.link("j", after: name, .finished) }
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
    scenario.submit([.init("s", after: ["a"], when: .failed)])
    scenario.link("j", after: "s", .finished)
    scenario.execute("a", then: "settle s skipped by dependency of a")
    scenario.execute("b", then: "settle j skipped by dependency of a")
  }

  @Test("one that was cancelled makes it cancelled")
  func cancelledMember() {
    let scenario = joining()
    scenario.create(.init("c"))
    scenario.link("j", after: "c", .finished)
    scenario.cancel("c")
    scenario.enqueue("c", expecting: ["settle c cancelled by request"])
    scenario.execute("a")
    scenario.execute("b", then: "settle j cancelled by dependency of c")
  }

  @Test("lost and timed out count as failed", arguments: [PoolEnding.lost, .timedOut, .failed])
  func failures(_ ending: PoolEnding) {
    let scenario = joining()
    scenario.create(.init("c"))
    scenario.link("j", after: "c", .finished)
    scenario.conclude("c", as: ending)
    scenario.execute("a", .failed)
    scenario.execute("b", then: "settle j failed by dependency of c")
  }

  @Test("what had ended before it was depended on counts like what ends later")
  func late() {
    let scenario = joining()
    scenario.execute("a", .failed)
    scenario.create(.join("k", after: []))
    scenario.link("k", after: "a", .finished)
    scenario.enqueue("k", expecting: ["settle k failed by dependency of a"])
    scenario.execute("b", then: "settle j failed by dependency of a")
  }

  @Test("without dependencies it succeeds when it is added, suspended or not")
  func empty() {
    let scenario = joining()
    scenario.suspend()
    scenario.submit([.join("k", after: [])], "settle k succeeded by answer")
  }

  @Test("a requirement skips it like any other operation")
  func requirement() {
    let scenario = joining()
    scenario.submit([.join("k", after: ["a", "b"], when: .succeeded)])
    scenario.execute("a", .failed, then: "settle k skipped by dependency of a")
    scenario.execute("b", then: "settle j failed by dependency of a")
  }

  @Test("joins of joins end in one go, and their dependents hear how")
  func nested() {
    let scenario = joining()
    scenario.submit([
      .join("k", after: ["j"]), .join("l", after: ["k"]), .init("c", after: ["l"], when: .failed),
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
    scenario.create(.join("k", after: []))
    for name in ["a", "b"] { scenario.link("k", after: name, .finished) }
    scenario.execute("a", .failed)
    scenario.cancel("j", "settle j cancelled by request")
    scenario.release("j")
    scenario.release("k")
    #expect(scenario.machine.graph.roots.isEmpty)
    // Operations that use the places again have nothing to do with it.
    scenario.submit([.join("m", after: ["b"]), .join("n", after: ["b"])])
    scenario.execute("b", then: "settle m succeeded by answer", "settle n succeeded by answer")
    #expect(scenario.settlements["m"]?.root == scenario.id("m"))
    #expect(scenario.settlements["n"]?.root == scenario.id("n"))
  }

  @Test("how a barrier before it ended, and what the barrier waited for, is nothing to it")
  func behindBarrier() {
    let scenario = joining()
    scenario.submit([.barrier("x"), .join("k", after: [])])
    scenario.execute("a", .failed)
    scenario.execute(
      "b",
      then: "settle j failed by dependency of a",
      "dispatch x to 1 as attempt 1"
    )
    scenario.execute("x", .failed, then: "settle k succeeded by answer")
    var barrier = Scenario.Plan.join("l", after: [])
    barrier.isBarrier = true
    scenario.submit([.init("c"), barrier], "dispatch c to 1 as attempt 1")
    scenario.execute("c", .failed, then: "settle l succeeded by answer")
  }

  @Test("a join takes no room: it needs neither width nor a worker that serves its kind")
  func noRoom() {
    let scenario = Scenario()
    scenario.widen(to: 0)
    scenario.create(.init("z"))
    scenario.submit([.join("j", after: ["z"])])
    scenario.conclude("z", as: .succeeded, "settle j succeeded by answer")
    #expect(scenario.machine.supervisor.liveWorkerCount == 0)
  }
}
