import PoolEvents
import PoolModel
import PoolTestSupport
import Testing

@testable import PoolAnalysis

/// Each idle slot has a reason, and all uses together are the whole.
@Suite("Where the time of slots went")
struct SlotAccountTests {
  @Test("what waits for a dependency leaves the other slot idle because of that")
  func dependencies() {
    var run = RecordedScenario(slots: 2)
    let first = run.submit()
    let second = run.submit(after: [first])
    run.execute(first, on: 0, 0...10)
    run.execute(second, on: 0, 10...15)
    let analysis = RunAnalysis(run.ended(at: 16))
    #expect(analysis.uses == [.succeeded: 15, .dependencies: 10, .ending: 7])
    #expect(analysis.account.total == 32_000_000_000)
    let other = analysis.account.idle.filter { $0.lane == 1 }
    #expect(other.map(\.reason) == [.dependencies, .ending])
    #expect(other.map(\.end.seconds) == [10, 16])
  }

  @Test("what lacks units of a resource names it, and what is behind a group waits for that")
  func limit() {
    var run = RecordedScenario(slots: 3)
    let group = run.submit(members: 2)
    let first = run.submit(claims: [("net", 1)], group: group)
    let second = run.submit(claims: [("net", 1)], group: group)
    let last = run.submit(after: [group])
    run.execute(first, on: 0, 0...4)
    run.execute(second, on: 1, 4...8)
    run.settleGroup(group, at: 8)
    run.execute(last, on: 0, 8...9)
    let analysis = RunAnalysis(run.ended(at: 9))
    #expect(
      analysis.uses == [
        .succeeded: 9, .limit(ResourceName(.limit, Array("net".utf8))): 4, .dependencies: 12,
        .ending: 2,
      ]
    )
  }

  @Test("what is ready while the run is paused waits for the end of that")
  func pause() {
    var run = RecordedScenario(slots: 2)
    let first = run.submit()
    let second = run.submit()
    run.steer(.pause, at: 1)
    run.execute(first, on: 0, 0...4)
    run.steer(.unpause, at: 5)
    run.execute(second, on: 0, 5...6)
    let analysis = RunAnalysis(run.ended(at: 6))
    #expect(analysis.uses == [.succeeded: 5, .pause: 5 - 1, .handover: 1, .ending: 2])
    #expect(analysis.history.pauses.map(\.span.lowerBound.seconds) == [1])
    #expect(analysis.history.pauses.map(\.span.upperBound.seconds) == [5])
    #expect(analysis.advice.isEmpty, "what a pause has cost is no advice")
  }

  @Test("what is ready too soon after a start waits for the delay, and then for its handover")
  func delay() {
    var run = RecordedScenario(slots: 2, delay: 2)
    let first = run.submit()
    let second = run.submit()
    run.execute(first, on: 0, 0...5)
    run.execute(second, on: 1, 3...5)
    let analysis = RunAnalysis(run.ended(at: 5))
    #expect(analysis.uses == [.succeeded: 7, .delay: 2, .handover: 1])
    #expect(analysis.advice.isEmpty, "virtual time has no delay")
  }

  @Test("a pause holds back more than a delay, and after a delay only what is ready counts")
  func pauseAndDelay() {
    var run = RecordedScenario(slots: 2, delay: 2)
    let first = run.submit()
    let second = run.submit()
    run.execute(first, on: 0, 0...5)
    run.steer(.pause, at: 1)
    run.steer(.unpause, at: 4)
    run.execute(second, on: 1, 4...5)
    let analysis = RunAnalysis(run.ended(at: 6))
    #expect(analysis.uses == [.succeeded: 6, .delay: 1, .pause: 3, .ending: 2])
  }

  @Test("slots count from the moment on at which they were asked for")
  func scaled() {
    var run = RecordedScenario(slots: 1, workers: 3)
    let all = (0..<4).map { _ in run.submit() }
    run.execute(all[0], on: 0, 0...2)
    run.steer(.scale(to: 3, from: 1), at: 2)
    for number in 1...3 { run.execute(all[number], on: number - 1, 2...4) }
    run.steer(.scale(to: 2, from: 3), at: 3)
    let analysis = RunAnalysis(run.ended(at: 5))
    #expect(analysis.uses == [.succeeded: 8, .ending: 2])
    #expect(analysis.account.width == 3)
    #expect(analysis.account.total == 10_000_000_000)
  }

  @Test("repeated and failed attempts, and the delay between them, are told apart")
  func retries() {
    var run = RecordedScenario(slots: 1)
    let only = run.submit()
    run.execute(only, on: 0, 0...2, .failed, retryAt: 5)
    run.execute(only, on: 0, 5...6, attempt: 2, .failed)
    #expect(RunAnalysis(run.ended(at: 6)).uses == [.repeated: 2, .retry: 3, .unsuccessful: 1])
  }

  @Test("what is ready waits for a worker, for its turn, or for room")
  func readiness() {
    var run = RecordedScenario(slots: 2, greetedAt: 1)
    let first = run.submit()
    let wide = run.submit(slots: 2)
    run.execute(first, on: 0, 1...3)
    run.execute(wide, on: 0, 3.5...4)
    let uses = RunAnalysis(run.ended(at: 4)).uses
    // Two slots, and each operation is ready from the beginning.
    #expect(uses == [.starting: 2, .succeeded: 3, .room: 2, .handover: 0.5, .ending: 0.5])
  }

  @Test("before operations are submitted, slots wait for that")
  func late() {
    var run = RecordedScenario(slots: 1)
    run.execute(run.submit(), on: 0, 0...1)
    run.execute(run.submit(at: 3), on: 0, 3...4)
    #expect(RunAnalysis(run.ended(at: 4)).uses == [.succeeded: 2, .input: 2])
  }

  @Test("an attempt without an end lasts until the run's end, as after a kill")
  func killed() {
    var run = RecordedScenario(slots: 1)
    let only = run.submit()
    run.execute(only, on: 0, 0...1, .failed, retryAt: 1)
    #expect(RunAnalysis(run.ended(at: 3)).uses == [.unsuccessful: 1, .handover: 2])
    var cut = RecordedScenario(slots: 1)
    cut.start(cut.submit(), on: 0, at: 1)
    #expect(RunAnalysis(cut.ended(at: 3)).uses == [.handover: 1, .unfinished: 2])
  }

  @Test("whatever happens, the uses are the whole, and idle spans of a lane follow each other")
  func sums() {
    for seed in RandomSeeds.first(200) {
      var generator = SeededGenerator(seed: seed)
      let analysis = RunAnalysis(RandomHistory.make(&generator))
      let sum = analysis.account.parts.reduce(0) { $0 + $1.time }
      #expect(sum == analysis.account.total, "seed \(seed)")
      #expect(sum == Int64(analysis.account.width) * analysis.elapsed, "seed \(seed)")
      var ends: [Int: Instant] = [:]
      for span in analysis.account.idle {
        #expect(span.reason.isIdle && ends[span.lane] ?? .zero <= span.start, "seed \(seed)")
        #expect(span.start < span.end && span.end <= analysis.history.end, "seed \(seed)")
        ends[span.lane] = span.end
      }
      let idle = analysis.account.idle.reduce(0) {
        $0 + $1.end.nanoseconds - $1.start.nanoseconds
      }
      let told = analysis.account.parts.reduce(0) { $1.use.isIdle ? $0 + $1.time : $0 }
      #expect(idle == told, "seed \(seed)")
    }
  }
}
