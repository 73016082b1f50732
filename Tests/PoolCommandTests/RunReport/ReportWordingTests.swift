import PoolAnalysis
import PoolEvents
import PoolModel
import PoolReports
import Testing

/// Contract: both reports say the same, in sentences and numbers that people read.
@Suite("The words of a report")
struct ReportWordingTests {
  @Test(
    "Times have two or three digits, and look like a clock from a minute on",
    arguments: [
      (0, "0 s"), (400, "0.0 ms"), (1_540_000, "1.5 ms"), (9_960_000, "10 ms"),
      (99_400_000, "99 ms"), (99_600_000, "0.10 s"), (9_990_000_000, "9.99 s"),
      (9_996_000_000, "10.0 s"), (59_960_000_000, "1:00 min"), (3_599_600_000_000, "1:00:00 h"),
      (-5, "0 s"), (.max, "2562047:47:17 h"),
    ]
  )
  func durations(_ time: Int64, _ text: String) { #expect(ReportWording.duration(time) == text) }

  @Test(
    "Shares are never shown as nothing, nor as all, unless they are",
    arguments: [
      (0, "0.0 %"), (0.0001, "< 0.1 %"), (0.0815, "8.2 %"), (0.0999, "10 %"), (0.915, "92 %"),
      (0.9949, "99.5 %"), (0.9996, "100 %"), (1, "100 %"),
    ]
  )
  func shares(_ share: Double, _ text: String) { #expect(ReportWording.share(share) == text) }

  @Test("A category is called what the manifest calls it, in causes and in advice")
  func categories() {
    let (disk, net) = (ResourceName(.exclusive, [100]), ResourceName(.limit, [110]))
    let history = SyntheticRun().history
    #expect(ReportWording.use(.limit(disk)) == "waited for exclusive 'd'")
    #expect(ReportWording.reason(.limit(net)) == "limit 'n'")
    #expect(
      ReportWording.change(.limit(disk, 2), in: history)
        == "if 2 operations at once could take exclusive 'd'"
    )
    #expect(ReportWording.change(.limit(net, 2), in: history) == "with 2 units of limit 'n'")
  }

  @Test("The verdict counts outcomes, says how busy slots were, and what failed attempts cost")
  func verdict() {
    var run = SyntheticRun()
    for number in 0..<3 { run.submit(number, Array("op\(number)".utf8)) }
    run.execute(0, on: 0, for: 1_000_000_000)
    run.execute(1, on: 0, for: 1_000_000_000, as: .timedOut, saying: "too long")
    run.execute(2, on: 0, for: 1_000_000_000)
    run.end(1)
    let verdict = ReportWording.verdict(RunAnalysis(run.history))
    #expect(verdict.first == "2 of 3 operations succeeded in 3.00 s: 1 timed out.")
    #expect(verdict.contains("The 2 slots executed operations for 50 % of the time."))
    #expect(verdict.last == "Attempts that did not succeed took 1.00 s of slot time (17 %).")
  }

  @Test("What others have asked for is said with who they were")
  func steering() {
    var run = SyntheticRun()
    run.submit(0, Array("op".utf8))
    var history = run.history
    let asker = RunSteered.Asker(user: 7, process: 3, command: Array("a\u{1B}b".utf8))
    let targets = RunSteered.CancelledTargets([0], count: 1, skipped: 2)
    for (action, time) in [
      (RunSteered.Action.pause, Int64(1)), (.unpause, 3), (.cancel(targets), 4),
      (.scale(to: 4, from: 2), 5), (.pause, 6),
    ] {
      history.take(
        .steered(RunSteered(action, by: asker)),
        at: Instant(nanoseconds: time * 1_000_000_000)
      )
    }
    let verdict = ReportWording.verdict(RunAnalysis(history))
    let who = #"user 7 (a\x1Bb, process 3)"#
    #expect(verdict.contains("It was paused for 2.00 s by \(who)."))
    #expect(verdict.contains("It was paused for 0 s by \(who)."))
    #expect(
      verdict.contains(
        "At 4.00 s, 1 operation was cancelled by \(who); 2 depended on that."
      )
    )
    #expect(verdict.contains("At 5.00 s, it was scaled from 2 to 4 slots by \(who)."))
    #expect(ReportWording.asker(RunSteered.Asker(user: nil)) == "another process")
  }
}
