import PoolModel
import Testing

@testable import PoolCore

/// Workers that cannot be started because the system has too little of something: descriptors,
/// processes, memory.
@Suite("Shortages")
struct ShortageScenarios {
  @Test("where others live, they go on, nobody is blamed, and it is tried again, later each time")
  func othersGoOn() {
    let scenario = Scenario(workers: 2)
    scenario.submit([.init("a"), .init("b"), .init("c")], "spawn 1 of 0", "spawn 2 of 0")
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.lack(2, "go on with 0")
    var worker: UInt32 = 2
    // More often than workers may die that finish nothing.
    for longest in [100, 200, 400, 800, 1_600] {
      let wait = Int64.milliseconds(longest)
      #expect((wait / 2...wait).contains(scenario.timeLeft))
      worker += 1
      scenario.pass(scenario.timeLeft, "spawn \(worker) of 0")
      scenario.lack(worker)
    }
    worker += 1
    scenario.pass(scenario.timeLeft, "spawn \(worker) of 0")
    scenario.greet(worker, "dispatch b to \(worker) as attempt 1")
    scenario.execute("a", then: "dispatch c to 1 as attempt 1")
    scenario.execute("b")
    scenario.execute("c")
  }

  @Test("one that is alone is counted as any other that does not live, and given up")
  func alone() {
    let scenario = Scenario(workers: 2)
    scenario.submit([.init("a"), .init("b")], "spawn 1 of 0", "spawn 2 of 0")
    scenario.lack(1, "go on with 0")
    scenario.lack(2)
    var worker: UInt32 = 3
    scenario.pass(scenario.timeLeft, "spawn 3 of 0", "spawn 4 of 0")
    scenario.lack(worker)
    worker += 1
    scenario.lack(worker)
    scenario.pass(scenario.timeLeft, "spawn 5 of 0", "spawn 6 of 0")
    scenario.lack(5)
    scenario.lack(6, "give up 0", "settle a failed by noWorker", "settle b failed by noWorker")
  }
}
