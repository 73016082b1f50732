import PoolModel
import Testing

@testable import PoolCore

/// An operation under which workers die harms no other, and is soon quarantined.
@Suite("Suspects and quarantine")
struct QuarantineScenarios {
  /// A scenario whose one worker has died executing `a`; `b` waits, and may be prefetched behind
  /// it.
  private func suspected(retries: Int = 9, policy: PoolPolicy = PoolPolicy()) -> Scenario {
    let scenario = Scenario(policy: policy)
    scenario.expectShort()
    scenario.submit([.init("a", retries: retries)], "spawn 1 of 0")
    scenario.greet(1, as: .full, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.exit(
      1,
      "blame a for 1",
      "retry a lost by workerDied in attempt 1 on 1",
      "spawn 2 of 0"
    )
    return scenario
  }

  @Test("a suspect is tried again alone: nothing waits behind it until it has answered")
  func alone() {
    let scenario = suspected()
    scenario.submit([.init("b"), .init("c")])
    scenario.greet(2, as: .full, "dispatch a to 2 as attempt 2")
    scenario.start("a", "a executes on 2 as attempt 2")
    scenario.answer(
      "a",
      .succeeded,
      "settle a succeeded by answer in attempt 2 on 2",
      "dispatch b to 2 as attempt 1",
      "dispatch c to 2 as attempt 1"
    )
  }

  @Test("a suspect waits for a worker that has executed nothing, and others need not wait for it")
  func fresh() {
    let scenario = Scenario(workers: 2)
    scenario.staff(2)
    scenario.submit([.init("a", retries: 1)], "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.exit(
      1,
      "blame a for 1",
      "retry a lost by workerDied in attempt 1 on 1",
      "spawn 3 of 0"
    )
    scenario.submit([.init("b")], "dispatch b to 2 as attempt 1")
    scenario.execute("b")
    scenario.greet(3, "dispatch a to 3 as attempt 2")
  }

  @Test("where all workers have executed something, one that has nothing to do makes room")
  func makesRoom() {
    let scenario = Scenario(workers: 2)
    scenario.staff(2)
    scenario.submit(
      [.init("a", retries: 1), .init("b"), .init("c")],
      "dispatch a to 1 as attempt 1",
      "dispatch b to 2 as attempt 1"
    )
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.exit(
      1,
      "blame a for 1",
      "retry a lost by workerDied in attempt 1 on 1",
      "spawn 3 of 0"
    )
    // The fresh one serves another suspect first, and is not fresh any more.
    scenario.addGate("a")
    scenario.greet(3, "dispatch c to 3 as attempt 1")
    scenario.execute("c")
    scenario.openGate("a", "retire 3")
    scenario.execute("b")
    scenario.exit(3, "spawn 4 of 0")
    scenario.greet(4, "dispatch a to 4 as attempt 2")
  }

  @Test("busy workers hold nothing while a suspect that comes first lacks a fresh one")
  func holdsNothing() {
    let scenario = suspected()
    scenario.addGate("a")
    scenario.submit((0..<3).map { .init("\($0)") })
    scenario.greet(
      2,
      as: .full,
      "dispatch 0 to 2 as attempt 1",
      "dispatch 1 to 2 as attempt 1",
      "dispatch 2 to 2 as attempt 1"
    )
    scenario.openGate("a")
    scenario.submit([.init("late")])
    for name in 0..<2 { scenario.execute("\(name)") }
    scenario.start("2", "2 executes on 2 as attempt 1")
    scenario.answer("2", .succeeded, "settle 2 succeeded by answer in attempt 1 on 2", "retire 2")
    scenario.exit(2, "spawn 3 of 0")
    scenario.greet(3, as: .full, "dispatch a to 3 as attempt 2")
  }

  @Test("an operation that kills worker after worker is set aside, whatever retries are left")
  func quarantine() {
    let scenario = suspected()
    scenario.greet(2, "dispatch a to 2 as attempt 2")
    scenario.start("a", "a executes on 2 as attempt 2")
    scenario.exit(
      2,
      "blame a for 2",
      "retry a lost by workerDied in attempt 2 on 2",
      "spawn 3 of 0"
    )
    scenario.submit([.init("b", after: ["a"], when: .failed)])
    scenario.greet(3, "dispatch a to 3 as attempt 3")
    scenario.start("a", "a executes on 3 as attempt 3")
    scenario.exit(
      3,
      "blame a for 3",
      "settle a lost by quarantined in attempt 3 on 3",
      "spawn 4 of 0"
    )
    scenario.greet(4, "dispatch b to 4 as attempt 1")
  }

  @Test("an operation under which workers die before they begin it is set aside too")
  func unstarted() {
    var policy = PoolPolicy()
    policy.restartLimit = 100
    policy.restartDelay = 0
    let scenario = Scenario(policy: policy)
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.exit(1, "blame a for 1", "spawn 2 of 0")
    scenario.pass(.seconds(9))
    scenario.greet(2, "dispatch a to 2 as attempt 1")
    scenario.pass(.seconds(20))
    scenario.exit(2, "blame a for 2", "spawn 3 of 0")
    scenario.greet(3, "dispatch a to 3 as attempt 1")
    scenario.exit(3, "blame a for 3", "settle a lost by quarantined on 3")
  }

  @Test("a death by the teardown sequence is no operation's fault, nor the next one's")
  func teardown() {
    let scenario = Scenario()
    scenario.submit([.init("a", timeout: .seconds(1), retries: 1)], "spawn 1 of 0")
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.pass(.seconds(1), "signal 1 with 15")
    scenario.exit(1, "retry a timedOut by timeout in attempt 1 on 1", "spawn 2 of 0")
    #expect(scenario.machine.dispatcher.suspects.deaths.isEmpty)
  }

  @Test("where no fresh worker will ever come, a suspect takes any")
  func exhausted() {
    let scenario = Scenario(workers: 2)
    scenario.staff(2)
    scenario.submit([.init("a", retries: 1)], "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.machine.supervisor.configurations[ConfigurationID(0)].exhaust()
    scenario.exit(
      1,
      "blame a for 1",
      "retry a lost by workerDied in attempt 1 on 1",
      // Exhausted by a time limit, which no death has told before.
      "give up 0",
      "dispatch a to 2 as attempt 2"
    )
  }

  @Test("a suspect whose workers are given up has others asked what they serve")
  func unclaimed() {
    var policy = PoolPolicy()
    policy.restartLimit = 0
    let kinds = [KindID(rawValue: 0)]
    let configurations = [ConfigurationSpec(count: 1, kinds: kinds), ConfigurationSpec(count: 1)]
    let scenario = Scenario(configurations: configurations, policy: policy)
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.exit(1, "blame a for 1", "give up 0", "spawn 2 of 1")
    scenario.greet(2, kinds: kinds, "announce 1", "dispatch a to 2 as attempt 1")
  }
}
