import PoolModel
import Testing

@testable import PoolCore

/// Workers are replaced when asked for, at no operation's cost.
@Suite("Recycling")
struct RecyclingScenarios {
  /// A scenario with one worker that has just greeted.
  private func recycled(_ recycling: Recycling, _ names: String...) -> Scenario {
    var configuration = ConfigurationSpec(count: 1, kinds: [KindID(rawValue: 0)])
    configuration.recycling = recycling
    let scenario = Scenario(configurations: [configuration])
    scenario.expectShort()
    _ = scenario.context { machine, now in
      for name in names { scenario.create(.init(name), in: &machine) }
      machine.enqueue(names.map(scenario.id), in: scenario.queue, at: now)
    }
    guard !names.isEmpty else { return scenario }
    _ = scenario.context {
      $0.workerGreeted(WorkerID(rawValue: 1), kinds: scenario.kinds, capabilities: .full, at: $1)
    }
    return scenario
  }

  @Test("a worker is given no more operations than it is to finish, and then let go")
  func operations() {
    let scenario = recycled(Recycling(operations: 2), "a", "b", "c")
    scenario.execute("a")
    scenario.start("b", "b executes on 1 as attempt 1")
    scenario.answer("b", .succeeded, "settle b succeeded by answer in attempt 1 on 1", "retire 1")
    scenario.exit(1, "spawn 2 of 0")
    scenario.greet(2, as: .full, "dispatch c to 2 as attempt 1")
  }

  @Test("an idle worker is let go when its time has come, and replaced when there is work")
  func idleAge() {
    let scenario = recycled(Recycling(age: .seconds(60)), "a")
    scenario.execute("a")
    scenario.pass(.seconds(60) - 1)
    scenario.pass(1, "retire 1")
    scenario.exit(1)
    scenario.pass(.seconds(600))
    scenario.submit([.init("b")], "spawn 2 of 0")
  }

  @Test("a busy worker finishes what it has when its time has come, and gets nothing more")
  func busyAge() {
    let scenario = recycled(Recycling(age: .seconds(60)), "a")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.pass(.seconds(100))
    scenario.submit([.init("b")])
    scenario.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1", "retire 1")
    scenario.exit(1, "spawn 2 of 0")
    scenario.greet(2, "dispatch b to 2 as attempt 1")
  }

  @Test("a worker whose time has come is given nothing behind what it has just begun")
  func justBegun() {
    let scenario = recycled(Recycling(age: .seconds(60)), "a")
    scenario.execute("a")
    scenario.pass(.seconds(60) - 1_000)
    scenario.submit([.init("b")], "dispatch b to 1 as attempt 1")
    scenario.start("b", "b executes on 1 as attempt 1")
    scenario.pass(1_000)
    scenario.submit([.init("c")])
    scenario.answer("b", .succeeded, "settle b succeeded by answer in attempt 1 on 1", "retire 1")
  }

  @Test("a worker that has grown too large is let go after what it has")
  func memory() {
    let scenario = recycled(Recycling(memory: 1_000), "first")
    scenario.execute("first")
    scenario.submit([.init("a")], "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    for bytes in [1_000, 1_001] {
      scenario.expect([], #_sourceLocation) { machine, now in
        machine.supervise(.memoryMeasured(WorkerID(rawValue: 1), bytes: bytes), at: now)
      }
    }
    scenario.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1", "retire 1")
    scenario.exit(1)
  }

  @Test("a worker that has finished nothing is kept, however low the limits are")
  func unused() {
    let scenario = recycled(Recycling(age: 0, memory: 0))
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.cancel("a", "settle a cancelled by request")
    scenario.greet(1, "announce 0")
    scenario.expect([], #_sourceLocation) { machine, now in
      machine.supervise(.memoryMeasured(WorkerID(rawValue: 1), bytes: 1), at: now)
    }
    scenario.pass(.seconds(1))
    scenario.submit([.init("b")], "dispatch b to 1 as attempt 1")
    scenario.start("b", "b executes on 1 as attempt 1")
    scenario.answer("b", .succeeded, "settle b succeeded by answer in attempt 1 on 1", "retire 1")
    scenario.exit(1)
    #expect(scenario.machine.supervisor.configurations[ConfigurationID(0)].failures == 0)
  }
}
