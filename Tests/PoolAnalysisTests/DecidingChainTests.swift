import PoolEvents
import PoolModel
import PoolTestSupport
import Testing

@testable import PoolAnalysis

/// From the end of a run backwards, each attempt names what it waited for last.
@Suite("Why a run took that long")
struct DecidingChainTests {
  @Test("a dependency, a slot and the beginning")
  func plain() {
    var run = RecordedScenario(slots: 2)
    let first = run.submit()
    let second = run.submit()
    let third = run.submit()
    let last = run.submit(after: [third])
    run.execute(first, on: 0, 0...3)
    run.execute(second, on: 1, 0...2)
    run.execute(third, on: 1, 2...7)
    run.execute(last, on: 0, 7...8)
    let analysis = RunAnalysis(run.ended(at: 9))
    #expect(analysis.chainWords == ["o1 beginning", "o2 slot", "o3 dependency"])
  }

  @Test("an outcome that is told behind the start of a dependent is a dependency all the same")
  func lateOutcome() {
    var run = RecordedScenario(slots: 2)
    let first = run.submit()
    let last = run.submit(after: [first])
    run.execute(first, on: 0, 0...3, toldAt: 3.5)
    // The clock of the later one's worker is a little early.
    run.execute(last, on: 1, 2.9...5)
    #expect(RunAnalysis(run.ended(at: 5)).chainWords == ["o0 beginning", "o1 dependency"])
  }

  @Test("a group as a dependency is its last member")
  func group() {
    var run = RecordedScenario(slots: 2)
    let group = run.submit(members: 2)
    let quick = run.submit(group: group)
    let slow = run.submit(group: group)
    let last = run.submit(after: [group])
    run.execute(quick, on: 0, 0...1)
    run.execute(slow, on: 1, 0...5)
    run.settleGroup(group, at: 5)
    run.execute(last, on: 0, 5...6)
    #expect(RunAnalysis(run.ended(at: 6)).chainWords == ["o2 beginning", "o3 dependency"])
  }

  @Test("a resource counts only where all of its units were taken")
  func limit() {
    for (units, reason) in [(1, "limit 'net'"), (3, "slot")] {
      var run = RecordedScenario(slots: 2)
      let first = run.submit(claims: [("net", units)])
      let other = run.submit()
      let second = run.submit(claims: [("net", units)])
      run.execute(first, on: 0, 0...4)
      run.execute(other, on: 1, 0...1)
      run.execute(second, on: 0, 4...9)
      #expect(RunAnalysis(run.ended(at: 9)).chainWords == ["o0 beginning", "o2 \(reason)"])
    }
  }

  @Test("a category of mutual exclusion is told by its name, also beside a limit of that name")
  func exclusive() {
    var run = RecordedScenario(slots: 3)
    let limited = run.submit(claims: [("disk", 2)])
    let first = run.submit(exclusive: ["disk"])
    let second = run.submit(claims: [("disk", 2)], exclusive: ["disk"])
    run.execute(limited, on: 0, 0...1)
    run.execute(first, on: 1, 0...4)
    run.execute(second, on: 2, 4...9)
    let analysis = RunAnalysis(run.ended(at: 9))
    #expect(analysis.chainWords == ["o1 beginning", "o2 exclusive 'disk'"])
    #expect(analysis.uses[.limit(ResourceName(.exclusive, Array("disk".utf8)))] == 4)
  }

  @Test("what began at the end of a pause waited for that, and not for the slot that was free")
  func pause() {
    var run = RecordedScenario(slots: 1)
    let (first, second, third) = (run.submit(), run.submit(), run.submit())
    run.steer(.pause, at: 1)
    run.execute(first, on: 0, 0...4)
    run.steer(.unpause, at: 5)
    run.execute(second, on: 0, 5...6)
    run.execute(third, on: 0, 6...7)
    let analysis = RunAnalysis(run.ended(at: 7))
    #expect(analysis.chainWords == ["o0 beginning", "o1 pause", "o2 slot"])
    let waits = DecidingChain.waits(of: 1, in: analysis.history)
    #expect(waits.map(\.reason) == [.pause] && waits.map(\.cause) == [nil])
    #expect(DecidingChain.waits(of: 2, in: analysis.history).map(\.cause) == [1])
  }

  @Test("what began with more slots waited for these, and with fewer for a free one")
  func width() {
    var run = RecordedScenario(slots: 1, workers: 2)
    let all = (0..<4).map { _ in run.submit() }
    run.execute(all[0], on: 0, 0...4)
    run.steer(.scale(to: 2, from: 1), at: 5)
    run.execute(all[1], on: 1, 5...6)
    run.execute(all[2], on: 0, 5...8)
    run.steer(.scale(to: 1, from: 2), at: 7)
    run.execute(all[3], on: 0, 8...9)
    let analysis = RunAnalysis(run.ended(at: 9))
    #expect(analysis.chainWords == ["o0 beginning", "o2 width", "o3 slot"])
    #expect(DecidingChain.waits(of: 1, in: analysis.history).map(\.reason) == [.width])
  }

  @Test("what had to be so much later than the start before it waited for that")
  func delay() {
    var run = RecordedScenario(slots: 2, delay: 2)
    let all = (0..<3).map { _ in run.submit() }
    run.execute(all[0], on: 0, 0...1)
    run.execute(all[1], on: 1, 2...9)
    // The slot was free later than the delay allowed a start.
    let last = run.submit(slots: 2)
    run.execute(all[2], on: 0, 4...5)
    run.execute(last, on: 0, 9...10)
    let analysis = RunAnalysis(run.ended(at: 10))
    #expect(analysis.chainWords == ["o1 delay", "o3 slot"])
    #expect(DecidingChain.waits(of: 2, in: analysis.history).map(\.reason) == [.delay])
    #expect(DecidingChain.waits(of: 0, in: analysis.history).map(\.reason) == [.beginning])
  }

  @Test("a start that was told a little early waited for the delay, and a much earlier one did not")
  func earlyStart() {
    for (start, word) in [(1.99, "delay"), (1.5, "beginning")] {
      var run = RecordedScenario(slots: 2, delay: 2)
      run.execute(run.submit(), on: 0, 0...1)
      run.execute(run.submit(), on: 1, start...9)
      let analysis = RunAnalysis(run.ended(at: 9))
      #expect(analysis.chainWords == ["o1 \(word)"])
      let words = "after the time between two starts (--delay)"
      #expect(TextReport.text(of: analysis).contains(words) == (word == "delay"))
    }
  }

  @Test("fewer slots let nothing begin")
  func narrowed() {
    var run = RecordedScenario(slots: 2)
    run.execute(run.submit(), on: 0, 0...4)
    run.steer(.scale(to: 1, from: 2), at: 5)
    run.execute(run.submit(), on: 0, 6...7)
    #expect(RunAnalysis(run.ended(at: 7)).chainWords == ["o0 beginning", "o1 slot"])
  }

  @Test("a next attempt that was due during a pause waited for its end")
  func pausedRetry() {
    for (end, reason) in [(6.0, "pause"), (4, "retry")] {
      var run = RecordedScenario(slots: 1)
      let only = run.submit()
      run.execute(only, on: 0, 0...2, .failed, retryAt: 5)
      run.steer(.pause, at: 3)
      run.steer(.unpause, at: end)
      run.execute(only, on: 0, 6...7, attempt: 2)
      #expect(RunAnalysis(run.ended(at: 7)).chainWords == ["o0 beginning", "o0#2 \(reason)"])
    }
  }

  @Test("what needs several slots waits for the last of them, in any lane")
  func wide() {
    var run = RecordedScenario(slots: 2)
    let short = run.submit()
    let long = run.submit()
    let wide = run.submit(slots: 2)
    run.execute(short, on: 0, 0...1)
    run.execute(long, on: 1, 0...5)
    run.execute(wide, on: 0, 5...6)
    #expect(RunAnalysis(run.ended(at: 6)).chainWords == ["o1 beginning", "o2 slot"])
  }

  @Test("attempts before the last one are steps of their own")
  func retry() {
    var run = RecordedScenario(slots: 1)
    let only = run.submit()
    run.execute(only, on: 0, 0...2, .failed, retryAt: 5)
    run.execute(only, on: 0, 5...6, attempt: 2)
    #expect(RunAnalysis(run.ended(at: 6)).chainWords == ["o0 beginning", "o0#2 retry"])
  }

  @Test("a barrier holds back what is behind it")
  func barrier() {
    var run = RecordedScenario(slots: 2)
    let first = run.submit()
    let barrier = run.submit(isBarrier: true)
    let last = run.submit()
    run.execute(first, on: 0, 0...3)
    run.execute(barrier, on: 1, 3...4)
    run.execute(last, on: 0, 4...6)
    #expect(
      RunAnalysis(run.ended(at: 6)).chainWords == ["o0 beginning", "o1 barrier", "o2 barrier"]
    )
  }

  @Test("whatever happens, each step begins when or after the one before it ended")
  func order() {
    for seed in RandomSeeds.first(200) {
      var generator = SeededGenerator(seed: seed)
      let chain = RunAnalysis(RandomHistory.make(&generator)).chain
      for (step, next) in zip(chain, chain.dropFirst()) {
        #expect(step.finished <= next.started, "seed \(seed)")
      }
      #expect(chain.first?.reason == .beginning, "seed \(seed)")
    }
  }

  @Test("a run in which nothing was executed has none")
  func empty() {
    #expect(RunAnalysis(RecordedScenario(slots: 1).ended(at: 1)).chain.isEmpty)
  }
}
