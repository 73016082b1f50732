import PoolModel
import Testing

@testable import PoolCore

/// Contract: a worker configuration may have fewer workers from some moment on, none, or more
/// again; what executes is not disturbed, and what is ready goes elsewhere.
@Suite("Workers that are no longer wanted")
struct LimitScenarios {
  private let kind = [KindID(rawValue: 0)]
  private let first = ConfigurationID(rawValue: 0)

  private func limit(_ scenario: Scenario, to count: Int?, then effects: String...) {
    scenario.expect(effects, #_sourceLocation) { machine, now in
      machine.limitWorkers(of: ConfigurationID(rawValue: 0), to: count, at: now)
    }
  }

  /// Two configurations, of which the first has that many workers that have greeted.
  private func pair(_ count: Int) -> Scenario {
    let scenario = Scenario(configurations: [
      ConfigurationSpec(count: count, kinds: kind), ConfigurationSpec(count: 1, kinds: kind),
    ])
    return scenario
  }

  @Test("a withdrawn one gets nothing more; what it has goes on, then its workers end")
  func withdrawn() {
    let scenario = pair(2)
    scenario.submit(
      [.init("a"), .init("b"), .init("c")],
      "spawn 1 of 0",
      "spawn 2 of 0",
      "spawn 3 of 1"
    )
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    // The second has not greeted: nothing is lost with it.
    limit(scenario, to: 0, then: "retire 2")
    scenario.exit(2)
    scenario.greet(3, "announce 1", "dispatch b to 3 as attempt 1")
    scenario.execute("b", then: "dispatch c to 3 as attempt 1")
    scenario.answer(
      "a",
      .succeeded,
      "settle a succeeded by answer in attempt 1 on 1",
      "retire 1"
    )
    scenario.exit(1)
    scenario.submit([.init("d")])
    scenario.execute("c", then: "dispatch d to 3 as attempt 1")
    scenario.execute("d")
  }

  @Test("with fewer, idle workers end first, and busy ones after what they have")
  func fewer() {
    let scenario = Scenario(workers: 3)
    scenario.staff(3)
    scenario.submit(
      [.init("a"), .init("b")],
      "dispatch a to 1 as attempt 1",
      "dispatch b to 2 as attempt 1"
    )
    limit(scenario, to: 2, then: "retire 3")
    limit(scenario, to: 1)
    scenario.submit([.init("c")])
    scenario.execute("b", then: "retire 2")
    scenario.exit(3)
    scenario.exit(2)
    scenario.execute("a", then: "dispatch c to 1 as attempt 1")
  }

  @Test("one that comes back has as many as it may, while those before still end")
  func back() {
    let scenario = Scenario(workers: 2)
    scenario.staff(2)
    scenario.submit([.init("a")], "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    limit(scenario, to: 0, then: "retire 2")
    scenario.exit(2)
    limit(scenario, to: 2)
    // Of two, one still ends: one more may live.
    scenario.submit([.init("b"), .init("c")], "spawn 3 of 0")
    scenario.answer(
      "a",
      .succeeded,
      "settle a succeeded by answer in attempt 1 on 1",
      "retire 1"
    )
    scenario.exit(1, "spawn 4 of 0")
  }

  @Test("more than it was declared with are possible once one has greeted")
  func more() {
    let scenario = Scenario(workers: 1)
    scenario.submit([.init("a"), .init("b"), .init("c")], "spawn 1 of 0")
    limit(scenario, to: 2)
    scenario.greet(1, "announce 0", "spawn 2 of 0", "dispatch a to 1 as attempt 1")
    limit(scenario, to: 3, then: "spawn 3 of 0")
  }

  @Test("operations of some milliseconds are shared among the workers that take any")
  func shared() {
    #expect(PrefetchPolicy.few(ready: 9, workers: 0) == 0)
    #expect(PrefetchPolicy.few(ready: 9, workers: 2) == 2)
  }

  @Test("of a relay with many slots, no more have workers than the user allows, now and later")
  func capped() {
    var spec = ConfigurationSpec(count: 1, kinds: kind)
    spec.cap = 2
    let scenario = Scenario(configurations: [spec])
    let plans = (0..<9).map { Scenario.Plan("\($0)") }
    scenario.submit(plans, "spawn 1 of 0")
    scenario.greet(1, "announce 0", "spawn 2 of 0", "dispatch 0 to 1 as attempt 1")
    scenario.expect([], #_sourceLocation) { machine, _ in
      machine.widen(ConfigurationID(rawValue: 0), by: 1_023)
    }
    #expect(scenario.machine.dispatcher.fleets[scenario.fleet].slots == 2)
    limit(scenario, to: 4, then: "spawn 3 of 0", "spawn 4 of 0")
    #expect(scenario.machine.dispatcher.fleets[scenario.fleet].slots == 4)
  }

  @Test("slots of workers that still end are not missing elsewhere")
  func wide() {
    let scenario = Scenario(configurations: [
      ConfigurationSpec(count: 2, kinds: kind), ConfigurationSpec(count: 2, kinds: kind),
    ])
    scenario.submit(
      [.init("a"), .init("b")],
      "spawn 1 of 0",
      "spawn 2 of 0",
      "spawn 3 of 1",
      "spawn 4 of 1"
    )
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.greet(2, "dispatch b to 2 as attempt 1")
    limit(scenario, to: 0)
    #expect(scenario.machine.dispatcher.fleets[scenario.fleet].slots == 4)
    scenario.submit([.init("w", slots: 2)])
    scenario.greet(3, "announce 1", "dispatch w to 3 as attempt 1")
    scenario.execute("a", then: "retire 1")
    scenario.exit(1)
    #expect(scenario.machine.dispatcher.fleets[scenario.fleet].slots == 3)
  }

  @Test("with more alive than there may be, none more is ended for the sake of a suspect")
  func surplus() {
    let scenario = Scenario(workers: 2)
    scenario.staff(2)
    limit(scenario, to: 1, then: "retire 1")
    let first = ConfigurationID(rawValue: 0)
    #expect(scenario.machine.supervisor.freshSupply(of: first).coming == .max)
    scenario.exit(1)
    #expect(scenario.machine.supervisor.freshSupply(of: first).coming == 0)
  }

  @Test("workers that are added do not let wait what they do not serve")
  func added() {
    let other = [KindID(rawValue: 1)]
    let scenario = Scenario(kinds: 2, configurations: [ConfigurationSpec(count: 1, kinds: kind)])
    scenario.submit([.init("a", .normal, kind: 1)], "settle a failed by unservedKind")
    _ = scenario.machine.addConfiguration(
      ConfigurationSpec(count: 1, kinds: kind),
      to: scenario.fleet
    )
    scenario.submit([.init("b", .normal, kind: 1)], "settle b failed by unservedKind")
    _ = scenario.machine.addConfiguration(
      ConfigurationSpec(count: .max, kinds: other),
      to: scenario.fleet
    )
    scenario.submit([.init("c", .normal, kind: 1)], "spawn 1 of 2")
  }

  @Test("without a number, one that comes back has as many as there could be")
  func unlimited() {
    let scenario = Scenario(workers: 2)
    scenario.staff(1)
    limit(scenario, to: 0, then: "retire 1")
    scenario.exit(1)
    limit(scenario, to: nil)
    let life = scenario.machine.supervisor.configurations[first]
    #expect(life.limit == 2 && scenario.machine.dispatcher.configurations[first].spec.count == 2)
    limit(scenario, to: .max)
    #expect(scenario.machine.dispatcher.fleets[scenario.fleet].slots == 1 << 32)
  }

  @Test("where nothing else serves a kind, its operations fail with the last worker")
  func last() {
    let scenario = Scenario(workers: 1)
    scenario.staff(1)
    scenario.submit([.init("a"), .init("b")], "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    limit(scenario, to: 0)
    scenario.answer(
      "a",
      .succeeded,
      "settle a succeeded by answer in attempt 1 on 1",
      "retire 1"
    )
    scenario.exit(1, "settle b failed by noWorker")
    scenario.submit([.init("c")], "settle c failed by noWorker")
    limit(scenario, to: 1)
    scenario.submit([.init("d")], "spawn 2 of 0")
  }

  @Test("one that was given up, and is withdrawn and wanted again, is tried again")
  func readmitted() {
    let scenario = pair(1)
    scenario.submit([.init("a"), .init("b")], "spawn 1 of 0", "spawn 2 of 1")
    scenario.machine.supervisor.configurations[first].exhaust()
    scenario.exit(1, "give up 0")
    limit(scenario, to: 1)
    limit(scenario, to: 0)
    limit(scenario, to: 1, then: "try 0 again", "spawn 3 of 0")
  }
}
