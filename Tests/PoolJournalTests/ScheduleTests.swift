import PoolJournal
import PoolTestSupport
import Testing

/// Contract: when the machine stops, what was written longer ago than the window, and the time of
/// one sync, is on the disk.
@Suite("The durability window")
struct ScheduleTests {
  private static let window: Int64 = 50

  /// A disk and a writer on a line of time of their own; one step is one unit of it.
  private struct World {
    var schedule = SyncSchedule(window: ScheduleTests.window)
    var writes: [Int64] = []
    /// How many writes outlive the machine.
    var syncedCount = 0
    /// When the sync that is under way ends, and how many writes it covers.
    var sync: (end: Int64, count: Int)?

    mutating func step(_ now: Int64, writes isWriting: Bool, syncTime: Int64) {
      if let sync, now >= sync.end {
        syncedCount = sync.count
        self.sync = nil
      }
      if sync == nil, let due = schedule.due, now >= due {
        schedule.beginSync()
        sync = (now + syncTime, writes.count)
      }
      if isWriting {
        writes.append(now)
        schedule.wrote(at: now)
      }
    }
  }

  @Test("At every instant, whatever was written before the window has been synced")
  func window() {
    for _ in 0..<300 {
      let seed = UInt64.random(in: 0...UInt64.max)
      if let instant = firstLoss(seed) { Issue.record("seed \(seed): a loss at \(instant)") }
    }
  }

  /// The first instant at which too much would be lost.
  private func firstLoss(_ seed: UInt64) -> Int64? {
    var generator = SeededGenerator(seed: seed)
    let syncTime = Int64.random(in: 1...120, using: &generator)
    let density = Int.random(in: 1...100, using: &generator)
    var world = World()
    for now in Int64(0)..<2_000 {
      let isWriting = Int.random(in: 0..<density, using: &generator) == 0
      world.step(now, writes: isWriting, syncTime: syncTime)
      // A write waits for its turn while a sync goes on that does not cover it.
      let bound = now - max(Self.window, syncTime) - syncTime - 1
      if world.syncedCount < world.writes.count, world.writes[world.syncedCount] <= bound {
        return now
      }
    }
    return nil
  }

  @Test("Where nothing is written, nothing is synced")
  func idle() {
    var schedule = SyncSchedule(window: Self.window)
    #expect(schedule.due == nil)
    schedule.wrote(at: 7)
    schedule.wrote(at: 9)
    #expect(schedule.due == 7 + Self.window)
    schedule.beginSync()
    #expect(schedule.due == nil)
  }
}
