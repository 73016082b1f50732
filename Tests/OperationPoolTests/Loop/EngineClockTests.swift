import Foundation
import PoolCore
import PoolModel
import PoolSystem
import Synchronization
import Testing

@testable import OperationPool

/// No time passes while the process is stopped, and no time goes back.
struct EngineClockTests {
  /// A system's clock that the test moves, and what happens just after it is read.
  private final class ManualClock: Sendable {
    let time = Atomic<Int64>(1_000)
    let interruption = Mutex<(@Sendable () -> Void)?>(nil)

    func read() -> Int64 {
      let time = time.load(ordering: .relaxed)
      let interruption = interruption.withLock { interruption in
        defer { interruption = nil }
        return interruption
      }
      interruption?()
      return time
    }

    func advance(by length: Int64) { time.add(length, ordering: .relaxed) }
  }

  @Test("it starts at zero, and stands still while it is paused")
  func pause() {
    let system = ManualClock()
    let clock = EngineClock { system.read() }
    #expect(clock.now == .zero)
    for count in Int64(1)...3 {
      system.advance(by: 10)
      clock.pause {
        #expect(clock.now == Instant(nanoseconds: count * 10))
        system.advance(by: 1_000_000)
        #expect(clock.now == Instant(nanoseconds: count * 10))
      }
      #expect(clock.now == Instant(nanoseconds: count * 10))
    }
  }

  @Test("a thread that was stopped after it had read the system's clock reads it again")
  func overtaken() {
    let system = ManualClock()
    let clock = EngineClock { system.read() }
    system.advance(by: 7)
    system.interruption.withLock {
      $0 = { clock.pause { system.advance(by: 1_000_000) } }
    }
    #expect(clock.now == Instant(nanoseconds: 7))
  }

  /// The reader would find the clock at an earlier time when it reads again.
  @Test("a thread that reads the time while the clock is being stopped gets none after that")
  func stopping() async {
    let (system, result) = (ManualClock(), Monitor<Instant?>(nil))
    let clock = EngineClock { system.read() }
    system.advance(by: 7)
    // Just after the clock that is to stop has read the system's.
    system.interruption.withLock {
      $0 = {
        system.advance(by: 100)
        Thread.detachNewThread {
          let time = clock.now
          result.withLock { $0 = time }
          result.broadcast()
        }
        // The reader waits for the pause, or is wrong at once.
        _ = result.wait(until: MonotonicClock.now + .milliseconds(50)) { $0 == nil }
      }
    }
    let frozen = Mutex<Instant?>(nil)
    clock.pause { frozen.withLock { $0 = clock.now } }
    let read = result.wait(while: { $0 == nil }, then: { $0 })
    // Before, while or after it was paused, and never within.
    let times = [frozen.withLock { $0 }, clock.now]
    #expect(times.contains(read))
  }

  @Test("the time of a transaction does not go back")
  func transaction() {
    var transaction = PoolEngine.Transaction(PoolMachine(policy: PoolPolicy()))
    for (read, time) in [(5, 5), (3, 5), (6, 6)] as [(Int64, Int64)] {
      transaction.advance(to: Instant(nanoseconds: read))
      #expect(transaction.now == Instant(nanoseconds: time))
    }
  }
}
