import PoolEvents
import PoolModel
import Testing

@testable import PoolCommand
@testable import PoolReports

/// Contract: a log gets a line about the progress as often as wanted, and a terminal none.
@Suite("Reports of the progress")
struct ProgressReportTests {
  private typealias Choice = ProgressReports.Choice
  private static let usual = ProgressReports.usualInterval

  @Test("come every 30 s where standard error is no terminal and nothing speaks against it")
  func usual() {
    #expect(Self.usual == 30_000_000_000)
    #expect(Choice().interval == Self.usual)
    #expect(Choice(isErrorTerminal: true).interval == nil)
    #expect(Choice(isQuiet: true).interval == nil)
    #expect(Choice(declinesProgress: true).interval == nil)
    #expect(Choice(hasProgressLine: true).interval == nil)
  }

  @Test("come as often as the user says, but not beside a progress line")
  func wished() {
    #expect(Choice(request: 5).interval == 5)
    #expect(Choice(request: 0).interval == nil)
    let others = Choice(request: 5, isQuiet: true, declinesProgress: true, isErrorTerminal: true)
    #expect(others.interval == 5)
    #expect(Choice(request: 5, hasProgressLine: true).interval == nil)
  }

  @Test("are due an interval after each other, and missed ones are not made up for")
  func due() {
    var reports = ProgressReports(every: 10, from: 100)
    #expect(reports.nextAt == 110 && !reports.isDue(at: 109))
    #expect(reports.isDue(at: 110) && !reports.isDue(at: 110) && !reports.isDue(at: 119))
    #expect(reports.isDue(at: 165) && reports.nextAt == 175)
  }

  @Test("never come where the interval is longer than any clock shows")
  func longInterval() {
    var reports = ProgressReports(every: .max, from: 100)
    #expect(reports.nextAt == .max && !reports.isDue(at: .max - 1))
    #expect(reports.isDue(at: .max) && reports.nextAt == .max)
  }

  private var snapshot: ProgressSnapshot {
    var snapshot = ProgressSnapshot(
      finished: 120,
      total: 500,
      executing: 8,
      failed: 3,
      elapsed: 41_053_000_000
    )
    snapshot.remaining = RemainingTime(nanoseconds: 130_000_000_000)
    return snapshot
  }

  @Test("say what is done, what failed, what executes, and about how long it takes")
  func sentence() {
    #expect(snapshot.report == "120 of 500 done, 3 failed, 8 executing, about 2:10 left")
  }

  @Test("say the time that the line says, and none where that says none")
  func time() {
    var unknown = snapshot
    unknown.remaining = nil
    #expect(unknown.report == "120 of 500 done, 3 failed, 8 executing")
    unknown.remaining = RemainingTime(nanoseconds: 90_000_000_000, isAtLeast: true)
    #expect(unknown.report.hasSuffix(", about 1:30+ left"))
    #expect(unknown.line(width: .max).hasSuffix(", 1:30+ left"))
  }

  @Test("name the three operations that have executed longest, and count the others")
  func oldest() {
    var named = snapshot
    named.oldest = ["a", "b\u{1B}", String(repeating: "x", count: 80) + "1", "d"].map {
      ProgressSnapshot.Execution(label: $0, elapsed: 61_000_000_000)
    }
    let cut = String(repeating: "x", count: 29)
    #expect(
      named.report
        == #"120 of 500 done, 3 failed, 8 executing (a 1:01, b\x1B 1:01, \#(cut)…\#(cut)1 1:01"#
        + " and 5 more), about 2:10 left"
    )
    (named.oldest, named.executing) = ([named.oldest[0]], 1)
    #expect(named.report == "120 of 500 done, 3 failed, 1 executing (a 1:01), about 2:10 left")
  }

  @Test("say why slots are idle")
  func idle() {
    var waiting = snapshot
    waiting.idle = IdleSlots(SlotFacts(slots: 9, taken: 8), waiting)
    #expect(
      waiting.report == "120 of 500 done, 3 failed, 8 executing, about 2:10 left; 1 slot idle: "
        + "nothing else is ready"
    )
    waiting.idle = IdleSlots(SlotFacts(slots: 8, taken: 8), waiting)
    #expect(!waiting.report.contains("idle"))
  }

  @Test("promise no time while the input is open, and name no failures without any")
  func open() {
    var open = snapshot
    (open.isOpen, open.failed, open.remaining) = (true, 0, nil)
    #expect(open.report == "120 of 500 so far done, 8 executing")
  }
}

/// Contract: an estimate by the rate is made of what has ended, and never counts upwards.
@Suite("The remaining time at the rate so far")
struct RateEstimateTests {
  private func remaining(
    _ estimate: inout RateEstimate,
    finished: Int,
    executed: Int,
    at seconds: Int64
  ) -> Int64? {
    let basis = RateEstimate.Basis(executed: executed, rest: 500 - finished)
    return estimate.remaining(basis, after: seconds * 1_000_000_000).map { $0 / 1_000_000_000 }
  }

  @Test("is that of operations that executed in this run")
  func rate() {
    var estimate = RateEstimate()
    #expect(remaining(&estimate, finished: 120, executed: 0, at: 40) == nil)
    #expect(remaining(&estimate, finished: 250, executed: 250, at: 40) == 40)
    #expect(remaining(&estimate, finished: 300, executed: 100, at: 40) == 80)
  }

  @Test("is counted down while nothing ends, and unknown when it was too short")
  func countdown() {
    var estimate = RateEstimate()
    let times: [Int64?] = (0...6).map { seconds in
      remaining(&estimate, finished: 400, executed: 400, at: 20 + seconds)
    }
    #expect(times == [5, 4, 3, 2, 1, nil, nil])
    #expect(remaining(&estimate, finished: 401, executed: 401, at: 26) == 6)
  }

  @Test("is asked of the progress of a run, in reports and in the status")
  func progress() {
    let progress = RunProgress()
    progress.expect(3)
    progress.take(
      .started(AttemptStarted(number: 0, attempt: 1, worker: .init(rawValue: 1), time: .zero))
    )
    progress.take(
      .settled(EndRecord(number: 0, ending: .succeeded, attempt: 1), counts: true)
    )
    func time(_ seconds: Int64) -> Int64? {
      let now = Instant(nanoseconds: seconds * 1_000_000_000)
      let status = progress.status(at: now, id: { _ in [] }, label: { _ in "" })
      let snapshot = progress.snapshot(at: now) { _ in "" }
      #expect(status.progress.remaining == snapshot.remaining)
      return snapshot.remaining?.nanoseconds
    }
    #expect(time(5) == 10_000_000_000)
    #expect(time(8) == 7_000_000_000)
    #expect(time(15) == nil)
  }
}
