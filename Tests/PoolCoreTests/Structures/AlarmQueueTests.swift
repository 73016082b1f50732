import PoolModel
import PoolTestSupport
import Testing

@testable import PoolCore

/// Alarms ring in order, never later than armed, and each worker has one at most.
@Suite("Alarm queue")
struct AlarmQueueTests {
  @Test("random alarms ring as a sorted list of the earliest ones does", arguments: 0..<50)
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var alarms = AlarmQueue<Int>()
    var model: [Int: Instant] = [:]
    var now = Instant.zero
    for _ in 0..<1_000 {
      let worker = Int.random(in: 0..<20, using: &generator)
      let instant = now.advanced(by: Int64.random(in: 0...50, using: &generator))
      alarms.arm(worker, at: instant)
      model[worker] = min(model[worker] ?? .distantFuture, instant)
      #expect(alarms.next == model.values.min(), "seed \(seed)")
      guard Int.random(in: 0..<4, using: &generator) == 0 else { continue }
      now = now.advanced(by: Int64.random(in: 0...30, using: &generator))
      ring(&alarms, &model, at: now, seed)
    }
  }

  /// All that is due rings, by time, then by worker; nothing else does.
  private func ring(
    _ alarms: inout AlarmQueue<Int>,
    _ model: inout [Int: Instant],
    at now: Instant,
    _ seed: UInt64
  ) {
    let due = model.filter { $0.value <= now }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
    for (worker, _) in due {
      #expect(alarms.popDue(at: now) == worker, "seed \(seed)")
      model[worker] = nil
    }
    #expect(alarms.popDue(at: now) == nil, "seed \(seed)")
    #expect(alarms.next == model.values.min(), "seed \(seed)")
  }

  @Test("moving a deadline back leaves the earlier alarm, moving it forward replaces it")
  func moving() {
    var alarms = AlarmQueue<Int>()
    #expect(alarms.next == nil)
    #expect(alarms.popDue(at: .distantFuture) == nil)
    alarms.arm(5, at: Instant(nanoseconds: 10))
    alarms.arm(5, at: Instant(nanoseconds: 20))
    #expect(alarms.next == Instant(nanoseconds: 10))
    alarms.arm(5, at: Instant(nanoseconds: 3))
    #expect(alarms.popDue(at: Instant(nanoseconds: 2)) == nil)
    #expect(alarms.popDue(at: Instant(nanoseconds: 3)) == 5)
    #expect(alarms.next == nil)
  }
}
