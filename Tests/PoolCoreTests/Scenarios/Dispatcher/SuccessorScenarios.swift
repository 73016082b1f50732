import PoolModel
import Testing

@testable import PoolCore

/// What claims the same as the operation before it in a worker's line takes over that one's units.
@Suite("Units that pass on in a line")
struct SuccessorScenarios {
  /// Short operations are expected; each of these has these claims.
  private func scenario(
    _ plans: [(name: String, claims: [ResourceID])],
    workers: Int = 1,
    _ scenario: Scenario
  ) -> [String] {
    scenario.expectShort()
    for plan in plans { scenario.create(Scenario.Plan(plan.name, claims: plan.claims)) }
    _ = scenario.context { machine, now in
      machine.enqueue(plans.map { scenario.id($0.name) }, in: scenario.queue, at: now)
    }
    scenario.suspend()
    for worker in 1...workers {
      _ = scenario.context { machine, now in
        machine.workerGreeted(
          WorkerID(rawValue: UInt32(worker)),
          kinds: scenario.kinds,
          capabilities: .full,
          at: now
        )
      }
    }
    let (_, effects) = scenario.context { machine, _ in
      machine.change(.suspended(false, scenario.queue))
    }
    #expect(scenario.machine.brokenInvariants() == [])
    return effects.filter { $0.hasPrefix("dispatch") }
  }

  private func units(_ resource: ResourceID, _ scenario: Scenario) -> Int {
    scenario.machine.dispatcher.resources[resource].inUse
  }

  @Test("operations with the same claims are prefetched behind each other, with one unit for all")
  func line() {
    let pool = Scenario(workers: 2)
    let unit = pool.machine.dispatcher.addResource(capacity: 1)
    let given = scenario(["a", "b", "c"].map { ($0, [unit]) }, workers: 2, pool)
    #expect(given == ["a", "b", "c"].map { "dispatch \($0) to 1 as attempt 1" })
    #expect(units(unit, pool) == 1)
    pool.start("a", "a executes on 1 as attempt 1")
    pool.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1")
    #expect(units(unit, pool) == 1)
    pool.submit([.init("d", claims: [unit])], "dispatch d to 1 as attempt 1")
    pool.start("b", "b executes on 1 as attempt 1")
    pool.answer("b", .succeeded, "settle b succeeded by answer in attempt 1 on 1")
    pool.start("c", "c executes on 1 as attempt 1")
    pool.answer("c", .succeeded, "settle c succeeded by answer in attempt 1 on 1")
    pool.start("d", "d executes on 1 as attempt 1")
    pool.answer("d", .succeeded, "settle d succeeded by answer in attempt 1 on 1")
    #expect(units(unit, pool) == 0)
  }

  @Test("what waits first for a unit is not passed by what could take over another's")
  func context() {
    let pool = Scenario(workers: 2)
    let unit = pool.machine.dispatcher.addResource(capacity: 1)
    let other = pool.machine.dispatcher.addResource(capacity: 1)
    let given = scenario(
      [("a", [unit]), ("b", [unit, other]), ("c", [unit])],
      workers: 2,
      pool
    )
    #expect(given == ["dispatch a to 1 as attempt 1"])
    pool.start("a", "a executes on 1 as attempt 1")
    pool.answer(
      "a",
      .succeeded,
      "settle a succeeded by answer in attempt 1 on 1",
      "dispatch b to 1 as attempt 1"
    )
    #expect(units(unit, pool) == 1)
    #expect(units(other, pool) == 1)
  }

  @Test("a free unit waits for a worker that may come; workers with a unit each share what waits")
  func share() {
    let pool = Scenario(workers: 2)
    let unit = pool.machine.dispatcher.addResource(capacity: 2)
    let given = scenario((0..<10).map { ("\($0)", [unit]) }, workers: 1, pool)
    #expect(given == ["dispatch 0 to 1 as attempt 1"])
    let (_, effects) = pool.context { _, _ in }
    #expect(effects == ["spawn 2 of 0"])
    _ = pool.context { machine, now in
      machine.workerGreeted(
        WorkerID(rawValue: 2),
        kinds: pool.kinds,
        capabilities: .full,
        at: now
      )
    }
    #expect(units(unit, pool) == 2)
    let lines = pool.machine.dispatcher.assignments.indices
      .map { pool.machine.dispatcher.assignments[$0].queue.count }
    #expect(lines.allSatisfy { $0 > 1 })
    #expect(pool.machine.brokenInvariants() == [])
  }

  @Test("where all workers are busy, what could have a free unit takes over another's, too")
  func crowd() {
    let pool = Scenario(workers: 1)
    let unit = pool.machine.dispatcher.addResource(capacity: 5)
    let given = scenario(["a", "b", "c"].map { ($0, [unit]) }, workers: 1, pool)
    #expect(given == ["a", "b", "c"].map { "dispatch \($0) to 1 as attempt 1" })
    #expect(units(unit, pool) == 1)
  }

  @Test("the units of a line are free once when its worker dies, or gives back what waits")
  func loss() {
    let pool = Scenario(workers: 2)
    let unit = pool.machine.dispatcher.addResource(capacity: 1)
    _ = scenario(["a", "b", "c"].map { ($0, [unit]) }, workers: 1, pool)
    pool.start("a", "a executes on 1 as attempt 1")
    pool.pass(.milliseconds(6), "recall b from 1", "recall c from 1")
    pool.allowReuse(of: "c")
    #expect(units(unit, pool) == 1)
    pool.answer("a", .succeeded, "settle a succeeded by answer in attempt 1 on 1")
    #expect(units(unit, pool) == 1)
    pool.allowReuse(of: "b", "dispatch b to 1 as attempt 1", "dispatch c to 1 as attempt 1")
    #expect(units(unit, pool) == 1)
    _ = pool.context { machine, now in
      machine.workerExited(WorkerID(rawValue: 1), detail: .none, at: now)
    }
    #expect(units(unit, pool) <= 1)
    #expect(pool.machine.brokenInvariants() == [])
  }

  @Test("what waits for a unit behind what has it is left there by those that have nothing to do")
  func relief() {
    let pool = Scenario(workers: 2)
    let unit = pool.machine.dispatcher.addResource(capacity: 1)
    let given = scenario([("a", [unit]), ("b", [unit]), ("x", [])], workers: 2, pool)
    #expect(given == ["a to 1", "x to 2", "b to 1"].map { "dispatch \($0) as attempt 1" })
    pool.start("a", "a executes on 1 as attempt 1")
    pool.start("x", "x executes on 2 as attempt 1")
    pool.now = pool.now.advanced(by: 2 * PrefetchPolicy.longWork)
    pool.answer("x", .succeeded, "settle x succeeded by answer in attempt 1 on 2")
  }
}
