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
    ready: Int64 = 100
  ) -> [Int64] {
    let span = AttemptSpan(
      of: elapsed,
      from: Instant(nanoseconds: earliest),
      told: told.map { Instant(nanoseconds: $0) },
      ready: Instant(nanoseconds: ready),
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
    #expect(span(50, from: 870, told: 880) == [870, 900, 30])
    #expect(span(50, from: 20, told: 60) == [100, 150, 50])
    #expect(span(.max, from: 200, told: 300) == [200, 900, 700])
    #expect(span(-1, from: 200, told: 300) == [300, 300, 0])
  }

  @Test("what cannot be true is cut")
  func lies() {
    #expect(span(5_000, from: 200) == [200, 900, 700])
    #expect(span(.max, from: 200) == [200, 900, 700])
    #expect(span(-1, from: 200) == [200, 200, 0])
    #expect(span(50, from: 2_000) == [900, 900, 0])
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
    // Its worker does not say how long it took: no longer than until now.
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
}
