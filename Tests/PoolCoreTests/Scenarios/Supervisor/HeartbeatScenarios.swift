import PoolModel
import Testing

@testable import PoolCore

/// A worker that executes and says nothing is asked whether it is there, and killed if it is not.
@Suite("Heartbeats")
struct HeartbeatScenarios {
  private func executing(_ answersPings: Bool = true, timeout: Int64? = nil) -> Scenario {
    let scenario = Scenario()
    scenario.submit([.init("a", timeout: timeout)], "spawn 1 of 0")
    var capabilities = Set<Capability>.full
    if answersPings { capabilities.insert(.ping) }
    scenario.greet(1, as: capabilities, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    return scenario
  }

  @Test("a worker that says nothing is asked, and killed when it goes on saying nothing")
  func silence() {
    let scenario = executing()
    scenario.pass(.seconds(10) - 1)
    scenario.pass(1, "ping 1")
    scenario.pass(.seconds(30) - 1)
    scenario.pass(1, "signal 1 with 9 for silence")
    scenario.pass(.seconds(600))
    scenario.exit(
      1,
      "blame a for 1",
      "settle a lost by workerDied in attempt 1 on 1"
    )
  }

  @Test("whatever a worker says counts, and it is asked again only after it was silent again")
  func answers() {
    let scenario = executing()
    scenario.pass(.seconds(9))
    scenario.pause(1)
    scenario.pass(.seconds(1))
    scenario.pass(.seconds(9), "ping 1")
    scenario.pass(.seconds(29))
    scenario.pause(1)
    scenario.pass(.seconds(10), "ping 1")
    scenario.pause(1)
    scenario.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1")
    scenario.pass(.seconds(600))
    #expect(scenario.machine.nextDeadline == nil)
  }

  @Test("a worker that cannot be asked is not held to it")
  func minimal() {
    let scenario = executing(false)
    scenario.pass(.seconds(600))
    #expect(scenario.machine.nextDeadline == nil)
  }

  @Test("a timeout comes first where it is shorter, and then the teardown sequence is all there is")
  func timeout() {
    let scenario = executing(timeout: .seconds(11))
    scenario.pass(.seconds(10), "ping 1")
    scenario.pass(.seconds(1), "ask 1 to stop a")
    scenario.pass(.seconds(2), "signal 1 with 15")
    scenario.pass(.seconds(1), "signal 1 with 9")
    scenario.exit(1, "settle a timedOut by timeout in attempt 1 on 1")
  }

  @Test("a coordinator that comes late gives workers the time that they had left")
  func absence() {
    let scenario = executing()
    scenario.pass(.seconds(10), "ping 1")
    scenario.comeLate(.seconds(500))
    scenario.pass(.seconds(10), "ping 1")
    scenario.pass(.seconds(30), "signal 1 with 9 for silence")
  }

  @Test("an absence is not held against one that is to greet, or to end")
  func otherDeadlines() {
    let scenario = Scenario(workers: 2)
    scenario.submit([.init("a"), .init("b")], "spawn 1 of 0", "spawn 2 of 0")
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.hangUp(1)
    scenario.comeLate(.seconds(100))
    scenario.pass(.seconds(1) - 1)
    scenario.pass(1, "signal 1 with 9 for end")
    scenario.pass(.seconds(8), "signal 2 with 9 for greeting")
  }

  @Test("an absence does not lengthen an operation's time")
  func operations() {
    let scenario = executing(timeout: .seconds(5))
    scenario.comeLate(.seconds(60), "ask 1 to stop a")
    scenario.pass(.seconds(2), "signal 1 with 15")
  }
}
