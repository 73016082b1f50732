import PoolModel
import PoolTestSupport

@testable import PoolReports

extension WatchedRun {
  /// A state of a run that may be, with hostile names.
  static func random(_ generator: inout SeededGenerator) -> Self {
    let slots = Int.random(in: 0...70, using: &generator)
    let executing = Int.random(in: 0...max(slots, 1), using: &generator)
    let finished = Int.random(in: 0...120_000, using: &generator)
    let ready = Int.random(in: 0...3, using: &generator) * Int.random(in: 0...90, using: &generator)
    let delayed = Int.random(in: 0...4, using: &generator) / 3
    let waiting = Int.random(in: 0...2, using: &generator) * 17
    var progress = ProgressSnapshot(
      finished: finished,
      total: finished + executing + ready + delayed + waiting,
      executing: executing,
      failed: Int.random(in: 0...min(finished, 3), using: &generator),
      elapsed: Int64.random(in: 0...400_000_000_000_000, using: &generator)
    )
    progress.executed = finished / 2
    progress.delayed = delayed
    progress.nextAttempt =
      delayed > 0 ? Int64.random(in: 0...9_000_000_000, using: &generator) : nil
    progress.isOpen = Bool.random(using: &generator)
    progress.oldest = (0..<min(executing, 2)).map { number in
      ProgressSnapshot.Execution(label: name(of: number), elapsed: 5)
    }
    var facts = SlotFacts(
      slots: slots,
      taken: min(executing + Int.random(in: 0...2, using: &generator), max(slots, executing))
    )
    facts.executing = min(executing + (number(&generator, 4) == 0 ? 1 : 0), facts.taken)
    facts.ready = ready
    facts.idleWorkers = Int.random(in: 0...3, using: &generator)
    facts.wide = ready > 5 ? Int.random(in: 0...2, using: &generator) : 0
    if ready > 10, Bool.random(using: &generator) {
      let names = (0..<Int.random(in: 0...3, using: &generator)).map { name(of: $0) }
      facts.lacks = [
        SlotFacts.Lack(
          ResourceName(.limit, Array("net".utf8)),
          units: 1,
          waiting: ready / 2,
          holders: names
        )
      ]
    }
    facts.pause = Int.random(in: 0...9, using: &generator) == 0 ? "outputs are not read" : nil
    facts.hold = Int.random(in: 0...9, using: &generator) == 0 ? "the load is 3.50" : nil
    facts.absence =
      Int.random(in: 0...9, using: &generator) == 0
      ? .lost("ssh build2", nextIn: 5_000_000_000) : nil
    var run = WatchedRun(progress, facts)
    run.skipped = Int.random(in: 0...2, using: &generator)
    run.executions = (0..<executing).map { number in
      WatchedRun.Execution(number, for: Int64.random(in: 0...90_000_000_000, using: &generator))
    }
    run.failures = (0..<Int.random(in: 0...3, using: &generator)).map {
      "\(name(of: $0)) failed: exit code 3"
    }
    run.shares = (0..<Int.random(in: 0...4, using: &generator)).map {
      WatchedRun.Share(name(of: $0), $0, of: 9)
    }
    return run
  }

  private static func number(_ generator: inout SeededGenerator, _ limit: Int) -> Int {
    Int.random(in: 0..<limit, using: &generator)
  }

  /// Names that would move the cursor, or take two columns for each character.
  static func name(of number: Int) -> String {
    let names = ["S04/fetch", "\u{1B}[2J\r\u{7}", "漢字漢字漢字漢字", "a\nb", "🙂🙂🙂", "e\u{301}\u{202E}x"]
    return names[number % names.count] + "\(number)"
  }

  /// What is shown of an operation; some have written hostile lines.
  static func details(of number: Int) -> Details {
    Details(
      name(of: number),
      at: number % 2 == 0 ? "worker \(number)" : "ssh build1",
      expected: number % 3 == 0 ? nil : Int64(number) * 1_000_000_000,
      last: number % 4 == 0 ? nil : Array("\u{1B}]0;x\u{7}\r50 % \u{8}漢\u{9B}31m\(number)".utf8)
    )
  }
}
