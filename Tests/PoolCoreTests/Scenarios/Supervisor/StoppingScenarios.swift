import PoolModel
import Testing

@testable import PoolCore

/// A run is held up, or ended, from outside.
@Suite("Stopping")
struct StoppingScenarios {
  /// `a` executes and `b` is prefetched behind it; `c` waits for both.
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
    #expect(scenario.machine.graph.unsettledCount == 0)
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

  @Test("workers and the groups of their commands are stopped, then this process; and go on")
  func stopped() {
    let scenario = busy()
    scenario.stop("pass 20 to 1", "pass 20 to group 77", "stop")
    #expect(scenario.machine.nextDeadline != scenario.now.advanced(by: PoolPolicy().stopMargin))
    scenario.proceed("pass 18 to 1", "pass 18 to group 77")
    scenario.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1")
  }

  /// `a` was begun on worker 1, whose command is being started, and worker 2 has nothing to do.
  private func starting() -> Scenario {
    let scenario = Scenario(workers: 2)
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.greet(1, as: .full, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    return scenario
  }

  @Test("a worker that starts a command is stopped when it has told the group, then this process")
  func lateGroup() {
    let scenario = starting()
    scenario.stop()
    scenario.stop()
    scenario.start("a", group: 77, "pass 20 to 1", "pass 20 to group 77", "stop")
    scenario.pass(PoolPolicy().stopMargin)
    scenario.proceed("pass 18 to 1", "pass 18 to group 77")
  }

  @Test("a worker that tells no group is stopped after the margin, and this process with it")
  func noGroup() {
    let scenario = starting()
    scenario.stop()
    scenario.pass(PoolPolicy().stopMargin - 1)
    scenario.pass(1, "pass 20 to 1", "stop")
    scenario.start("a", group: 77, "pass 20 to group 77")
    scenario.proceed("pass 18 to 1", "pass 18 to group 77")
  }

  @Test("told to go on before it has stopped, the pool does not stop")
  func unstopped() {
    let scenario = starting()
    scenario.stop()
    scenario.proceed("pass 18 to 1")
    scenario.start("a", group: 77)
    scenario.pass(PoolPolicy().stopMargin)
    scenario.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1")
  }

  @Test("a worker that died before it told a group holds up nothing")
  func deadWorker() {
    let scenario = starting()
    scenario.stop()
    scenario.exit(1, "blame a for 1", "settle a lost by workerDied in attempt 1 on 1")
    scenario.pass(PoolPolicy().stopMargin, "stop")
  }

  @Test("the run's deadline comes once, and is the next deadline until then")
  func runDeadline() {
    let scenario = Scenario()
    scenario.setRunDeadline(in: 1_000)
    #expect(scenario.machine.nextDeadline == scenario.now.advanced(by: 1_000))
    scenario.pass(999)
    scenario.pass(1, "runDeadline")
    scenario.pass(1_000)
    #expect(scenario.machine.nextDeadline == nil)
  }
}

extension Scenario {
  fileprivate func drain(_ expected: String..., at place: Place = #_sourceLocation) {
    expect(expected, place) { [queue] machine, now in
      machine.cancelAll(in: queue, isDrain: true, at: now)
    }
  }

  fileprivate func stop(_ expected: String..., at place: Place = #_sourceLocation) {
    expect(expected, place) { machine, now in machine.supervise(.stopAll(20), at: now) }
  }

  fileprivate func proceed(_ expected: String..., at place: Place = #_sourceLocation) {
    expect(expected, place) { machine, now in machine.supervise(.continueAll(18), at: now) }
  }

  fileprivate func setRunDeadline(in length: Int64, at place: Place = #_sourceLocation) {
    expect([], place) { machine, now in machine.supervisor.setRunDeadline(now.advanced(by: length))
    }
  }
}
