import PoolModel
import Testing

@testable import PoolCore

/// Operations wait in a worker only if that delays no other.
@Suite("Credit")
struct PrefetchScenarios {
  private func plans(_ names: Range<Int>, timeout: Int64? = nil) -> [Scenario.Plan] {
    names.map { .init("\($0)", timeout: timeout) }
  }

  /// Executes one operation for so long, as the only one of its bunch.
  private func execute(_ name: Int, for length: Int64, in scenario: Scenario) -> [String] {
    scenario.start("\(name)", "\(name) executes on 1 as attempt 1")
    scenario.now = scenario.now.advanced(by: length)
    let (_, effects) = scenario.context { machine, now in
      let reception = machine.workerReported(
        .answered(.succeeded, .error, .none),
        scenario.reference("\(name)"),
        by: WorkerID(rawValue: 1),
        at: now
      )
      machine.workerWasRead(WorkerID(rawValue: 1), at: now)
      return reception
    }
    return effects
  }

  /// How many operations a worker is given at once after some of this length.
  private func prefetch(after length: Int64) -> Int {
    let scenario = Scenario()
    scenario.submit(plans(0..<2_000), "spawn 1 of 0")
    scenario.greet(1, as: .full, "announce 0", "dispatch 0 to 1 as attempt 1")
    for name in 0..<7 {
      let effects = execute(name, for: length, in: scenario)
      #expect(
        effects == [
          "settle \(name) succeeded by answer in attempt 1 on 1",
          "dispatch \(name + 1) to 1 as attempt 1",
        ]
      )
    }
    return execute(7, for: length, in: scenario).count - 1
  }

  @Test("nothing is prefetched before the length is known, then up to two milliseconds of it")
  func growth() {
    #expect(prefetch(after: 499_999) == 1 + 4)
    #expect(prefetch(after: 100_000) == 21)
    #expect(prefetch(after: 1_000) == PrefetchPolicy.countLimit + 1)
  }

  @Test("of operations of 0.5 to 20 ms four are prefetched, or 4 ms of them, of longer ones none")
  func long() {
    #expect(prefetch(after: 500_000) == 1 + 8)
    #expect(prefetch(after: 800_000) == 1 + 5)
    #expect(prefetch(after: .milliseconds(1)) == 1 + 4)
    #expect(prefetch(after: .milliseconds(3)) == 1 + PrefetchPolicy.fewLimit)
    #expect(prefetch(after: .milliseconds(20)) == 1 + PrefetchPolicy.fewLimit)
    #expect(prefetch(after: .milliseconds(21)) == 1)
  }

  /// What two workers are given of so many operations of 10 ms when they are known to be that.
  private func given(_ count: Int, greeted: Int = 2) -> [String] {
    let scenario = Scenario(workers: 2)
    scenario.expect(.milliseconds(10))
    scenario.submit(plans(0..<count), "spawn 1 of 0", "spawn 2 of 0")
    scenario.suspend()
    scenario.greet(1, as: .full, "announce 0")
    if greeted > 1 { scenario.greet(2, as: .full) }
    return scenario.context { machine, _ in machine.change(.suspended(false, scenario.queue)) }.1
  }

  @Test(
    "long ones are prefetched only where more wait than there are workers, and more the more wait"
  )
  func plenty() {
    let first = ["dispatch 0 to 1 as attempt 1", "dispatch 1 to 2 as attempt 1"]
    #expect(given(4) == first)
    #expect(given(5) == first + ["dispatch 2 to 1 as attempt 1"])
    #expect(
      given(9) == first + ["dispatch 2 to 1 as attempt 1", "dispatch 3 to 2 as attempt 1"]
    )
    #expect(given(20).count == 2 + 2 * 3)
    #expect(given(9, greeted: 1) == first.dropLast(), "another worker is on its way")
  }

  @Test("a few are as many as half of what is ready for each worker, eight at most")
  func fewOfMany() {
    let counts = [0, 10, 11, 39, 40, 60, 159, 160, 1_000_000].map {
      PrefetchPolicy.few(ready: $0, workers: 10)
    }
    #expect(counts == [0, 0, 1, 1, 2, 3, 7, 8, 8])
  }

  @Test("behind what is of unknown length, or longer, none of milliseconds is prefetched")
  func behindWhat() {
    func allows(_ expected: Int64, behind first: Int64, count: Int = 0) -> Bool {
      PrefetchPolicy.allows(expected, asOneOf: 2, behind: first, beyond: 0, count: count)
    }
    let limit = PrefetchPolicy.fewLengths.upperBound
    for first in [0, limit + 1] { #expect(!allows(.milliseconds(3), behind: first)) }
    #expect(allows(.milliseconds(3), behind: limit) && allows(limit, behind: 1, count: 1))
    #expect(!allows(limit + 1, behind: 1) && !allows(limit, behind: 1, count: 2))
    #expect(!allows(PrefetchPolicy.fewLengths.lowerBound - 1, behind: 1), "work counts for these")
  }

  @Test("more than four are prefetched only if all of them are work for four milliseconds")
  func manyOfFew() {
    func allows(_ expected: Int64, beyond work: Int64, count: Int) -> Bool {
      PrefetchPolicy.allows(expected, asOneOf: 8, behind: 1, beyond: work, count: count)
    }
    #expect(allows(.milliseconds(20), beyond: .milliseconds(60), count: 3))
    #expect(!allows(.milliseconds(20), beyond: .milliseconds(80), count: 4))
    #expect(allows(500_000, beyond: 3_500_000, count: 7))
    #expect(!allows(500_000, beyond: 3_500_001, count: 7))
    #expect(!allows(500_000, beyond: 0, count: 8))
  }

  @Test("a worker is given more when half of the work is left, 3 ms of a few, or one operation")
  func low() {
    func runsLow(_ work: Int64, _ count: Int, gathers: Bool = false) -> Bool {
      PrefetchWindow().runsLow(work, count: count, gathers: gathers)
    }
    #expect(runsLow(1_000_000, 9))
    #expect(!runsLow(1_000_001, 9))
    #expect(runsLow(3_000_000, 2, gathers: true))
    #expect(!runsLow(3_000_001, 2, gathers: true))
    #expect(runsLow(.milliseconds(20), 1))
    #expect(runsLow(512, 512) && !runsLow(513, 513))
  }

  @Test("answers wait for each other only where workers have their next operations, and many end")
  func gathering() {
    let length = Int64.milliseconds(10)
    #expect(PrefetchPolicy.gathers(busy: 10, holding: 10, length))
    #expect(PrefetchPolicy.gathers(busy: 24, holding: 21, length))
    #expect(!PrefetchPolicy.gathers(busy: 24, holding: 20, length), "too many run dry")
    #expect(!PrefetchPolicy.gathers(busy: 9, holding: 9, length), "too few end meanwhile")
    #expect(!PrefetchPolicy.gathers(busy: 0, holding: 0, 0))
    #expect(!PrefetchPolicy.gathers(busy: 500, holding: 500, 0), "short ones")
    #expect(PrefetchPolicy.fills(few: 8, 500_000) && !PrefetchPolicy.fills(few: 7, 500_000))
    #expect(PrefetchPolicy.fills(few: 1, .milliseconds(4)))
  }

  /// Whether answers wait after two workers were given what they may hold of so many operations of
  /// a millisecond.
  private func gathers(_ count: Int) -> Bool {
    let scenario = Scenario(workers: 2)
    scenario.expect(.milliseconds(1))
    scenario.submit(plans(0..<count), "spawn 1 of 0", "spawn 2 of 0")
    scenario.suspend()
    scenario.greet(1, as: .full, "announce 0")
    scenario.greet(2, as: .full)
    _ = scenario.context { machine, _ in machine.change(.suspended(false, scenario.queue)) }
    return scenario.machine.dispatcher.gathersAnswers
  }

  @Test("answers wait only while so much is ready that workers do not run out of work")
  func gatheringNeedsMore() {
    #expect(gathers(100))
    #expect(!gathers(16), "workers may hold work for less than twice that time")
  }

  @Test("a line of a few is filled up when a single one is left, in one go")
  func refill() {
    let scenario = Scenario()
    scenario.expect(.milliseconds(10))
    scenario.submit(plans(0..<100), "spawn 1 of 0")
    scenario.greet(
      1,
      as: .full,
      "announce 0",
      "dispatch 0 to 1 as attempt 1",
      "dispatch 1 to 1 as attempt 1",
      "dispatch 2 to 1 as attempt 1",
      "dispatch 3 to 1 as attempt 1",
      "dispatch 4 to 1 as attempt 1"
    )
    for name in 0..<2 { #expect(execute(name, for: .milliseconds(10), in: scenario).count == 1) }
    #expect(
      execute(2, for: .milliseconds(10), in: scenario).dropFirst() == [
        "dispatch 5 to 1 as attempt 1", "dispatch 6 to 1 as attempt 1",
        "dispatch 7 to 1 as attempt 1",
      ]
    )
  }

  @Test("a line of a few long ones is asked back for what is urgent")
  func askedBack() {
    let scenario = Scenario()
    scenario.expect(.milliseconds(10))
    scenario.submit(plans(0..<6), "spawn 1 of 0")
    scenario.greet(
      1,
      as: .full,
      "announce 0",
      "dispatch 0 to 1 as attempt 1",
      "dispatch 1 to 1 as attempt 1",
      "dispatch 2 to 1 as attempt 1"
    )
    scenario.start("0", "0 executes on 1 as attempt 1")
    scenario.submit([.init("urgent", .veryHigh)], "recall 1 from 1", "recall 2 from 1")
  }

  /// Short operations are expected; `0` executes on the one worker.
  private func expectingShort(workers: Int = 1, _ count: Int) -> Scenario {
    let scenario = Scenario(workers: workers)
    scenario.expectShort()
    scenario.machine.change(.width(1, of: scenario.queue))
    scenario.submit(plans(0..<count), "spawn 1 of 0")
    scenario.greet(1, as: .full, "announce 0", "dispatch 0 to 1 as attempt 1")
    scenario.start("0", "0 executes on 1 as attempt 1")
    return scenario
  }

  @Test("what is prefetched counts towards the width")
  func width() {
    let scenario = expectingShort(5)
    scenario.widen(
      to: 3,
      "dispatch 1 to 1 as attempt 1",
      "dispatch 2 to 1 as attempt 1"
    )
    scenario.widen(to: 4, "dispatch 3 to 1 as attempt 1")
  }

  @Test("where starts need permits, each dispatch uses one, and nothing is prefetched")
  func permits() {
    let scenario = Scenario(workers: 2)
    scenario.expectShort()
    scenario.machine.change(.permits(1, of: scenario.queue))
    scenario.submit(plans(0..<5), "spawn 1 of 0", "spawn 2 of 0")
    scenario.greet(1, as: .full, "announce 0", "dispatch 0 to 1 as attempt 1")
    scenario.start("0", "0 executes on 1 as attempt 1")
    // One that is short would be given to the worker that is busy.
    scenario.permit(2)
    scenario.answer(
      "0",
      .succeeded,
      "settle 0 succeeded by answer in attempt 1 on 1",
      "dispatch 1 to 1 as attempt 1"
    )
    scenario.greet(2, as: .full, "dispatch 2 to 2 as attempt 1")
    #expect(scenario.machine.dispatcher.starts(of: scenario.queue) == (assigned: 2, permits: 0))
    scenario.start("1", "1 executes on 1 as attempt 1")
    scenario.answer("1", .succeeded, "settle 1 succeeded by answer in attempt 1 on 1")
    scenario.permit(0)
    scenario.permit(1, "dispatch 3 to 1 as attempt 1")
  }

  @Test("what is prefetched behind an execution that turns out long is asked back")
  func patience() {
    let scenario = expectingShort(3)
    scenario.widen(
      to: 9,
      "dispatch 1 to 1 as attempt 1",
      "dispatch 2 to 1 as attempt 1"
    )
    scenario.pass(PrefetchPolicy.patience)
    scenario.pass(1_000, "recall 1 from 1", "recall 2 from 1")
    // Nothing goes there again until it has nothing left.
    scenario.allowReuse(of: "2")
    scenario.allowReuse(of: "1")
    scenario.pass(.seconds(1))
    scenario.answer(
      "0",
      .succeeded,
      "settle 0 succeeded by answer in attempt 1 on 1",
      "dispatch 1 to 1 as attempt 1",
      "dispatch 2 to 1 as attempt 1"
    )
  }

  @Test("what came to be prefetched after the execution had begun is asked back just so")
  func latePatience() {
    let scenario = expectingShort(1)
    scenario.machine.change(.width(9, of: scenario.queue))
    scenario.pass(.milliseconds(4))
    scenario.submit(plans(1..<2), "dispatch 1 to 1 as attempt 1")
    scenario.pass(.milliseconds(2), "recall 1 from 1")
    scenario.allowReuse(of: "1")
  }

  @Test("nothing is put behind an execution that is long already")
  func noPatienceLeft() {
    let scenario = expectingShort(1)
    scenario.machine.change(.width(9, of: scenario.queue))
    scenario.pass(.milliseconds(10))
    scenario.submit(plans(1..<2))
    scenario.answer(
      "0",
      .succeeded,
      "settle 0 succeeded by answer in attempt 1 on 1",
      "dispatch 1 to 1 as attempt 1"
    )
  }

  @Test("an operation that was recalled has not spent an attempt")
  func attempts() {
    let scenario = expectingShort(2)
    scenario.widen(to: 2, "dispatch 1 to 1 as attempt 1")
    scenario.pass(.milliseconds(10), "recall 1 from 1")
    // The recall comes too late: the worker has begun it meanwhile.
    scenario.answer("0", .succeeded, "settle 0 succeeded by answer in attempt 1 on 1")
    scenario.allowReuse(of: "1", "dispatch 1 to 1 as attempt 1")
    scenario.start("1", "1 executes on 1 as attempt 1")
    scenario.answer("1", .succeeded, "settle 1 succeeded by answer in attempt 1 on 1")
  }

  @Test("busy workers share evenly what may be prefetched")
  func share() {
    let scenario = Scenario(workers: 2)
    scenario.expectShort()
    scenario.submit(plans(0..<6), "spawn 1 of 0", "spawn 2 of 0")
    scenario.suspend()
    scenario.greet(1, as: .full, "announce 0")
    scenario.greet(2, as: .full)
    scenario.resume(
      "dispatch 0 to 1 as attempt 1",
      "dispatch 1 to 2 as attempt 1",
      "dispatch 2 to 1 as attempt 1",
      "dispatch 3 to 1 as attempt 1",
      "dispatch 4 to 2 as attempt 1",
      "dispatch 5 to 2 as attempt 1"
    )
  }
}
