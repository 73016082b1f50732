import PoolModel
import Testing

@testable import PoolCore

/// How long workers may take to greet where many are started, one after the other.
@Suite("Greetings")
struct GreetingScenarios {
  private static let timeout = PoolPolicy().greetingTimeout

  private func starting() -> Scenario {
    let scenario = Scenario(workers: 3)
    scenario.submit(
      [.init("a"), .init("b"), .init("c")],
      "spawn 1 of 0",
      "spawn 2 of 0",
      "spawn 3 of 0"
    )
    return scenario
  }

  @Test("a worker has its time from the latest greeting of a worker that was started before it")
  func behind() {
    let scenario = starting()
    scenario.pass(Self.timeout - 1)
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.pass(1)
    scenario.pass(Self.timeout - 2)
    scenario.greet(2, "dispatch b to 2 as attempt 1")
    scenario.pass(1)
    scenario.pass(Self.timeout - 2)
    scenario.pass(1, "signal 3 with 9 for greeting")
  }

  @Test("a worker has no more time because of those that were started after it")
  func ahead() {
    let scenario = starting()
    scenario.pass(Self.timeout - 1)
    scenario.greet(2, "announce 0", "dispatch a to 2 as attempt 1")
    scenario.pass(1, "signal 1 with 9 for greeting")
    scenario.greet(3, "dispatch b to 3 as attempt 1")
  }

  @Test("a worker has the time of its configuration, also behind the greeting of another")
  func ownTime() {
    var configuration = ConfigurationSpec(count: 2)
    configuration.greetingTimeout = 2 * Self.timeout
    let scenario = Scenario(configurations: [configuration])
    scenario.submit([.init("a"), .init("b")], "spawn 1 of 0", "spawn 2 of 0")
    scenario.pass(2 * Self.timeout - 1)
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.pass(1)
    scenario.pass(2 * Self.timeout - 2)
    scenario.pass(1, "signal 2 with 9 for greeting")
  }
}
