import PoolModel
import Testing

@testable import PoolCore

/// When an attempt began and ended, where its worker has measured it.
@Suite("Times of an attempt")
struct AttemptSpanTests {
  private func span(
    _ elapsed: Int64,
    from earliest: Int64,
    told: Int64? = nil,
    dispatched: Int64 = 100
  ) -> [Int64] {
    let span = AttemptSpan(
      of: elapsed,
      from: Instant(nanoseconds: earliest),
      dispatched: Instant(nanoseconds: dispatched),
      told: told.map { Instant(nanoseconds: $0) },
      until: Instant(nanoseconds: 900)
    )
    return [span.started.nanoseconds, span.finished.nanoseconds, span.duration]
  }

  @Test("it begins as early as it can, and takes what was measured")
  func earliest() {
    #expect(span(50, from: 200) == [200, 250, 50])
    #expect(span(0, from: 200) == [200, 200, 0])
    #expect(span(50, from: 20) == [100, 150, 50])
  }

  @Test(
    "where nothing waits behind it, it begins when that was heard of, or so long before its end"
  )
  func told() {
    #expect(span(50, from: 200, told: 300) == [300, 350, 50])
    #expect(span(50, from: 200, told: 900) == [850, 900, 50])
    #expect(span(50, from: 200, told: 880) == [850, 900, 50])
    #expect(span(50, from: 870, told: 880) == [850, 900, 50])
    #expect(span(50, from: 870, told: 880, dispatched: 860) == [860, 900, 40])
    #expect(span(50, from: 20, told: 60) == [100, 150, 50])
    #expect(span(.max, from: 200, told: 300) == [100, 900, 800])
    #expect(span(-1, from: 200, told: 300) == [300, 300, 0])
  }

  @Test("what cannot be true is cut")
  func lies() {
    #expect(span(5_000, from: 200) == [100, 900, 800])
    #expect(span(.max, from: 200) == [100, 900, 800])
    #expect(span(-1, from: 200) == [200, 200, 0])
    #expect(span(50, from: 2_000) == [850, 900, 50])
    #expect(span(50, from: 0, dispatched: 2_000) == [900, 900, 0])
  }

  /// The times of an operation that has ended, in milliseconds.
  private func times(of name: String, in scenario: Scenario) -> [Int64] {
    guard let settlement = scenario.settlements[name] else { return [] }
    return [settlement.started, settlement.finished]
      .map { ($0?.nanoseconds ?? -1) / .milliseconds(1) }
  }

  private func end(_ name: String, after elapsed: Int?, in scenario: Scenario, _ next: String...) {
    scenario.start(name, "\(name) executes on 1 as attempt 1")
    let (reception, effects) = scenario.context {
      $0.workerReported(
        .answered(.succeeded, .error, .none, elapsed: elapsed.map { .milliseconds($0) }),
        scenario.reference(name),
        by: scenario.worker(of: name),
        at: $1
      )
    }
    #expect(reception == .accepted)
    #expect(effects == ["settle \(name) succeeded by answer in attempt 1 on 1"] + next)
  }

  @Test("what a worker had at once, and is heard of at once, was executed one after the other")
  func bunch() {
    let scenario = Scenario()
    scenario.expectShort()
    let names = ["a", "b", "c", "d"]
    scenario.submit(names.map { .init($0) }, "spawn 1 of 0")
    scenario.now = Instant(nanoseconds: .milliseconds(20))
    scenario.greet(
      1,
      as: .full,
      "announce 0",
      "dispatch a to 1 as attempt 1",
      "dispatch b to 1 as attempt 1",
      "dispatch c to 1 as attempt 1",
      "dispatch d to 1 as attempt 1"
    )
    scenario.now = Instant(nanoseconds: .milliseconds(1_500))
    end("a", after: 10, in: scenario)
    end("b", after: 5, in: scenario)
    // Its worker does not say how long it took: its times are those of its messages.
    end("c", after: nil, in: scenario)
    end("d", after: 7, in: scenario)
    #expect(times(of: "a", in: scenario) == [20, 30])
    #expect(times(of: "b", in: scenario) == [30, 35])
    #expect(times(of: "c", in: scenario) == [1_500, 1_500])
    #expect(times(of: "d", in: scenario) == [1_493, 1_500])
  }

  @Test("an idle worker begins when it is given something, or so long before it answers")
  func idle() {
    let scenario = Scenario()
    scenario.submit([.init("a"), .init("b", after: ["a"])], "spawn 1 of 0")
    scenario.greet(1, "announce 0", "dispatch a to 1 as attempt 1")
    scenario.now = Instant(nanoseconds: .milliseconds(100))
    end("a", after: 10, in: scenario, "dispatch b to 1 as attempt 1")
    #expect(times(of: "a", in: scenario) == [90, 100])
    scenario.now = Instant(nanoseconds: .milliseconds(300))
    end("b", after: 40, in: scenario)
    #expect(times(of: "b", in: scenario) == [260, 300])
  }

  @Test("where a start is reported once more, for want of something, the time begins anew")
  func delayed() {
    let scenario = Scenario()
    scenario.submit([.init("a")], "spawn 1 of 0")
    scenario.greet(1, as: [.cancel, .teardown], "announce 0", "dispatch a to 1 as attempt 1")
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.now = Instant(nanoseconds: .milliseconds(50))
    scenario.start("a")
    scenario.now = Instant(nanoseconds: .milliseconds(200))
    scenario.answer(
      "a",
      .succeeded,
      "settle a succeeded by answer in attempt 1 on 1",
      elapsed: .milliseconds(60)
    )
    #expect(times(of: "a", in: scenario) == [50, 110])
  }

  /// A scenario whose worker has these, dispatched at once after 20 ms.
  private func bunch(of names: [String]) -> Scenario {
    let scenario = Scenario()
    scenario.expectShort()
    scenario.submit(names.map { .init($0) }, "spawn 1 of 0")
    scenario.now = Instant(nanoseconds: .milliseconds(20))
    let (_, effects) = scenario.context { machine, now in
      machine.workerGreeted(
        WorkerID(rawValue: 1),
        kinds: scenario.kinds,
        capabilities: .full,
        at: now
      )
    }
    #expect(effects.count { $0.hasPrefix("dispatch") } == names.count)
    return scenario
  }

  @Test("one whose start was not heard of when its worker was read had not begun then")
  func anchored() {
    let scenario = bunch(of: ["a", "b", "c", "d"])
    scenario.now = Instant(nanoseconds: .milliseconds(1_000))
    end("a", after: nil, in: scenario)
    scenario.pause(1)
    scenario.now = Instant(nanoseconds: .milliseconds(2_000))
    end("b", after: 10, in: scenario)
    end("c", after: 10, in: scenario)
    #expect(times(of: "b", in: scenario) == [1_000, 1_010])
    #expect(times(of: "c", in: scenario) == [1_010, 1_020])
  }

  @Test("those that were recalled, and executed before, were executed one after the other, too")
  func recalled() {
    let scenario = bunch(of: ["a", "b", "c"])
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.pass(.milliseconds(480), "recall b from 1", "recall c from 1")
    let (_, first) = scenario.context {
      $0.workerReported(
        .answered(.succeeded, .error, .none, elapsed: .milliseconds(30)),
        scenario.reference("a"),
        by: scenario.worker(of: "a"),
        at: $1
      )
    }
    #expect(first == ["settle a succeeded by answer in attempt 1 on 1"])
    end("b", after: 40, in: scenario)
    end("c", after: 50, in: scenario)
    #expect(times(of: "a", in: scenario) == [20, 50])
    #expect(times(of: "b", in: scenario) == [50, 90])
    #expect(times(of: "c", in: scenario) == [450, 500])
  }

  @Test("what is given to a busy worker begins when it was given, and not before")
  func dispatched() {
    let scenario = bunch(of: ["a"])
    scenario.now = Instant(nanoseconds: .milliseconds(100))
    scenario.submit(
      [.init("b"), .init("c")],
      "dispatch b to 1 as attempt 1",
      "dispatch c to 1 as attempt 1"
    )
    scenario.now = Instant(nanoseconds: .milliseconds(200))
    end("a", after: 10, in: scenario)
    end("b", after: 20, in: scenario)
    #expect(times(of: "a", in: scenario) == [20, 30])
    #expect(times(of: "b", in: scenario) == [100, 120])
  }

  @Test("one that never began has no measured time, whatever its worker says")
  func unbegun() {
    let scenario = bunch(of: ["a"])
    scenario.now = Instant(nanoseconds: .milliseconds(100))
    _ = scenario.context { machine, now in machine.change(.cancel(scenario.id("a")), at: now) }
    let (reception, _) = scenario.context {
      $0.workerReported(
        .answered(.cancelled, .error, .none, elapsed: .milliseconds(30)),
        scenario.reference("a"),
        by: scenario.worker(of: "a"),
        at: $1
      )
    }
    #expect(reception == .accepted)
    #expect(scenario.settlements["a"]?.started == nil)
    #expect(times(of: "a", in: scenario).last == 100)
  }

  @Test("a group began no later than its members")
  func group() {
    let scenario = Scenario()
    scenario.staff(1)
    scenario.name(scenario.machine.create(.gatedGroup()), "g")
    scenario.create(.init("a"))
    scenario.addMember("a", to: "g")
    let (_, effects) = scenario.context { machine, now in
      machine.enqueue([scenario.id("g"), scenario.id("a")], in: scenario.queue, at: now)
    }
    #expect(effects == ["dispatch a to 1 as attempt 1"])
    scenario.now = Instant(nanoseconds: .milliseconds(1_500))
    scenario.start("a", "a executes on 1 as attempt 1")
    scenario.answer(
      "a",
      .succeeded,
      "settle a succeeded by answer in attempt 1 on 1",
      "settle g succeeded by answer in attempt 1",
      elapsed: .milliseconds(10)
    )
    #expect(times(of: "a", in: scenario) == [1_490, 1_500])
    #expect(times(of: "g", in: scenario) == [1_490, 1_500])
  }
}
