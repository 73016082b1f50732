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
    snapshot.executed = 120
    return snapshot
  }

  @Test("say what is done, what failed, what executes, and about how long it takes")
  func sentence() {
    #expect(snapshot.report == "120 of 500 done, 3 failed, 8 executing, about 2:10 left")
  }

  @Test("know the time from what executed in this run, or from a forecast")
  func time() {
    var resumed = snapshot
    resumed.executed = 60
    #expect(resumed.report.hasSuffix(", about 4:20 left"))
    resumed.executed = 0
    #expect(resumed.report == "120 of 500 done, 3 failed, 8 executing")
    resumed.remaining = RemainingTime(nanoseconds: 90_000_000_000)
    #expect(resumed.report.hasSuffix(", about 1:30 left"))
  }

  @Test("promise no time while the input is open, and name no failures without any")
  func open() {
    var open = snapshot
    (open.isOpen, open.failed) = (true, 0)
    #expect(open.report == "120 of 500 so far done, 8 executing")
  }
}
