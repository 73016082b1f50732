import PoolModel
import Testing

@testable import PoolCore

/// What is known of workers that a run has to do without for now.
@Suite("Pending and lost workers")
struct PendingScenarios {
  private func scenario(limit: Int64?) -> Scenario {
    var spec = ConfigurationSpec(count: 1)
    spec.isFar = true
    spec.greetingTimeout = limit
    let scenario = Scenario(configurations: [spec])
    scenario.submit([.init("a"), .init("b")], "spawn 1 of 0")
    return scenario
  }

  private func census(_ scenario: Scenario) -> WorkerCensus {
    scenario.machine.supervisor.census(of: scenario.fleet)[0]
  }

  @Test("without a limit, a worker may be silent for days, and is pending")
  func pending() {
    let scenario = scenario(limit: .max)
    #expect(census(scenario).mayPend && census(scenario).starting == 1)
    scenario.pass(.seconds(1_000_000))
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    #expect(census(scenario).starting == 0)
    #expect(!census(self.scenario(limit: .seconds(60))).mayPend)
  }

  @Test("a place whose workers are all gone says when one is started again")
  func lost() {
    let scenario = scenario(limit: .max)
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.answer(
      "a",
      .succeeded,
      "settle a succeeded by answer in attempt 1 on 1",
      "dispatch b to 1 as attempt 1"
    )
    #expect(census(scenario).restartAt == nil)
    scenario.exit(1, "blame b for 1", "spawn 2 of 0")
    #expect(census(scenario).restartAt == nil, "it is started at once")
    scenario.exit(2, "go on with 0")
    let restartAt = census(scenario).restartAt
    #expect(restartAt.map { $0 > scenario.now } == true)
    scenario.now = restartAt ?? scenario.now
    scenario.expect(["spawn 3 of 0"], #_sourceLocation) { $0.fireTimers(at: $1) }
    #expect(census(scenario).restartAt == nil)
  }
}
