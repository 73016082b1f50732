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
      analysis.uses == [.succeeded: 9, .limit("net"): 4, .dependencies: 12, .ending: 2]
    )
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
