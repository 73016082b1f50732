import PoolModel
import Testing

@testable import PoolCore

/// Queues that share a fleet, fleets that share nothing, and numbers that are used again.
@Suite("Fleets and queues")
struct FleetScenarios {
  private let kind = [KindID(rawValue: 0)]

  private func staffed(_ workers: UInt32) -> (Scenario, QueueID) {
    let scenario = Scenario(workers: Int(workers))
    scenario.staff(workers)
    return (scenario, scenario.machine.addQueue(to: scenario.fleet))
  }

  @Test("queues of one fleet share its workers, by priority, then by the order of submission")
  func order() {
    let (scenario, other) = staffed(1)
    scenario.submit([.init("a")], "dispatch a to 1 as attempt 1")
    scenario.submit([.init("b")], in: other)
    scenario.submit([.init("c"), .init("d", .low)])
    scenario.submit([.init("e", .high), .init("f")], in: other)
    scenario.execute("a", then: "dispatch e to 1 as attempt 1")
    scenario.execute("e", then: "dispatch b to 1 as attempt 1")
    scenario.execute("b", then: "dispatch c to 1 as attempt 1")
    scenario.execute("c", then: "dispatch f to 1 as attempt 1")
    scenario.execute("f", then: "dispatch d to 1 as attempt 1")
  }

  @Test("each queue has its own width, and what is held back by one lets others pass")
  func widths() {
    let (scenario, other) = staffed(3)
    scenario.widen(to: 1)
    scenario.widen(to: 2, in: other)
    scenario.submit([.init("a"), .init("b")], "dispatch a to 1 as attempt 1")
    scenario.submit(
      [.init("c"), .init("d"), .init("e")],
      in: other,
      "dispatch c to 2 as attempt 1",
      "dispatch d to 3 as attempt 1"
    )
    scenario.execute("c", then: "dispatch e to 2 as attempt 1")
    scenario.execute("a", then: "dispatch b to 1 as attempt 1")
  }

  @Test("one queue is suspended, cancelled and counted without the other")
  func suspension() {
    let (scenario, other) = staffed(1)
    scenario.suspend()
    scenario.submit([.init("a", .veryHigh), .init("b")])
    scenario.submit([.init("c"), .init("d")], in: other, "dispatch c to 1 as attempt 1")
    #expect(scenario.machine.dispatcher.isSuspended(scenario.queue) == true)
    #expect(scenario.machine.dispatcher.isSuspended(other) == false)
    scenario.cancelAll(in: other, "signal 1 with 15", "settle d cancelled by request")
    #expect(scenario.machine.graph.unsettledCount(of: scenario.queue) == 2)
    #expect(scenario.machine.graph.unsettledCount(of: other) == 1)
    #expect(scenario.machine.graph.operations(in: other) == [scenario.id("c")])
    scenario.exit(1, "settle c cancelled by request")
    scenario.resume("spawn 2 of 0")
  }

  @Test("dependencies go from queue to queue, and from fleet to fleet")
  func acrossDependencies() {
    let (scenario, other) = staffed(1)
    let (_, third) = scenario.addFleet(ConfigurationSpec(count: 1, kinds: kind))
    scenario.submit([.init("a")], "dispatch a to 1 as attempt 1")
    scenario.submit([.init("b", after: ["a"])], in: third)
    scenario.submit([.init("c", after: ["b"])], in: other)
    scenario.execute("a", then: "spawn 2 of 1")
    scenario.greet(2, "announce 1", "dispatch b to 2 as attempt 1")
    scenario.execute("b", then: "dispatch c to 1 as attempt 1")
  }

  @Test("a fleet's workers are its own, whatever waits elsewhere")
  func isolation() {
    let (scenario, _) = staffed(2)
    let (second, other) = scenario.addFleet(ConfigurationSpec(count: 1, kinds: kind))
    scenario.submit([.init("a"), .init("b")], in: other, "spawn 3 of 1")
    scenario.submit([.init("c")], "dispatch c to 1 as attempt 1")
    scenario.greet(3, "announce 1", "dispatch a to 3 as attempt 1")
    // A death there is made good there.
    scenario.exit(3, "blame a for 3", "spawn 4 of 1")
    #expect(scenario.machine.dispatcher.isKnown(second) == true)
    scenario.execute("c")
  }

  @Test("a kind that is not served in one fleet may be served in another")
  func unserved() {
    let both = [KindID(rawValue: 0), KindID(rawValue: 1)]
    let scenario = Scenario(kinds: 2, configurations: [ConfigurationSpec(count: 1, kinds: kind)])
    let (second, other) = scenario.addFleet(ConfigurationSpec(count: 1, kinds: both))
    #expect(scenario.machine.dispatcher.isUnserved(both[1], by: scenario.fleet) == true)
    #expect(scenario.machine.dispatcher.isUnserved(both[1], by: second) == false)
    scenario.submit([.init("a", kind: 1)], "settle a failed by unservedKind")
    scenario.submit([.init("b", kind: 1)], in: other, "spawn 1 of 1")
    scenario.greet(1, kinds: both, "announce 1", "dispatch b to 1 as attempt 1")
  }

  @Test("a worker configuration that is added later serves a kind that was not served")
  func laterConfiguration() {
    let scenario = Scenario(kinds: 1, configurations: [])
    scenario.submit([.init("a")])
    _ = scenario.machine.addConfiguration(
      ConfigurationSpec(count: 1, kinds: kind),
      to: scenario.fleet
    )
    scenario.expect(["spawn 1 of 0"], #_sourceLocation) { _, _ in }
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
  }

  @Test("an eager worker configuration starts all its workers at once")
  func eager() {
    var configuration = ConfigurationSpec(count: 2)
    configuration.isEager = true
    let scenario = Scenario(configurations: [configuration])
    scenario.expect(["spawn 1 of 0", "spawn 2 of 0"], #_sourceLocation) { _, _ in }
    scenario.greet(1, "announce 0")
    #expect(scenario.machine.dispatcher.isKnown(scenario.fleet) == true)
  }

  @Test("a fleet that is closed ends its own workers only, and is forgotten with the last")
  func close() {
    let (scenario, queue) = staffed(2)
    let (second, _) = scenario.addFleet(ConfigurationSpec(count: 1, kinds: kind))
    scenario.submit([.init("a")], "dispatch a to 1 as attempt 1")
    scenario.machine.change(.dropQueue(queue), at: scenario.now)
    #expect(scenario.machine.supervisor.fleetCount == 2)
    scenario.close(fleet: second, "forget 1")
    #expect(scenario.machine.supervisor.fleetCount == 1)
    scenario.close("retire 2")
    scenario.execute("a", then: "retire 1")
    scenario.exit(1)
    scenario.exit(2, "forget 0")
    #expect(scenario.machine.supervisor.fleetCount == 0)
    scenario.close()
  }

  @Test(
    "the numbers of a fleet, its worker configurations and its queues are used again, and name new ones"
  )
  func numbers() {
    let scenario = Scenario(kinds: 2)
    for round in UInt32(1)...5 {
      let configuration = ConfigurationSpec(count: 1, kinds: [KindID(rawValue: round % 2)])
      let (fleet, queue) = scenario.addFleet(configuration)
      #expect((fleet.rawValue, queue.rawValue) == (1, 1))
      let plan = Scenario.Plan("a", kind: Int(round % 2))
      scenario.submit([plan], in: queue, "spawn \(round) of 1")
      scenario.greet(round, "announce 1", "dispatch a to \(round) as attempt 1")
      scenario.machine.change(.width(1, of: queue))
      scenario.machine.change(.dropQueue(queue), at: scenario.now)
      scenario.execute("a")
      scenario.close(fleet: fleet, "retire \(round)")
      scenario.exit(round, "forget 1")
    }
    #expect(scenario.machine.dispatcher.queues.count == 2)
    #expect(scenario.machine.dispatcher.kindQueues.count == 1)
  }

  @Test("a queue that is dropped finishes its work, and then its number is another's")
  func dropped() {
    let (scenario, other) = staffed(1)
    scenario.submit([.init("a"), .init("b")], in: other, "dispatch a to 1 as attempt 1")
    scenario.expect([], #_sourceLocation) { $0.change(.dropQueue(other), at: $1) }
    #expect(scenario.machine.addQueue(to: scenario.fleet) != other)
    scenario.execute("a", then: "dispatch b to 1 as attempt 1")
    scenario.execute("b")
    #expect(scenario.machine.addQueue(to: scenario.fleet) == other)
  }

  @Test("a queue that is dropped after its fleet is dropped once, and means no later fleet")
  func droppedLate() {
    let scenario = Scenario()
    let (first, queue) = scenario.addFleet(ConfigurationSpec(count: 1, kinds: kind))
    scenario.create(.init("z"))
    scenario.submit([.init("a", after: ["z"])], in: queue)
    scenario.close(fleet: first, "forget 1")
    // The queue is still there; its operations have no workers, and can be cancelled.
    let (second, own) = scenario.addFleet(ConfigurationSpec(count: 1, kinds: kind))
    #expect(second != first)
    #expect(own != queue)
    scenario.conclude("z", as: .succeeded)
    scenario.cancelAll(in: queue, "settle a cancelled by request")
    scenario.machine.change(.dropQueue(queue), at: scenario.now)
    let (third, next) = scenario.addFleet()
    #expect((third, next) == (first, queue))
    #expect(scenario.machine.addQueue(to: third) != next)
  }
}
