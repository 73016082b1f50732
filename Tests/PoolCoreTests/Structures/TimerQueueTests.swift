import PoolModel
import PoolTestSupport
import Testing

@testable import PoolCore

/// Timers fire in order, never later than armed, and each worker has one at most.
@Suite("Timer queue")
struct TimerQueueTests {
  @Test("random timers fire as a sorted list of the earliest ones does", arguments: 0..<50)
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var timers = TimerQueue<Int>()
    var model: [Int: Instant] = [:]
    var now = Instant.zero
    for _ in 0..<1_000 {
      let worker = Int.random(in: 0..<20, using: &generator)
      let instant = now.advanced(by: Int64.random(in: 0...50, using: &generator))
      timers.arm(worker, at: instant)
      model[worker] = min(model[worker] ?? .distantFuture, instant)
      #expect(timers.next == model.values.min(), "seed \(seed)")
      guard Int.random(in: 0..<4, using: &generator) == 0 else { continue }
      now = now.advanced(by: Int64.random(in: 0...30, using: &generator))
      fire(&timers, &model, at: now, seed)
    }
  }

  /// All that is due fires, by time, then by worker; nothing else does.
  private func fire(
    _ timers: inout TimerQueue<Int>,
    _ model: inout [Int: Instant],
    at now: Instant,
    _ seed: UInt64
  ) {
    let due = model.filter { $0.value <= now }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
    for (worker, _) in due {
      #expect(timers.popDue(at: now) == worker, "seed \(seed)")
      model[worker] = nil
    }
    #expect(timers.popDue(at: now) == nil, "seed \(seed)")
    #expect(timers.next == model.values.min(), "seed \(seed)")
  }

  @Test("moving a deadline back leaves the earlier timer, moving it forward replaces it")
  func moving() {
    var timers = TimerQueue<Int>()
    #expect(timers.next == nil)
    #expect(timers.popDue(at: .distantFuture) == nil)
    timers.arm(5, at: Instant(nanoseconds: 10))
    timers.arm(5, at: Instant(nanoseconds: 20))
    #expect(timers.next == Instant(nanoseconds: 10))
    timers.arm(5, at: Instant(nanoseconds: 3))
    #expect(timers.popDue(at: Instant(nanoseconds: 2)) == nil)
    #expect(timers.popDue(at: Instant(nanoseconds: 3)) == 5)
    #expect(timers.next == nil)
  }
}
