import PoolModel
import Testing

@testable import PoolCore

/// Workers die, break the protocol and fall silent: it costs one operation, never the run.
@Suite("Loss of workers")
struct LossScenarios {
  /// A scenario whose one worker executes `a` and holds `b`.
  private func holding(retries: Int = 0) -> Scenario {
    let scenario = Scenario()
    scenario.expectShort()
    scenario.submit([.init("a", retries: retries), .init("b")], "spawn 1 of 0")
    scenario.greet(
      1,
      as: .full,
      "announce 0",
      "dispatch a to 1 as attempt 1",
      "dispatch b to 1 as attempt 1"
    )
    scenario.start("a", "a executes on 1 as attempt 1")
    return scenario
  }

  @Test("what executed is lost, what was prefetched is dispatched again at no charge")
  func death() {
    let scenario = holding()
    scenario.exit(
      1,
      "blame a for 1",
      "settle a lost by workerDied in attempt 1 on 1",
      "spawn 2 of 0"
    )
    scenario.greet(2, as: .full, "dispatch b to 2 as attempt 1")
    scenario.start("b", "b executes on 2 as attempt 1")
    scenario.answer("b", .succeeded, "settle b succeeded by answer in attempt 1 on 2")
  }

  @Test("a lost operation with retries left is executed again, and its attempts are counted")
  func retry() {
    let scenario = holding(retries: 1)
    scenario.exit(
      1,
      "blame a for 1",
      "retry a lost by workerDied in attempt 1 on 1",
      "spawn 2 of 0"
    )
    scenario.greet(2, "dispatch a to 2 as attempt 2")
    scenario.start("a", "a executes on 2 as attempt 2")
    scenario.exit(
      2,
      "blame a for 2",
      "settle a lost by workerDied in attempt 2 on 2",
      "spawn 3 of 0"
    )
  }

  @Test("all workers can be killed at once")
  func killWorkers() {
    let scenario = holding()
    scenario.start("a", group: 77)
    scenario.close()
    scenario.expect(["signal 1 with 9"], #_sourceLocation) { machine, now in
      machine.supervise(.killWorkers, at: now)
    }
    scenario.exit(
      1,
      "settle a lost by workerDied in attempt 1 on 1",
      "forget 0"
    )
    #expect(scenario.machine.supervisor.liveWorkerCount == 0)
  }

  @Test(
    "a worker that never begins what it was given is killed, and its worker configuration given up"
  )
  func neverBegins() {
    let scenario = Scenario()
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.greet(1, as: .full, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.pass(.milliseconds(29_999))
    scenario.pass(.milliseconds(1), "signal 1 with 9 for start")
    scenario.exit(1, "blame a for 1", "give up 0", "settle a failed by noWorker")
  }

  @Test("what follows an answered operation must be begun within the same time")
  func nextBegins() {
    let scenario = holding()
    scenario.pass(.milliseconds(5))
    scenario.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1")
    scenario.pass(.milliseconds(29_999))
    scenario.pass(.milliseconds(1), "signal 1 with 9 for start")
    scenario.exit(1, "blame b for 1", "spawn 2 of 0")
    scenario.greet(2, as: .full, "dispatch b to 2 as attempt 1")
  }

  @Test("where others of its sort have finished something, one that never begins is replaced")
  func twinBegins() {
    let scenario = Scenario()
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.greet(1, as: .full, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.execute("a")
    scenario.exit(1)
    scenario.submit([.init("b")], "spawn 2 of 0")
    scenario.greet(2, as: .full, "dispatch b to 2 as attempt 1")
    scenario.pass(.milliseconds(29_999))
    scenario.pass(.milliseconds(1), "signal 2 with 9 for start")
    scenario.exit(2, "blame b for 2", "spawn 3 of 0")
    scenario.greet(3, as: .full, "dispatch b to 3 as attempt 1")
  }
}
