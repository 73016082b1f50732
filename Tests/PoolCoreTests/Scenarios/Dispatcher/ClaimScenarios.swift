import PoolModel
import Testing

@testable import PoolCore

/// What an operation claims it gets as a set, in the order of dispatch, while a worker has it; one
/// that lacks something holds back no other, until it was overtaken too often.
@Suite("Claims")
struct ClaimScenarios {
  /// Idle workers, and resources of these capacities.
  private func staffed(_ capacities: Int..., workers: UInt32 = 3) -> (Scenario, [ResourceID]) {
    let scenario = Scenario(workers: Int(workers))
    scenario.staff(workers)
    return (scenario, capacities.map { scenario.machine.dispatcher.addResource(capacity: $0) })
  }

  @Test("a category is one operation's at a time, by priority, then in submission order")
  func exclusive() {
    let (scenario, r) = staffed(1)
    scenario.submit(
      [
        .init("a", claims: r), .init("b", claims: r), .init("c", .high, claims: r),
        .init("d", claims: r), .init("e"),
      ],
      "dispatch c to 1 as attempt 1",
      "dispatch e to 2 as attempt 1"
    )
    scenario.execute("c", then: "dispatch a to 1 as attempt 1")
    scenario.submit([.init("f", .high, claims: r)])
    scenario.execute("a", then: "dispatch f to 1 as attempt 1")
    scenario.execute("f", then: "dispatch b to 1 as attempt 1")
    scenario.execute("b", then: "dispatch d to 1 as attempt 1")
    scenario.execute("d")
    #expect(scenario.machine.dispatcher.resources[r[0]].inUse == 0)
  }

  @Test("a set of two categories is taken as a whole")
  func set() {
    let (scenario, r) = staffed(1, 1)
    scenario.submit(
      [.init("a", claims: [r[0]]), .init("b", claims: [r[1]]), .init("ab", claims: r)],
      "dispatch a to 1 as attempt 1",
      "dispatch b to 2 as attempt 1"
    )
    scenario.execute("a")
    scenario.execute("b", then: "dispatch ab to 1 as attempt 1")
    scenario.submit([.init("c", claims: [r[0]]), .init("d", claims: [r[1]])])
    scenario.execute("ab", then: "dispatch c to 1 as attempt 1", "dispatch d to 2 as attempt 1")
  }

  @Test("sets that overlap crosswise do not wait for each other")
  func crosswise() {
    let (scenario, r) = staffed(1, 1, 1)
    scenario.submit(
      [
        .init("ab", claims: [r[0], r[1]]), .init("bc", claims: [r[1], r[2]]),
        .init("ca", claims: [r[2], r[0]]),
      ],
      "dispatch ab to 1 as attempt 1"
    )
    scenario.execute("ab", then: "dispatch bc to 1 as attempt 1")
    scenario.execute("bc", then: "dispatch ca to 1 as attempt 1")
    scenario.execute("ca")
  }

  @Test("one that lacks one of two is overtaken on the other 16 times, and then keeps it")
  func overtaken() {
    let (scenario, r) = staffed(1, 1)
    scenario.submit([.init("b", claims: [r[1]])], "dispatch b to 1 as attempt 1")
    scenario.submit([.init("ab", claims: r)])
    for number in 1...16 {
      let name = "a\(number)"
      scenario.submit([.init(name, claims: [r[0]])], "dispatch \(name) to 2 as attempt 1")
      scenario.execute(name)
    }
    // More urgent ones still come first.
    scenario.submit([.init("a", claims: [r[0]]), .init("free")], "dispatch free to 2 as attempt 1")
    scenario.execute("free")
    scenario.submit([.init("u", .high, claims: [r[0]])], "dispatch u to 2 as attempt 1")
    scenario.execute("u")
    scenario.execute("b", then: "dispatch ab to 1 as attempt 1")
    scenario.execute("ab", then: "dispatch a to 1 as attempt 1")
  }

  @Test("one without a slot in its own queue holds back no other queue")
  func withoutSlot() {
    let (scenario, r) = staffed(1)
    let narrow = scenario.machine.addQueue(to: scenario.fleet)
    scenario.widen(to: 1, in: narrow)
    scenario.submit([.init("x")], in: narrow, "dispatch x to 1 as attempt 1")
    scenario.submit([.init("a", .veryHigh, claims: r)], in: narrow)
    scenario.submit([.init("b", claims: r)], "dispatch b to 2 as attempt 1")
    scenario.execute("x")
    scenario.execute("b", then: "dispatch a to 1 as attempt 1")
  }

  @Test("of two that were overtaken too often, the first in the order of dispatch keeps its units")
  func twoStarving() {
    let (scenario, r) = staffed(1, 1, 1)
    scenario.machine.dispatcher.overtaking.patience = 1
    scenario.submit([.init("x", claims: [r[2]])], "dispatch x to 1 as attempt 1")
    scenario.submit([.init("p", claims: [r[0], r[2]]), .init("q", claims: [r[1], r[2]])])
    scenario.submit([.init("b", claims: [r[1]])], "dispatch b to 2 as attempt 1")
    scenario.submit([.init("a", claims: [r[0]])], "dispatch a to 3 as attempt 1")
    scenario.execute("b")
    scenario.submit([.init("c", claims: [r[1]])], "dispatch c to 2 as attempt 1")
    scenario.execute("a")
    scenario.submit([.init("d", claims: [r[0]])])
    scenario.execute("x", then: "dispatch p to 1 as attempt 1")
    scenario.execute("c")
    scenario.execute(
      "p",
      then: "dispatch q to 1 as attempt 1",
      "dispatch d to 2 as attempt 1"
    )
  }

  @Test("a limit lets that many in")
  func limit() {
    let (scenario, r) = staffed(2)
    scenario.submit(
      [.init("a", claims: r), .init("b", claims: r), .init("c", claims: r), .init("d")],
      "dispatch a to 1 as attempt 1",
      "dispatch b to 2 as attempt 1",
      "dispatch d to 3 as attempt 1"
    )
    scenario.execute("d")
    scenario.execute("b", then: "dispatch c to 2 as attempt 1")
  }

  @Test("a limit that is raised lets more in at once; one that is lowered takes nothing away")
  func capacity() {
    let (scenario, r) = staffed(0)
    scenario.submit([.init("a", claims: r), .init("b", claims: r), .init("c", claims: r)])
    scenario.setCapacity(
      2,
      of: r[0],
      "dispatch a to 1 as attempt 1",
      "dispatch b to 2 as attempt 1"
    )
    scenario.setCapacity(1, of: r[0])
    scenario.execute("a")
    scenario.execute("b", then: "dispatch c to 1 as attempt 1")
    scenario.setCapacity(0, of: r[0])
    scenario.submit([.init("d", claims: r)])
    scenario.execute("c")
    scenario.setCapacity(9, of: r[0], "dispatch d to 1 as attempt 1")
  }

  @Test("a waiter that is cancelled, or has to wait otherwise, lets the next one go")
  func cancelledWaiter() {
    let (scenario, r) = staffed(1, 1)
    scenario.submit([.init("b", claims: [r[1]])], "dispatch b to 1 as attempt 1")
    scenario.submit([.init("ab", claims: r), .init("ab2", claims: r)])
    scenario.machine.dispatcher.overtaking.patience = 1
    scenario.submit(
      [.init("a", claims: [r[0]]), .init("a2", claims: [r[0]])],
      "dispatch a to 2 as attempt 1"
    )
    scenario.execute("a")
    scenario.addGate("ab")
    scenario.cancel("ab2", "settle ab2 cancelled by request", "dispatch a2 to 2 as attempt 1")
    scenario.openGate("ab")
    scenario.execute("a2")
    scenario.execute("b", then: "dispatch ab to 1 as attempt 1")
  }

  @Test("while its queue is suspended, or of no width, an operation delays no other")
  func suspendedQueue() {
    let (scenario, r) = staffed(1, 1)
    let other = scenario.machine.addQueue(to: scenario.fleet)
    scenario.submit([.init("b", claims: [r[1]])], "dispatch b to 1 as attempt 1")
    scenario.machine.dispatcher.overtaking.patience = 1
    scenario.submit([.init("ab", .veryHigh, claims: r)], in: other)
    scenario.submit(
      [.init("a", claims: [r[0]]), .init("a2", claims: [r[0]])],
      "dispatch a to 2 as attempt 1"
    )
    scenario.execute("a")
    let (_, effects) = scenario.context { machine, _ in machine.change(.suspended(true, other)) }
    #expect(effects == ["dispatch a2 to 2 as attempt 1"])
    scenario.execute("a2")
    scenario.execute("b")
    scenario.resume(in: other, "dispatch ab to 1 as attempt 1")
    scenario.submit([.init("c", claims: [r[0]])], in: other)
    scenario.widen(to: 0, in: other)
    scenario.submit([.init("d", claims: [r[0]])])
    scenario.execute("ab", then: "dispatch d to 1 as attempt 1")
    scenario.execute("d")
    scenario.widen(to: 1, in: other, "dispatch c to 1 as attempt 1")
  }

  @Test(
    "while it claims a paused limit, an operation delays no other; nor does it when it waits again"
  )
  func pausedLimit() {
    let (scenario, r) = staffed(0, 1)
    scenario.machine.dispatcher.overtaking.patience = 1
    scenario.submit([.init("ab", claims: r)])
    scenario.submit(
      [.init("b", claims: [r[1]]), .init("b2", claims: [r[1]]), .init("b3", claims: [r[1]])],
      "dispatch b to 1 as attempt 1"
    )
    scenario.execute("b", then: "dispatch b2 to 1 as attempt 1")
    // From here on, it could get all, and is the first.
    scenario.setCapacity(1, of: r[0])
    scenario.setCapacity(0, of: r[0])
    scenario.execute("b2", then: "dispatch b3 to 1 as attempt 1")
    scenario.setCapacity(1, of: r[0])
    scenario.submit([.init("b4", claims: [r[1]])])
    scenario.execute("b3", then: "dispatch ab to 1 as attempt 1")
    scenario.execute("ab", then: "dispatch b4 to 1 as attempt 1")
  }

  @Test("one that claims a paused limit lets the next one that was overtaken reserve")
  func nextToPaused() {
    let (scenario, r) = staffed(0, 1, 1)
    scenario.machine.dispatcher.overtaking.patience = 1
    scenario.submit([.init("x", claims: [r[2]])], "dispatch x to 1 as attempt 1")
    scenario.submit([.init("p", claims: [r[0], r[1]]), .init("q", claims: [r[1], r[2]])])
    scenario.submit([.init("b", claims: [r[1]])], "dispatch b to 2 as attempt 1")
    scenario.execute("b")
    // Kept for q, which only lacks what x has.
    scenario.submit([.init("b2", claims: [r[1]])])
    scenario.execute("x", then: "dispatch q to 1 as attempt 1")
    scenario.execute("q", then: "dispatch b2 to 1 as attempt 1")
    scenario.execute("b2")
    scenario.setCapacity(1, of: r[0], "dispatch p to 1 as attempt 1")
  }

  @Test("between attempts the units are given back, and taken in the old place")
  func retry() {
    let (scenario, r) = staffed(1)
    scenario.submit(
      [.init("a", claims: r, retries: 1), .init("b", claims: r)],
      "dispatch a to 1 as attempt 1"
    )
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.answer(
      "a",
      .failed,
      "retry a failed by answer in attempt 1 on 1",
      "dispatch a to 1 as attempt 2"
    )
    scenario.execute("a", .failed, attempt: 2, then: "dispatch b to 1 as attempt 1")
  }

  @Test("a worker that dies gives back what its operation had taken")
  func lost() {
    let (scenario, r) = staffed(1)
    scenario.submit(
      [.init("a", claims: r), .init("b", claims: r)],
      "dispatch a to 1 as attempt 1"
    )
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.exit(
      1,
      "blame a for 1",
      "settle a lost by workerDied in attempt 1 on 1",
      "dispatch b to 2 as attempt 1"
    )
    // Not begun: it is ready again, and still the first.
    scenario.submit([.init("c", claims: r)])
    scenario.exit(2, "blame b for 2", "spawn 4 of 0")
    scenario.greet(4, "dispatch b to 4 as attempt 1")
    scenario.execute("b", then: "dispatch c to 4 as attempt 1")
  }

  @Test("an operation that takes too long keeps its units until it has ended")
  func timeout() {
    let (scenario, r) = staffed(1)
    scenario.submit(
      [.init("a", claims: r, timeout: .seconds(1)), .init("b", claims: r)],
      "dispatch a to 1 as attempt 1"
    )
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.pass(.seconds(1), "signal 1 with 15")
    scenario.exit(
      1,
      "settle a timedOut by timeout in attempt 1 on 1",
      "dispatch b to 2 as attempt 1"
    )
  }

  @Test("what is given back unstarted gives its units back")
  func returned() {
    let scenario = Scenario()
    let r = [scenario.machine.dispatcher.addResource(capacity: 1)]
    scenario.submit(
      [.init("a", claims: r), .init("b", claims: r)],
      "spawn 1 of 0"
    )
    scenario.greet(1, as: .full, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.cancel("a", "ask 1 to stop a")
    scenario.answer(
      "a",
      .cancelled,
      "settle a cancelled by request",
      "dispatch b to 1 as attempt 1"
    )
  }

  @Test("an operation with claims is never prefetched behind another one, however short")
  func neverHeld() {
    let scenario = Scenario()
    scenario.expectShort()
    let r = [scenario.machine.dispatcher.addResource(capacity: 9)]
    scenario.submit([.init("a"), .init("b", claims: r), .init("c")], "spawn 1 of 0")
    scenario.greet(1, as: .full, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.execute("a", then: "dispatch b to 1 as attempt 1", "dispatch c to 1 as attempt 1")
  }

  @Test("no units are taken by what cannot be dispatched for want of a worker or of width")
  func notYet() {
    let (scenario, r) = staffed(1, workers: 2)
    let other = scenario.machine.addQueue(to: scenario.fleet)
    scenario.widen(to: 1, in: other)
    scenario.submit([.init("x")], in: other, "dispatch x to 1 as attempt 1")
    scenario.submit([.init("a", claims: r)], in: other)
    #expect(scenario.machine.dispatcher.resources[r[0]].inUse == 0)
    scenario.execute("x", then: "dispatch a to 1 as attempt 1")
    #expect(scenario.machine.dispatcher.resources[r[0]].inUse == 1)
  }

  @Test("a resource's number, and the place of its claims, are used again")
  func numbers() {
    let (scenario, r) = staffed(1)
    scenario.submit([.init("a", claims: r)], "dispatch a to 1 as attempt 1")
    scenario.execute("a")
    scenario.release("a")
    scenario.machine.dispatcher.removeResource(r[0])
    #expect(scenario.machine.dispatcher.addResource(capacity: 2) == r[0])
    scenario.submit(
      [.init("b", claims: r), .init("c", claims: r)],
      "dispatch b to 1 as attempt 1",
      "dispatch c to 2 as attempt 1"
    )
  }
}
