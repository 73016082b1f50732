import PoolSystem
import Testing

/// State behind a lock, with a condition to wait on.
@Suite("A monitor", .timeLimit(.minutes(30)))
struct MonitorTests {
  @Test("changes from many threads are none of them lost")
  func counting() throws {
    let count = Monitor(0)
    let threads = try (0..<4).map { _ in
      try SystemThread.start(name: "test-counts", mask: .full) {
        for _ in 0..<10_000 { count.withLock { $0 += 1 } }
      }
    }
    for thread in threads { thread.join() }
    #expect(count.withLock { $0 } == 40_000)
  }

  @Test("a wait ends when its condition does, and has the state then")
  func waiting() throws {
    let turn = Monitor(0)
    let thread = try SystemThread.start(name: "test-turns", mask: .full) {
      turn.wait(while: { $0 != 1 }, then: { $0 = 2 })
      turn.broadcast()
    }
    turn.withLock { $0 = 1 }
    turn.broadcast()
    turn.wait(while: { $0 != 2 }, then: { $0 = 3 })
    thread.join()
    #expect(turn.withLock { $0 } == 3)
  }

  @Test("a wait with a deadline gives up when that has come, and not before")
  func deadline() {
    let state = Monitor(false)
    let deadline = MonotonicClock.now + 2_000_000
    #expect(!state.wait(until: deadline, while: { !$0 }))
    #expect(MonotonicClock.now >= deadline)
    #expect(state.wait(until: 0, while: { $0 }))
  }

  @Test("the owner keeps the lock: others are told that it is not free")
  func unavailable() throws {
    let state = Monitor(0)
    let found = Monitor<Int?>(7)
    try state.withLock { _ in
      let thread = try SystemThread.start(name: "test-asks", mask: .full) {
        let value = state.withLockIfAvailable { $0 }
        found.withLock { $0 = value }
      }
      thread.join()
    }
    #expect(found.withLock { $0 } == nil)
    #expect(state.withLockIfAvailable { $0 } == 0)
  }
}
