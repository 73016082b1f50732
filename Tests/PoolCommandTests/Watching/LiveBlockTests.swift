import PoolAnalysis
import PoolModel
import PoolSystem
import PoolTestSupport
import PoolText
import Testing

@testable import PoolReports

/// Contract: a live block fits on the screen, its counts add up, and it says why slots are idle.
@Suite("The live block")
struct LiveBlockTests {
  private static let style = LiveBlock.Style(hasColors: false, isUnicode: true)
  private static let second: Int64 = 1_000_000_000

  /// A run of which two of eight slots are taken, and the rest wait for a limit.
  private func run(elapsed: Int64 = 9) -> WatchedRun {
    var progress = ProgressSnapshot(
      finished: 40,
      total: 299,
      executing: 1,
      failed: 0,
      elapsed: elapsed * Self.second
    )
    progress.executed = 40
    progress.oldest = [ProgressSnapshot.Execution(label: "S04/fetch", elapsed: 3 * Self.second)]
    var facts = SlotFacts(slots: 8, taken: 1)
    facts.ready = 23
    facts.lacks = [
      SlotFacts.Lack(
        ResourceName(.limit, Array("net".utf8)),
        units: 1,
        waiting: 23,
        holders: ["S04/fetch"]
      )
    ]
    var run = WatchedRun(progress, facts)
    run.executions = [WatchedRun.Execution(4, for: 3 * Self.second)]
    return run
  }

  private func details(_ number: Int) -> WatchedRun.Details {
    let last = Array("curl: 12 % 4.1M of 33M".utf8)
    return WatchedRun.Details("S04/fetch", at: "worker 5", expected: Self.second, last: last)
  }

  private func lines(of run: WatchedRun, columns: Int, rows: Int = 24) -> [String] {
    var block = LiveBlock(Self.style)
    let size = Terminal.Size(columns: columns, rows: rows)
    var earlier = run
    earlier.progress.elapsed -= 3 * Self.second
    _ = block.lines(of: earlier, in: size, describe: details)
    return block.lines(of: run, in: size, describe: details)
  }

  @Test("has what fits at each width, and says why slots are idle")
  func widths() {
    #expect(lines(of: run(), columns: 20) == ["40/299"])
    #expect(
      lines(of: run(), columns: 50) == [
        "40/299  1 of 8 executing  23 ready  235 waiting",
        "  limit net (1) is taken by S04/fetch: 7 of 8 sl…",
        "  S04/fetch      0:03 of ~0:01  curl: 12 % 4.1M …",
      ]
    )
    #expect(
      lines(of: run(), columns: 100) == [
        "40/299  ━━━━────────────────────────────  13%  1 of 8 executing  23 ready  235 waiting  0:09  4.4/s",
        "  7 of 8 slots idle for 0:03: limit net (1) is taken by S04/fetch",
        "  S04/fetch      0:03 of ~0:01  curl: 12 % 4.1M of 33M",
      ]
    )
  }

  @Test("counts the reasons that have no room beside the most important one")
  func fewReasons() {
    var several = run()
    several.slots.lacks[0].waiting = 3
    several.slots.ready = 3
    (several.progress.delayed, several.progress.nextAttempt) = (2, 5 * Self.second)
    let start = "  7 of 8 slots idle for 0:03: limit net (1) is taken by S04/fetch (3)"
    #expect(
      lines(of: several, columns: 140)[1]
        == start + ", the next attempt begins in 0:05 (2), nothing else is ready (2)"
    )
    #expect(
      lines(of: several, columns: 130)[1]
        == start + ", the next attempt begins in 0:05 (2) and 1 more reason"
    )
    let narrow = lines(of: several, columns: 80)[1]
    #expect(narrow.hasPrefix("  7 of 8 slots idle for 0:03: limit net (1) is taken"))
    #expect(narrow.hasSuffix("… and 2 more reasons") && DisplayWidth.of(narrow) == 79)
    #expect(
      lines(of: several, columns: 60)[1].hasPrefix(
        "  limit net (1) is taken by S04/fetch and 2 more reasons: "
      )
    )
  }

  @Test("says of what is being ended for how long, and by which step")
  func ending() {
    var block = LiveBlock(LiveBlock.Style(hasColors: true, isUnicode: true))
    let lines = block.lines(of: run(), in: Terminal.Size(columns: 100, rows: 24)) { number in
      var details = details(number)
      details.expected = nil
      details.ending = Standing.Ending(for: 2 * Self.second, as: .cancelled, by: "SIGTERM")
      return details
    }
    let line = lines.last ?? ""
    #expect(line.contains("being ended for 0:02 by SIGTERM") && !line.contains("curl"))
    #expect(line.hasPrefix("\u{1B}[33m"), "it is shown as what needs attention")
  }

  @Test("counts what executes for a while and has no row")
  func more() {
    var many = run()
    many.executions = (0..<12).map { WatchedRun.Execution($0, for: 3 * Self.second) }
    many.executions.append(WatchedRun.Execution(99, for: 10))
    let lines = lines(of: many, columns: 80, rows: 60)
    #expect(lines.count { $0.contains("S04/fetch  ") } == 8)
    #expect(lines.last == "  … and 4 more")
    many.executions.removeLast(5)
    #expect(!self.lines(of: many, columns: 80, rows: 60).contains { $0.contains("…") })
  }

  @Test("says nothing of slots that were idle for a moment")
  func patience() {
    var block = LiveBlock(Self.style)
    let size = Terminal.Size(columns: 80, rows: 24)
    func hasReason(_ run: WatchedRun) -> Bool {
      block.lines(of: run, in: size, describe: details).contains { $0.contains("idle") }
    }
    #expect(!hasReason(run(elapsed: 9)) && !hasReason(run(elapsed: 10)))
    #expect(hasReason(run(elapsed: 11)))
    var busy = run(elapsed: 12)
    busy.slots.taken = 8
    #expect(!hasReason(busy) && !hasReason(run(elapsed: 13)))
    #expect(hasReason(run(elapsed: 15)))
  }

  @Test("shows groups on wide screens, and the latest failures, the latest last")
  func parts() {
    var failed = run()
    failed.progress.failed = 2
    failed.failures = ["b failed: exit code 2", "a timed out"]
    failed.shares = [WatchedRun.Share("align", 34, of: 52), WatchedRun.Share("call", 12, of: 26)]
    let wide = lines(of: failed, columns: 120, rows: 60)
    #expect(wide[1] == "  align 34/52 · call 12/26")
    #expect(wide[3...4] == ["  a timed out", "  b failed: exit code 2"])
    #expect(wide[5].contains("worker 5 curl"))
    let narrow = lines(of: failed, columns: 119, rows: 24)
    #expect(!narrow.contains { $0.contains("align") } && !narrow.contains { $0.contains("timed") })
    #expect(narrow[2] == "  b failed: exit code 2")
  }

  @Test("has colours only where they are wanted, and no bar beyond ASCII where it is not shown")
  func styles() {
    var block = LiveBlock(LiveBlock.Style(hasColors: true, isUnicode: false))
    let size = Terminal.Size(columns: 100, rows: 24)
    let line = block.lines(of: run(), in: size, describe: details)[0]
    #expect(line.hasPrefix("\u{1B}[1m40/299\u{1B}[m  \u{1B}[32m####\u{1B}[m\u{1B}[2m---"))
  }

  @Test("is never wider than the screen nor as high, and has no character that moves the cursor")
  func size() {
    var generator = SeededGenerator(seed: 37)
    for number in 0..<10_000 {
      let size = Terminal.Size(
        columns: [1, 20, 40, 80, 119, 120, 200][number % 7],
        rows: [1, 3, 8, 24, 60][number % 5]
      )
      var block = LiveBlock(Self.style)
      let lines = block.lines(
        of: .random(&generator),
        in: size,
        describe: WatchedRun.details(of:)
      )
      let isSafe = lines.allSatisfy { line in
        line.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
      }
      let fits = lines.allSatisfy { DisplayWidth.of($0) < max(size.columns, 1) }
      #expect(isSafe && fits && !lines.isEmpty, "\(number): \(lines)")
      #expect(lines.count <= max(size.rows - 1, 1), "\(number): \(lines)")
    }
  }

  /// The counts of the first line are those of all operations.
  @Test("counts every operation once")
  func counts() throws {
    var generator = SeededGenerator(seed: 38)
    for number in 0..<10_000 {
      let run = WatchedRun.random(&generator)
      let line = StatusLine(run, Self.style).line(columns: 1_000, isIdle: false)
        .text(hasColors: false)
      func count(_ pattern: Regex<(Substring, Substring)>) -> Int {
        line.firstMatch(of: pattern).flatMap { Int($0.1) } ?? 0
      }
      let sum =
        count(/^([0-9]+)\//) + count(/\ \ ([0-9]+) (?:of [0-9]+ )?executing/)
        + count(/\ \ ([0-9]+) to retry/) + count(/\ \ ([0-9]+) ready/)
        + count(/\ \ ([0-9]+) waiting/)
      #expect(sum == run.progress.total, "\(number): \(line)")
    }
  }

  @Test("knows a reason for every idle slot")
  func reasons() {
    var generator = SeededGenerator(seed: 39)
    for number in 0..<10_000 {
      let run = WatchedRun.random(&generator)
      let idle = IdleSlots(run.slots, run.progress)
      let count = idle.parts.reduce(0) { $0 + $1.count }
      #expect(count == max(run.slots.slots - run.slots.taken, 0), "\(number)")
      #expect(idle.parts.allSatisfy { $0.count > 0 }, "\(number)")
    }
  }
}
