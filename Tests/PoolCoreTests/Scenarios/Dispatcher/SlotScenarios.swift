import PoolModel
import Testing

@testable import PoolCore

/// An operation of several slots takes that much of its queue's width and its fleet's places.
@Suite("Slots")
struct SlotScenarios {
  private func staffed(_ workers: UInt32, width: Int = .max) -> Scenario {
    let scenario = Scenario(workers: Int(workers))
    scenario.staff(workers)
    // One that was overtaken once reserves what becomes free.
    scenario.machine.dispatcher.overtaking.patience = 1
    scenario.machine.change(.width(width, of: scenario.queue))
    return scenario
  }

  @Test("one of two slots leaves one of a width of three")
  func twoOfThree() {
    let scenario = staffed(4, width: 3)
    scenario.submit(
      [.init("w", slots: 2), .init("a"), .init("b")],
      "dispatch w to 1 as attempt 1",
      "dispatch a to 2 as attempt 1"
    )
    scenario.execute("w", then: "dispatch b to 1 as attempt 1")
  }

  @Test("one that needs more than the width has it for itself")
  func wider() {
    let scenario = staffed(4, width: 2)
    scenario.submit(
      [.init("a"), .init("w", slots: 9), .init("b"), .init("c")],
      "dispatch a to 1 as attempt 1",
      "dispatch b to 2 as attempt 1"
    )
    scenario.execute("a")
    scenario.execute("b", then: "dispatch w to 1 as attempt 1")
    scenario.execute("w", then: "dispatch c to 1 as attempt 1")
  }

  @Test("one that finds too few slots holds back nobody, until it was overtaken too often")
  func noStarvation() {
    let scenario = staffed(4, width: 3)
    scenario.submit(
      [.init("a"), .init("b"), .init("w", slots: 2), .init("c"), .init("d")],
      "dispatch a to 1 as attempt 1",
      "dispatch b to 2 as attempt 1",
      "dispatch c to 3 as attempt 1"
    )
    scenario.submit([.init("u", .high)])
    scenario.execute("a", then: "dispatch u to 1 as attempt 1")
    scenario.execute("b")
    scenario.execute("c", then: "dispatch w to 2 as attempt 1")
    scenario.execute("u", then: "dispatch d to 1 as attempt 1")
  }

  @Test("those that are alike wait for slots in order")
  func wideInOrder() {
    let scenario = staffed(4, width: 4)
    scenario.submit(
      [.init("a", slots: 3), .init("u", slots: 2), .init("v", slots: 2), .init("w", slots: 2)],
      "dispatch a to 1 as attempt 1"
    )
    scenario.submit([.init("x", .high, slots: 2)])
    scenario.execute("a", then: "dispatch x to 1 as attempt 1", "dispatch u to 2 as attempt 1")
    scenario.execute("x", then: "dispatch v to 1 as attempt 1")
    scenario.cancel("w", "settle w cancelled by request")
    scenario.execute("u")
    scenario.execute("v")
  }

  @Test("across the queues of a fleet one of several slots takes places of its workers")
  func places() {
    let scenario = staffed(3)
    let other = scenario.machine.addQueue(to: scenario.fleet)
    scenario.submit([.init("w", slots: 2)], "dispatch w to 1 as attempt 1")
    scenario.submit([.init("a"), .init("b")], in: other, "dispatch a to 2 as attempt 1")
    // It finds one place too few, and is overtaken.
    scenario.submit([.init("v", .high, slots: 2)])
    scenario.execute("a", then: "dispatch b to 2 as attempt 1")
    scenario.submit([.init("c")], in: other)
    scenario.execute("b")
    scenario.execute("w", then: "dispatch v to 1 as attempt 1", "dispatch c to 2 as attempt 1")
  }

  @Test("one that needs more slots than there are waits until all are free")
  func morePlaces() {
    let scenario = staffed(2)
    let other = scenario.machine.addQueue(to: scenario.fleet)
    scenario.submit([.init("a")], in: other, "dispatch a to 1 as attempt 1")
    scenario.submit([.init("w", slots: 5), .init("b")], "dispatch b to 2 as attempt 1")
    scenario.submit([.init("c")], in: other)
    scenario.execute("a")
    scenario.execute("b", then: "dispatch w to 1 as attempt 1")
    scenario.execute("w", then: "dispatch c to 1 as attempt 1")
  }

  @Test("the room that was kept for one that is cancelled, or suspended, is free for others")
  func reservationEnds() {
    let scenario = staffed(3, width: 3)
    let other = scenario.machine.addQueue(to: scenario.fleet)
    scenario.submit(
      [.init("a"), .init("b"), .init("w", slots: 3)],
      "dispatch a to 1 as attempt 1",
      "dispatch b to 2 as attempt 1"
    )
    scenario.submit([.init("c")], "dispatch c to 3 as attempt 1")
    scenario.execute("c")
    scenario.submit([.init("e")])
    scenario.cancel("w", "settle w cancelled by request", "dispatch e to 3 as attempt 1")
    scenario.execute("e")
    scenario.widen(to: 9)
    scenario.submit([.init("v", slots: 3), .init("x")], "dispatch x to 3 as attempt 1")
    scenario.execute("x")
    scenario.submit([.init("d")], in: other)
    let (_, effects) = scenario.context { machine, _ in
      machine.change(.suspended(true, scenario.queue))
    }
    #expect(effects == ["dispatch d to 3 as attempt 1"])
    scenario.execute("d")
    scenario.resume()
    scenario.execute("a")
    scenario.execute("b", then: "dispatch v to 1 as attempt 1")
  }

  @Test("kinds that come later in the order do not slip through while room is kept")
  func otherKind() {
    let kinds = [KindID(rawValue: 0), KindID(rawValue: 1)]
    let scenario = Scenario(kinds: 2, configurations: [ConfigurationSpec(count: 3, kinds: kinds)])
    scenario.staff(3)
    scenario.machine.dispatcher.overtaking.patience = 1
    // The kind queue of the second kind was made first, and is looked at first.
    scenario.submit([.init("z", kind: 1)], "dispatch z to 1 as attempt 1")
    scenario.execute("z")
    let other = scenario.machine.addQueue(to: scenario.fleet)
    scenario.submit([.init("y", kind: 1)], in: other, "dispatch y to 1 as attempt 1")
    scenario.submit([.init("x")], in: other, "dispatch x to 2 as attempt 1")
    scenario.suspend(in: other)
    let waiting: [Scenario.Plan] = [
      .init("w", slots: 2), .init("b", kind: 1), .init("c", kind: 1),
    ]
    scenario.submit(waiting, in: other)
    scenario.resume(in: other, "dispatch b to 3 as attempt 1")
    scenario.execute("x")
    scenario.execute("y", then: "dispatch w to 1 as attempt 1")
    scenario.execute("b", then: "dispatch c to 2 as attempt 1")
  }

  @Test("a small one for which room was kept once keeps none when it is retried")
  func smallReservation() {
    let kinds = [KindID(rawValue: 0), KindID(rawValue: 1)]
    let configurations = kinds.map { ConfigurationSpec(count: 2, kinds: [$0]) }
    let scenario = Scenario(kinds: 2, configurations: configurations)
    scenario.submit([.init("w", slots: 4), .init("v", kind: 1)], "spawn 1 of 0", "spawn 2 of 1")
    scenario.greet(1, kinds: [kinds[0]], "announce 0", "dispatch w to 1 as attempt 1")
    // All places are taken, so room is kept for `v`.
    scenario.greet(2, kinds: [kinds[1]], "announce 1")
    scenario.execute("w", then: "dispatch v to 2 as attempt 1")
    scenario.exit(2, "blame v for 2", "spawn 3 of 1")
    // No worker serves `v` now; all slots are free.
    scenario.submit([.init("a")], "dispatch a to 1 as attempt 1")
  }

  @Test("one with room for it, but without a worker, delays no other")
  func roomWithoutWorker() {
    let kinds = [KindID(rawValue: 0), KindID(rawValue: 1)]
    let configurations = kinds.map { ConfigurationSpec(count: 1, kinds: [$0]) }
    let scenario = Scenario(kinds: 2, configurations: configurations)
    scenario.submit([.init("w", slots: 2), .init("x", kind: 1)], "spawn 1 of 0", "spawn 2 of 1")
    scenario.greet(1, kinds: [kinds[0]], "announce 0", "dispatch w to 1 as attempt 1")
    scenario.greet(2, kinds: [kinds[1]], "announce 1")
    scenario.submit([.init("y", .high, kind: 1)])
    // Room was kept for `x`, then for `y`; that is executed, and `x` lacks a worker only.
    scenario.execute("w", then: "dispatch y to 2 as attempt 1")
    scenario.submit([.init("a")], "dispatch a to 1 as attempt 1")
  }

  @Test("operations in the coordinator's own process take no slots of workers")
  func inProcess() {
    let kinds = [KindID(rawValue: 0), KindID(rawValue: 1)]
    var local = ConfigurationSpec(count: 2, kinds: [kinds[1]])
    local.executesBlocks = true
    let configurations = [ConfigurationSpec(count: 1, kinds: [kinds[0]]), local]
    let scenario = Scenario(kinds: 2, configurations: configurations)
    scenario.submit([.init("w", slots: 4, kind: 1), .init("a")], "spawn 1 of 0", "spawn 2 of 1")
    scenario.greet(2, kinds: [kinds[1]], "announce 1", "dispatch w to 2 as attempt 1")
    scenario.greet(1, kinds: [kinds[0]], "announce 0", "dispatch a to 1 as attempt 1")
    scenario.execute("w")
    scenario.execute("a")
    #expect(scenario.machine.dispatcher.fleets[scenario.fleet].extraSlots == 0)
  }

  @Test("room that was kept for one that has to wait after all is free at once")
  func keptInVain() {
    let scenario = staffed(3, width: 2)
    scenario.create(.init("x"))
    scenario.submit([.init("r")], "dispatch r to 1 as attempt 1")
    scenario.submit(
      [.init("w", slots: 2), .init("b"), .init("c")],
      "dispatch b to 2 as attempt 1"
    )
    scenario.execute("b")
    scenario.link("w", after: "x", .finished, "dispatch c to 2 as attempt 1")
  }

  @Test("one that inherits a priority above the one with reserved room begins at once")
  func lentAboveReserved() {
    let scenario = staffed(3, width: 2)
    scenario.create(Scenario.Plan(name: "h", priority: .veryHigh, raises: true))
    scenario.submit([.init("r")], "dispatch r to 1 as attempt 1")
    scenario.submit(
      [.init("w", slots: 2), .init("b"), .init("c")],
      "dispatch b to 2 as attempt 1"
    )
    scenario.execute("b")
    scenario.link("h", after: "c", .finished, "dispatch c to 2 as attempt 1")
  }
}
