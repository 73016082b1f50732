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
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    limit(scenario, to: 2, then: "spawn 2 of 0")
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
