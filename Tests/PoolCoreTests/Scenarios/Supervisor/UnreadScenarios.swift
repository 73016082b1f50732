import PoolModel
import Testing

@testable import PoolCore

/// A worker that is not read, on purpose, is not blamed for what it may have said.
@Suite("Workers that are not read")
struct UnreadScenarios {
  private func executing(timeout: Int64? = nil) -> Scenario {
    let scenario = Scenario()
    scenario.submit([.init("a", timeout: timeout)], "spawn 1 of 0")
    var capabilities = Set<Capability>.full
    capabilities.insert(.ping)
    scenario.greet(1, as: capabilities, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    return scenario
  }

  @Test("it is neither asked nor killed, and asked as usual once it is read again")
  func heartbeat() {
    let scenario = executing()
    scenario.pass(.seconds(9))
    scenario.read(1, false)
    scenario.pass(.seconds(600))
    scenario.read(1, true)
    scenario.pass(.seconds(10) - 1)
    scenario.pass(1, "ping 1")
    scenario.pass(.seconds(30), "signal 1 with 9 for silence")
  }

  @Test("a ping that it may have answered does not count")
  func pinged() {
    let scenario = executing()
    scenario.pass(.seconds(10), "ping 1")
    scenario.read(1, false)
    scenario.pass(.seconds(600))
    scenario.read(1, true)
    scenario.pass(.seconds(9))
    scenario.pass(.seconds(1), "ping 1")
  }

  @Test("the time does not count for a timeout, however often, and is forgotten with the operation")
  func timeout() {
    let scenario = executing(timeout: .seconds(5))
    scenario.pass(.seconds(1))
    for _ in 0..<2 {
      scenario.read(1, false)
      scenario.pass(.seconds(100))
      scenario.read(1, true)
      scenario.pass(.seconds(1))
    }
    scenario.pass(.seconds(2) - 1)
    scenario.pass(1, "ask 1 to stop a")
  }

  @Test("the next operation has no more time than its own")
  func next() {
    let scenario = executing(timeout: .seconds(5))
    scenario.read(1, false)
    scenario.pass(.seconds(100))
    scenario.read(1, true)
    scenario.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1")
    scenario.submit([.init("b", timeout: .seconds(5))], "dispatch b to 1 as attempt 1")
    scenario.start("b", "b executes on 1 as attempt 1")
    scenario.pass(.seconds(5) - 1)
    scenario.pass(1, "ask 1 to stop b")
  }

  @Test("cancelling goes its way, read or not")
  func cancel() {
    let scenario = executing()
    scenario.read(1, false)
    scenario.pass(.seconds(100))
    scenario.cancel("a", "ask 1 to stop a")
    #expect(scenario.timeLeft < .seconds(10))
  }

  @Test("before it has greeted, its time to greet does not run, either")
  func greeting() {
    let scenario = Scenario()
    scenario.submit([.init("a")], "spawn 1 of 0")
    let timeLeft = scenario.timeLeft
    scenario.pass(timeLeft - 1)
    scenario.read(1, false)
    scenario.pass(.seconds(600))
    scenario.read(1, true)
    #expect(scenario.timeLeft == 1)
  }
}
