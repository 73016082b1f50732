import PoolModel
import Testing

@testable import PoolCore

/// A run is held up, or ended, from outside.
@Suite("Stopping")
struct StoppingScenarios {
  /// `a` executes and `b` is held behind it; `c` waits for both.
  private func busy(retries: Int = 0) -> Scenario {
    let scenario = Scenario()
    scenario.expectShort()
    scenario.submit(
      [.init("a", retries: retries), .init("b"), .init("c", after: ["a", "b"])],
      "spawn 1 of 0"
    )
    scenario.greet(
      1,
      as: .full,
      "announce 0",
      "dispatch a to 1 as attempt 1",
      "dispatch b to 1 as attempt 1"
    )
    scenario.start("a", group: 77, "a executes on 1 as attempt 1")
    return scenario
  }

  @Test("drained, a queue finishes what executes, and nothing else")
  func drained() {
    let scenario = busy()
    scenario.drain("ask 1 to stop b", "settle c cancelled by request")
    scenario.answer("b", .cancelled, "settle b cancelled by request")
    scenario.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1")
    #expect(scenario.machine.unsettledCount == 0)
  }

  @Test("what executes is not tried again in a queue that is drained")
  func retries() {
    let scenario = busy(retries: 3)
    scenario.drain("ask 1 to stop b", "settle c cancelled by request")
    scenario.answer("b", .cancelled, "settle b cancelled by request")
    scenario.answer("a", .failed, "settle a failed by answer in attempt 1 on 1")
  }

  @Test("an operation that a worker may have begun counts as begun")
  func begun() {
    let scenario = Scenario()
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.drain()
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1")
  }

  @Test("a signal is passed on to workers and to the groups of their commands, then this one stops")
  func signals() {
    let scenario = busy()
    scenario.passSignal(20, "pass 20 to 1", "pass 20 to group 77", "stop")
    scenario.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1")
  }

  @Test("the curfew comes once, and is the next deadline until then")
  func curfew() {
    let scenario = Scenario()
    scenario.setCurfew(in: 1_000)
    #expect(scenario.machine.nextDeadline == scenario.now.advanced(by: 1_000))
    scenario.pass(999)
    scenario.pass(1, "curfew")
    scenario.pass(1_000)
    #expect(scenario.machine.nextDeadline == nil)
  }
}

extension Scenario {
  fileprivate func drain(_ expected: String..., at place: Place = #_sourceLocation) {
    expect(expected, place) { [queue] machine, now in machine.drain(queue, at: now) }
  }

  fileprivate func passSignal(
    _ signal: Int32,
    _ expected: String...,
    at place: Place = #_sourceLocation
  ) {
    expect(expected, place) { machine, _ in
      machine.passSignal(signal)
      machine.stopProcess()
    }
  }

  fileprivate func setCurfew(in length: Int64, at place: Place = #_sourceLocation) {
    expect([], place) { machine, now in machine.setCurfew(now.advanced(by: length)) }
  }
}
