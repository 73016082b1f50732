import PoolModel
import Testing

@testable import PoolCore

/// A timeout that follows from how long others took.
@Suite("Relative timeouts")
struct RelativeTimeoutScenarios {
  /// One worker, after so many executions of a second each, executes `last`.
  private func executing(
    after count: Int,
    timeout: Int64? = nil,
    measured elapsed: Int64? = nil
  ) -> Scenario {
    var policy = PoolPolicy()
    policy.relativeTimeout = RelativeTimeout(percent: 200)
    let scenario = Scenario(policy: policy)
    let names = (0..<count).map { "a\($0)" }
    scenario.submit(
      names.map { .init($0) } + [.init(name: "last", after: names, timeout: timeout)],
      "spawn 1 of 0"
    )
    for (index, name) in names.enumerated() {
      let dispatch = "dispatch \(name) to 1 as attempt 1"
      if index == 0 { scenario.greet(1, "announce 0", dispatch) }
      scenario.start(name, "\(name) executes on 1 as attempt 1")
      scenario.pass(.seconds(1))
      let next = index + 1 < count ? names[index + 1] : "last"
      scenario.answer(
        name,
        .succeeded,
        "settle \(name) succeeded by answer in attempt 1 on 1",
        "dispatch \(next) to 1 as attempt 1",
        elapsed: elapsed
      )
    }
    scenario.start("last", "last executes on 1 as attempt 1")
    return scenario
  }

  @Test("nothing is too long before three have succeeded")
  func tooFew() {
    let scenario = executing(after: 2)
    scenario.pass(.seconds(1_000))
    #expect(scenario.machine.nextDeadline == nil)
  }

  @Test("then twice the median is the limit")
  func limit() {
    let scenario = executing(after: 3)
    scenario.pass(.milliseconds(1_999))
    scenario.pass(.milliseconds(65), "signal 1 with 15")
  }

  @Test("what the workers have measured counts, though it was heard of late")
  func measured() {
    let scenario = executing(after: 3, measured: .milliseconds(600))
    scenario.pass(.milliseconds(1_199))
    scenario.pass(.milliseconds(40), "signal 1 with 15")
  }

  @Test("what is short may take as long as messages and scheduling do")
  func short() {
    let scenario = executing(after: 3, measured: .milliseconds(1))
    scenario.pass(.milliseconds(999))
    scenario.pass(.milliseconds(33), "signal 1 with 15")
  }

  @Test("a timeout of the operation's own counts alone")
  func own() {
    let scenario = executing(after: 3, timeout: .seconds(7))
    scenario.pass(.milliseconds(6_999))
    scenario.pass(.milliseconds(1), "signal 1 with 15")
  }

  @Test("what began before there was a median is watched when there is one")
  func late() {
    var policy = PoolPolicy()
    policy.relativeTimeout = RelativeTimeout(percent: 200)
    let scenario = Scenario(workers: 2, policy: policy)
    scenario.submit(
      [.init("long"), .init("a"), .init("b", after: ["a"]), .init("c", after: ["b"])],
      "spawn 1 of 0",
      "spawn 2 of 0"
    )
    scenario.greet(1, "announce 0", "dispatch long to 1 as attempt 1")
    scenario.greet(2, "dispatch a to 2 as attempt 1")
    scenario.start("long", "long executes on 1 as attempt 1")
    for (name, next) in [("a", "b"), ("b", "c"), ("c", "")] {
      scenario.start(name, "\(name) executes on 2 as attempt 1")
      scenario.pass(.seconds(1))
      let settled = "settle \(name) succeeded by answer in attempt 1 on 2"
      if next.isEmpty {
        scenario.answer(name, .succeeded, settled)
      } else {
        scenario.answer(name, .succeeded, settled, "dispatch \(next) to 2 as attempt 1")
      }
    }
    scenario.pass(0, "signal 1 with 15")
  }
}
