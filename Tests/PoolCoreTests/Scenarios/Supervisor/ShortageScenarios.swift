import PoolModel
import Testing

@testable import PoolCore

/// Workers that cannot be started, or cannot begin what they were given, because the system has too
/// little of something: descriptors, processes, memory.
@Suite("Shortages")
struct ShortageScenarios {
  /// A worker that starts a process for each operation, as the standard worker does.
  private static let standard = Set<Capability>.full.union([.teardown])

  @Test("other workers go on, no operation is blamed, and each new try comes later")
  func othersGoOn() {
    let scenario = Scenario(workers: 2)
    scenario.submit([.init("a"), .init("b"), .init("c")], "spawn 1 of 0", "spawn 2 of 0")
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.lack(2, "go on with 0")
    var worker: UInt32 = 2
    // More often than workers may die that finish nothing.
    for longest in [100, 200, 400, 800, 1_000, 1_000, 1_000] {
      #expect((0...Int64.milliseconds(longest)).contains(scenario.timeLeft))
      worker += 1
      scenario.pass(.milliseconds(longest), "spawn \(worker) of 0")
      scenario.lack(worker)
    }
    worker += 1
    scenario.pass(.seconds(1), "spawn \(worker) of 0")
    scenario.greet(worker, "dispatch b to \(worker) as attempt 1")
    scenario.execute("a", then: "dispatch c to 1 as attempt 1")
    scenario.execute("b")
    scenario.execute("c")
  }

  @Test("one that is alone is waited for, and given up when nothing has executed for a minute")
  func alone() {
    let scenario = Scenario(workers: 2)
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.lack(1, "go on with 0")
    var worker: UInt32 = 1
    for _ in 0..<59 {
      worker += 1
      scenario.pass(.seconds(1), "spawn \(worker) of 0")
      scenario.lack(worker)
    }
    worker += 1
    scenario.pass(.seconds(1), "spawn \(worker) of 0")
    scenario.lack(worker, "give up 0", "settle a failed by noWorker")
  }

  @Test("too many open files count as failures while no worker has greeted and none is left")
  func ownDescriptors() {
    let scenario = Scenario(workers: 1)
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.lack(1, of: .ofOwnDescriptors, "spawn 2 of 0")
    scenario.lack(2, of: .ofOwnDescriptors)
    scenario.pass(.seconds(1), "spawn 3 of 0")
    scenario.lack(3, of: .ofOwnDescriptors, "give up 0", "settle a failed by noWorker")
  }

  @Test("too many open files are waited for where a worker has greeted")
  func greetedDescriptors() {
    let scenario = Scenario(workers: 1)
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.exit(1, "blame a for 1", "spawn 2 of 0")
    scenario.lack(2, of: .ofOwnDescriptors, "go on with 0")
    for worker in UInt32(3)..<20 {
      scenario.pass(.seconds(1), "spawn \(worker) of 0")
      scenario.lack(worker, of: .ofOwnDescriptors)
    }
  }

  @Test("too many open files are waited for where another worker is being started")
  func othersDescriptors() {
    let scenario = Scenario(workers: 2)
    scenario.submit([.init("a"), .init("b")], "spawn 1 of 0", "spawn 2 of 0")
    scenario.lack(1, of: .ofOwnDescriptors, "go on with 0")
    scenario.pass(.milliseconds(100), "spawn 3 of 0")
    scenario.greet(2, "announce 0", "dispatch a to 2 as attempt 1")
  }

  @Test("the time in which the coordinator was away is not counted, and what was waited before is")
  func absence() {
    let scenario = Scenario(workers: 2)
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.lack(1, "go on with 0")
    var worker: UInt32 = 1
    func failOften(_ count: Int) {
      for _ in 0..<count {
        worker += 1
        scenario.pass(.seconds(1), "spawn \(worker) of 0")
        scenario.lack(worker)
      }
    }
    failOften(30)
    worker += 1
    scenario.comeLate(.seconds(120), "spawn \(worker) of 0")
    scenario.lack(worker)
    failOften(29)
    scenario.pass(.seconds(1), "spawn \(worker + 1) of 0")
    scenario.lack(worker + 1, "give up 0", "settle a failed by noWorker")
  }

  @Test("what could not be begun is no attempt, costs no retry, and goes to another worker")
  func commands() {
    let scenario = Scenario(workers: 2)
    scenario.submit([.init("a"), .init("b")], "spawn 1 of 0", "spawn 2 of 0")
    scenario.greet(1, as: Self.standard, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.greet(2, as: Self.standard, "dispatch b to 2 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.start("b", "b executes on 2 as attempt 1")
    scenario.lack(2, "go on with 0")
    let end = "settle a succeeded by answer in attempt 1 on 1"
    scenario.answer("a", .succeeded, end, "dispatch b to 1 as attempt 1")
    scenario.execute("b")
  }

  @Test("an operation whose time was over while it waited has not used its time")
  func timeouts() {
    let scenario = Scenario(workers: 1)
    scenario.submit([.init("a", timeout: .seconds(1))], "spawn 1 of 0")
    scenario.greet(1, as: Self.standard, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.pass(.seconds(1), "ask 1 to stop a")
    scenario.lack(1, "go on with 0")
    scenario.pass(.seconds(1), "spawn 2 of 0")
    scenario.greet(2, as: Self.standard, "dispatch a to 2 as attempt 1")
    scenario.execute("a")
  }

  @Test(
    "the time of a command begins anew with each trial to start its process, and not with the process"
  )
  func trials() {
    let scenario = Scenario(workers: 1)
    scenario.submit([.init("a", timeout: .seconds(1))], "spawn 1 of 0")
    scenario.greet(1, as: Self.standard, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.pass(.milliseconds(400))
    scenario.start("a")
    scenario.pass(.milliseconds(400))
    scenario.start("a", group: 7)
    scenario.start("a")
    scenario.pass(.milliseconds(599))
    scenario.pass(.milliseconds(1), "ask 1 to stop a")
  }

  /// It would never be over for one that lies.
  @Test("no worker gets time for trials for long, and none that starts no processes gets any")
  func endlessTrials() {
    for capabilities in [Self.standard, .full] {
      let scenario = Scenario(workers: 1)
      scenario.submit([.init("a", timeout: .seconds(1))], "spawn 1 of 0")
      scenario.greet(1, as: capabilities, "announce 0", "dispatch a to 1 as attempt 1")
      scenario.start("a", "a executes on 1 as attempt 1")
      let count = capabilities == .full ? 1 : 10
      for _ in 0..<count {
        scenario.pass(.milliseconds(500))
        scenario.start("a")
      }
      scenario.pass(.milliseconds(450))
      scenario.pass(.milliseconds(50), "ask 1 to stop a")
    }
  }

  @Test("what is cancelled while it waits is cancelled")
  func cancellation() {
    let scenario = Scenario(workers: 1)
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.greet(1, as: Self.standard, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.cancel("a", "ask 1 to stop a")
    scenario.lack(1, "settle a cancelled by request in attempt 1 on 1", "go on with 0")
  }

  @Test("a worker that may have done something does not get out of it by its exit code")
  func excuses() {
    let scenario = Scenario(workers: 1)
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.greet(1, as: .full, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.lack(1, "blame a for 1", "settle a lost by workerDied in attempt 1 on 1")
    scenario.submit([.init("b")], "spawn 2 of 0")
    scenario.greet(2, as: Self.standard, "dispatch b to 2 as attempt 1")
    scenario.start("b", group: 7, "b executes on 2 as attempt 1")
    scenario.lack(2, "blame b for 2", "settle b lost by workerDied in attempt 1 on 2")
  }

  @Test("no fleet gives up while operations execute, however long the shortage lasts")
  func others() {
    let scenario = Scenario(workers: 2)
    scenario.submit([.init("a"), .init("b")], "spawn 1 of 0", "spawn 2 of 0")
    scenario.greet(1, as: Self.standard, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", group: 7, "a executes on 1 as attempt 1")
    scenario.lack(2, "go on with 0")
    for worker in UInt32(3)..<100 {
      scenario.pass(.seconds(1), "spawn \(worker) of 0")
      scenario.lack(worker)
    }
    let end = "settle a succeeded by answer in attempt 1 on 1"
    scenario.answer("a", .succeeded, end, "dispatch b to 1 as attempt 1")
    scenario.execute("b")
  }

  @Test("two that wait in turn do not keep a fleet from giving up")
  func turns() {
    let scenario = Scenario(workers: 2)
    scenario.submit([.init("a"), .init("b")], "spawn 1 of 0", "spawn 2 of 0")
    var waiting: UInt32 = 1
    scenario.greet(1, as: Self.standard, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.lack(2, "go on with 0")
    for worker in UInt32(3)..<62 {
      scenario.pass(.seconds(1), "spawn \(worker) of 0")
      let name = worker % 2 == 1 ? "b" : "a"
      scenario.greet(worker, as: Self.standard, "dispatch \(name) to \(worker) as attempt 1")
      scenario.start(name, "\(name) executes on \(worker) as attempt 1")
      scenario.lack(waiting)
      waiting = worker
    }
    scenario.pass(.seconds(1), "spawn 62 of 0")
    scenario.lack(62, "give up 0")
    scenario.lack(waiting, "settle a failed by noWorker", "settle b failed by noWorker")
  }

  @Test("two shortages with a rest between them are two")
  func rests() {
    let scenario = Scenario(workers: 1)
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.lack(1, "go on with 0")
    scenario.cancel("a", "settle a cancelled by request")
    scenario.pass(.seconds(200))
    scenario.submit([.init("b")], "spawn 2 of 0")
    scenario.lack(2)
    scenario.pass(.seconds(1), "spawn 3 of 0")
    scenario.greet(3, "announce 0", "dispatch b to 3 as attempt 1")
    scenario.execute("b")
  }

  @Test("in a shortage one worker at a time is tried, and all once that one has finished something")
  func growth() {
    let scenario = Scenario(workers: 4)
    let spawns = (1...4).map { "spawn \($0) of 0" }
    scenario.submit(
      (1...5).map { .init("o\($0)") },
      spawns[0],
      spawns[1],
      spawns[2],
      spawns[3]
    )
    scenario.greet(1, as: Self.standard, "announce 0", "dispatch o1 to 1 as attempt 1")
    scenario.start("o1", group: 7, "o1 executes on 1 as attempt 1")
    scenario.lack(2, "go on with 0")
    // It is the same shortage.
    scenario.lack(3)
    scenario.lack(4)
    #expect((Int64.milliseconds(50)...Int64.milliseconds(100)).contains(scenario.timeLeft))
    scenario.pass(.milliseconds(100), "spawn 5 of 0")
    scenario.greet(5, as: .minimal, "dispatch o2 to 5 as attempt 1")
    scenario.start("o2", "o2 executes on 5 as attempt 1")
    scenario.answer(
      "o2",
      .succeeded,
      "settle o2 succeeded by answer in attempt 1 on 5",
      "spawn 6 of 0",
      "spawn 7 of 0",
      "dispatch o3 to 5 as attempt 1"
    )
  }
}
