import PoolModel
import Testing

@testable import PoolCore

/// When workers are started, when that is given up, and what then becomes of the operations.
@Suite("Configurations")
struct ConfigurationScenarios {
  private let kind = [KindID(rawValue: 0)]

  @Test("as many workers are started as there is work for, within the count")
  func need() {
    let scenario = Scenario(workers: 3)
    scenario.submit([.init("a"), .init("b")], "spawn 1 of 0", "spawn 2 of 0")
    scenario.submit([.init("c"), .init("d")], "spawn 3 of 0")
  }

  @Test(
    "a worker configuration of which no worker ever greeted is given up after a few, and then its work"
  )
  func neverGreeted() {
    let scenario = Scenario(workers: 1)
    scenario.submit([.init("a"), .init("b", after: ["a"])], "spawn 1 of 0")
    scenario.exit(1, "spawn 2 of 0")
    // The first restart comes at once, the second after a while.
    scenario.exit(2)
    scenario.pass(scenario.timeLeft - 1)
    scenario.pass(1, "spawn 3 of 0")
    scenario.exit(
      3,
      "give up 0",
      "settle a failed by noWorker",
      "settle b skipped by dependency of a"
    )
    scenario.submit([.init("c")], "settle c failed by noWorker")
  }

  @Test("a kind that is declared after workers have said that they serve it is theirs")
  func lateKind() {
    let scenario = Scenario(configurations: [ConfigurationSpec(count: 1)])
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.kinds.append(
      scenario.machine.dispatcher.addKind(servedBy: [ConfigurationID(rawValue: 0)])
    )
    scenario.kinds.append(scenario.machine.dispatcher.addKind())
    scenario.submit([.init("b", kind: 1)])
    scenario.submit([.init("c", kind: 2)], "settle c failed by unservedKind")
    scenario.execute("a", then: "dispatch b to 1 as attempt 1")
    scenario.execute("b")
    scenario.close("retire 1")
  }

  @Test("there may be more kinds than numbers of sixteen bits")
  func manyKinds() {
    let scenario = Scenario(kinds: 70_000, configurations: [ConfigurationSpec(count: 1)])
    scenario.submit([.init("a", kind: 69_999)], "spawn 1 of 0")
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.close()
  }

  @Test("deaths without work done are bounded")
  func intensity() {
    var policy = PoolPolicy()
    policy.quarantineLimit = 100
    policy.restartDelay = 0
    let scenario = Scenario(policy: policy)
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.exit(1, "blame a for 1", "spawn 2 of 0")
    for worker in UInt32(2)...5 {
      scenario.greet(worker, "dispatch a to \(worker) as attempt 1")
      scenario.exit(worker, "blame a for \(worker)", "spawn \(worker + 1) of 0")
    }
    scenario.greet(6, "dispatch a to 6 as attempt 1")
    scenario.exit(6, "blame a for 6", "give up 0", "settle a failed by noWorker")
  }

  @Test("a new worker that finishes something has the count begin anew")
  func provenAgain() {
    var policy = PoolPolicy()
    policy.restartDelay = 0
    let scenario = Scenario(policy: policy)
    scenario.submit([.init("0")], "spawn 1 of 0")
    scenario.greet(1, "announce 0", "dispatch 0 to 1 as attempt 1")
    scenario.execute("0")
    scenario.exit(1)
    var worker: UInt32 = 2
    for round in 1...4 {
      scenario.submit([.init("\(round)")], "spawn \(worker) of 0")
      for _ in 1...5 {
        scenario.exit(worker, "spawn \(worker + 1) of 0")
        worker += 1
      }
      scenario.greet(worker, "dispatch \(round) to \(worker) as attempt 1")
      scenario.execute("\(round)")
      scenario.exit(worker)
      worker += 1
    }
  }

  @Test("deaths without work done are too many however far they are apart")
  func propagateEnds() {
    var policy = PoolPolicy()
    policy.quarantineLimit = 100
    let scenario = Scenario(policy: policy)
    scenario.submit([.init("0")], "spawn 1 of 0")
    scenario.greet(1, "announce 0", "dispatch 0 to 1 as attempt 1")
    scenario.execute("0")
    scenario.exit(1)
    scenario.submit([.init("a")], "spawn 2 of 0")
    // Replacements that never greet, and whose ends take an hour each.
    for worker in UInt32(2)...6 {
      scenario.pass(scenario.timeLeft, "signal \(worker) with 9 for greeting")
      scenario.pass(.seconds(3_600))
      if worker == 2 {
        scenario.exit(worker, "spawn \(worker + 1) of 0")
      } else {
        scenario.exit(worker)
        scenario.pass(scenario.timeLeft, "spawn \(worker + 1) of 0")
      }
    }
    scenario.pass(scenario.timeLeft, "signal 7 with 9 for greeting")
    scenario.exit(7, "give up 0", "settle a failed by noWorker")
  }

  @Test(
    "a worker that was killed by a teardown sequence before it began is not held against the worker configuration"
  )
  func killedByTeardown() {
    var policy = PoolPolicy()
    policy.restartLimit = 0
    let scenario = Scenario(policy: policy)
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.machine.change(.cancel(scenario.id("a")), at: scenario.now)
    let worker = scenario.machine.supervisor.workers.living.first
    #expect(worker.map { scenario.machine.supervisor.workers[$0].teardown != nil } == true)
    scenario.machine.workerExited(WorkerID(rawValue: 1), detail: .none, at: scenario.now)
    #expect(!scenario.machine.supervisor.configurations[ConfigurationID(0)].isExhausted)
  }

  @Test("what a quarantine explains is not held against the worker configuration")
  func explained() {
    let scenario = Scenario()
    var worker: UInt32 = 1
    for name in ["a", "b", "c", "d"] {
      scenario.submit([.init(name)], "spawn \(worker) of 0")
      if name == "a" {
        scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
      } else {
        scenario.greet(worker, "dispatch \(name) to \(worker) as attempt 1")
      }
      scenario.exit(worker, "blame \(name) for \(worker)", "spawn \(worker + 1) of 0")
      scenario.greet(worker + 1, "dispatch \(name) to \(worker + 1) as attempt 1")
      scenario.exit(worker + 1, "blame \(name) for \(worker + 1)")
      scenario.pass(scenario.timeLeft, "spawn \(worker + 2) of 0")
      scenario.greet(worker + 2, "dispatch \(name) to \(worker + 2) as attempt 1")
      scenario.exit(
        worker + 2,
        "blame \(name) for \(worker + 2)",
        "settle \(name) lost by quarantined on \(worker + 2)"
      )
      worker += 3
    }
  }

  @Test(
    "a worker configuration that was given up is tried again for what is added later, where that is wanted"
  )
  func again() {
    var policy = PoolPolicy()
    policy.triesAgain = true
    policy.restartDelay = 0
    let scenario = Scenario(policy: policy)
    scenario.submit([.init("a")], "spawn 1 of 0")
    for round in UInt32(0)..<2 {
      let first = 3 * round + 1
      scenario.exit(first, "spawn \(first + 1) of 0")
      scenario.exit(first + 1, "spawn \(first + 2) of 0")
      let name = round == 0 ? "a" : "b"
      scenario.exit(first + 2, "give up 0", "settle \(name) failed by noWorker")
      let next = round == 0 ? "b" : "c"
      scenario.submit([.init(next)], "try 0 again", "spawn \(first + 3) of 0")
    }
    scenario.greet(7, "announce 0", "dispatch c to 7 as attempt 1")
    scenario.execute("c")
    scenario.close("retire 7")
  }

  @Test(
    "restarts of workers that finish nothing wait longer each time, until one finishes something"
  )
  func backOff() {
    var policy = PoolPolicy()
    policy.restartLimit = 100
    policy.firstStartLimit = 100
    policy.restartDelayLimit = .seconds(1)
    let scenario = Scenario(policy: policy)
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.exit(1, "spawn 2 of 0")
    var worker: UInt32 = 2
    for longest in [100, 200, 400, 800, 1_000, 1_000] {
      scenario.exit(worker)
      #expect(
        (Int64.milliseconds(longest) / 2...(.milliseconds(longest))).contains(scenario.timeLeft)
      )
      scenario.pass(scenario.timeLeft - 1)
      worker += 1
      scenario.pass(1, "spawn \(worker) of 0")
    }
    scenario.greet(worker, "announce 0", "dispatch a to \(worker) as attempt 1")
    scenario.execute("a")
    scenario.exit(worker)
    scenario.submit([.init("b")], "spawn \(worker + 1) of 0")
    scenario.exit(worker + 1, "spawn \(worker + 2) of 0")
  }

  @Test("workers that have finished something may die as often as they like")
  func productive() {
    let scenario = Scenario()
    scenario.submit([.init("0")], "spawn 1 of 0")
    scenario.greet(1, "announce 0", "dispatch 0 to 1 as attempt 1")
    scenario.execute("0")
    for worker in UInt32(1)...20 {
      scenario.exit(worker)
      scenario.submit([.init("\(worker)")], "spawn \(worker + 1) of 0")
      scenario.greet(worker + 1, "dispatch \(worker) to \(worker + 1) as attempt 1")
      scenario.execute("\(worker)")
    }
  }

  @Test("a worker that never greets is killed, and its worker configuration given up")
  func silent() {
    let scenario = Scenario()
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.pass(.milliseconds(9_999))
    scenario.pass(.milliseconds(1), "signal 1 with 9 for greeting")
    scenario.exit(1, "give up 0", "settle a failed by noWorker")
  }

  @Test("a worker configuration that is given up keeps its living workers to the last")
  func lastWorker() {
    var policy = PoolPolicy()
    policy.restartDelay = 0
    let scenario = Scenario(workers: 2, policy: policy)
    scenario.submit([.init("a"), .init("b")], "spawn 1 of 0", "spawn 2 of 0")
    scenario.pass(.seconds(9))
    scenario.exit(2, "spawn 3 of 0")
    scenario.exit(3, "spawn 4 of 0")
    scenario.exit(4, "give up 0")
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.exit(
      1,
      "blame a for 1",
      "settle a lost by workerDied in attempt 1 on 1",
      "settle b failed by noWorker"
    )
  }

  @Test("a kind that no worker serves fails its operations as soon as that is known")
  func unserved() {
    let configurations = [ConfigurationSpec(count: 1), ConfigurationSpec(count: 1)]
    let scenario = Scenario(kinds: 2, configurations: configurations)
    scenario.submit([.init("a", kind: 1)], "spawn 1 of 0", "spawn 2 of 1")
    #expect(scenario.machine.dispatcher.isKnown(scenario.fleet) == false)
    scenario.greet(1, kinds: kind, "announce 0")
    scenario.greet(2, kinds: kind, "announce 1", "settle a failed by unservedKind")
    #expect(scenario.machine.dispatcher.isKnown(scenario.fleet) == true)
    #expect(scenario.machine.dispatcher.isUnserved(KindID(rawValue: 1), by: scenario.fleet) == true)
    scenario.submit([.init("b", kind: 1)], "settle b failed by unservedKind")
  }

  @Test("a reserve is started only for what no other configuration turns out to serve")
  func reserve() {
    let both = [KindID(rawValue: 0), KindID(rawValue: 1)]
    let configurations = [
      ConfigurationSpec(count: 1), ConfigurationSpec(count: 1, kinds: both, isReserve: true),
    ]
    let scenario = Scenario(kinds: 2, configurations: configurations)
    scenario.submit([.init("a"), .init("b", kind: 1)], "spawn 1 of 0")
    scenario.greet(
      1,
      kinds: kind,
      "announce 0",
      "spawn 2 of 1",
      "dispatch a to 1 as attempt 1"
    )
    scenario.greet(2, kinds: both, "announce 1", "dispatch b to 2 as attempt 1")
  }

  @Test("a reserve does not execute what a worker configuration that never greeted was meant for")
  func reserveStaysOut() {
    let configurations = [
      ConfigurationSpec(count: 1), ConfigurationSpec(count: 1, kinds: kind, isReserve: true),
    ]
    let scenario = Scenario(configurations: configurations)
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.exit(1, "spawn 2 of 0")
    scenario.exit(2)
    scenario.pass(scenario.timeLeft, "spawn 3 of 0")
    scenario.exit(3, "give up 0", "settle a failed by noWorker")
    scenario.submit([.init("b")], "settle b failed by noWorker")
  }

  @Test("a reserve does not execute what a worker configuration that was given up has served")
  func reserveIsNoSuccessor() {
    var policy = PoolPolicy()
    policy.restartLimit = 0
    let configurations = [
      ConfigurationSpec(count: 1), ConfigurationSpec(count: 1, kinds: kind, isReserve: true),
    ]
    let scenario = Scenario(configurations: configurations, policy: policy)
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.greet(1, kinds: kind, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.exit(1, "blame a for 1", "give up 0", "settle a failed by noWorker")
  }

  @Test(
    "a reserve executes what another worker configuration, given up by now, was known not to serve"
  )
  func reserveOfTheUnserved() {
    var policy = PoolPolicy()
    policy.restartLimit = 0
    let second = [KindID(rawValue: 1)]
    let configurations = [
      ConfigurationSpec(count: 1), ConfigurationSpec(count: 1, kinds: second, isReserve: true),
    ]
    let scenario = Scenario(kinds: 2, configurations: configurations, policy: policy)
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.greet(1, kinds: kind, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.exit(1, "blame a for 1", "give up 0", "settle a failed by noWorker")
    scenario.submit([.init("b", kind: 1)], "spawn 2 of 1")
  }

  @Test("closing ends workers as they become idle, starting ones too, and starts none")
  func close() {
    let scenario = Scenario(workers: 3)
    scenario.submit(
      [.init("a"), .init("b"), .init("c")],
      "spawn 1 of 0",
      "spawn 2 of 0",
      "spawn 3 of 0"
    )
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.greet(2, "dispatch b to 2 as attempt 1")
    scenario.start("b", "b executes on 2 as attempt 1")
    scenario.answer(
      "b",
      .succeeded,
      "settle b succeeded by answer in attempt 1 on 2",
      "dispatch c to 2 as attempt 1"
    )
    scenario.close("retire 3")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1", "retire 1")
    scenario.exit(1)
    scenario.pass(.seconds(2), "signal 3 with 9 for end")
    scenario.exit(3)
    #expect(scenario.machine.supervisor.liveWorkerCount == 1)
  }

  @Test("what fails while the pool closes has failed: no promise of another attempt is made")
  func closingRetry() {
    let scenario = Scenario()
    scenario.submit([.init("a", retries: 5)], "spawn 1 of 0")
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.close()
    scenario.answer("a", .failed, "settle a failed by answer in attempt 1 on 1", "retire 1")
  }
}
