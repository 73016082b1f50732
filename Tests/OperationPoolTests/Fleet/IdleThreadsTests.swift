import PoolSystem
import Synchronization
import Testing

@testable import OperationPool

/// The thread that fell asleep last is woken first, and no wake-up is lost.
@Suite("Idle threads", .timeLimit(.minutes(30)))
struct IdleThreadsTests {
  /// Threads that sleep until they are woken, and note the order in which they were.
  private final class Sleepers: Sendable {
    let idle = IdleThreads()
    let woken = Monitor([Int]())
    private let asleep = Monitor(0)

    /// Starts a thread; returns when it can be woken.
    func start(_ number: Int, isLast: Bool = false) throws -> SystemThread {
      let count = asleep.withLock { $0 }
      let thread = try SystemThread.start(name: "sleeper", mask: .full) { [self] in
        idle.sleep(Monitor(false), until: .max, isLast: isLast) {
          asleep.withLock { $0 += 1 }
          asleep.signal()
          return true
        }
        woken.withLock { $0.append(number) }
        woken.signal()
      }
      asleep.wait(while: { $0 == count }, then: { _ in })
      return thread
    }

    /// Wakes one thread; returns the numbers of those that were woken, when there is one more.
    func wake() -> [Int] {
      let count = woken.withLock { $0.count }
      idle.wakeOne()
      return woken.wait(while: { $0.count == count }, then: { $0 })
    }
  }

  @Test("the last to fall asleep is woken first, and one that asks to be last after all others")
  func order() throws {
    let sleepers = Sleepers()
    var threads = [try sleepers.start(0), try sleepers.start(1, isLast: true)]
    threads += [try sleepers.start(2), try sleepers.start(3)]
    #expect(sleepers.wake() == [3])
    #expect(sleepers.wake() == [3, 2])
    threads.append(try sleepers.start(4))
    #expect(sleepers.wake() == [3, 2, 4])
    #expect(sleepers.wake() == [3, 2, 4, 0])
    #expect(sleepers.wake() == [3, 2, 4, 0, 1])
    for thread in threads { thread.join() }
    sleepers.idle.wakeOne()
  }

  @Test("all are woken")
  func all() throws {
    let sleepers = Sleepers()
    let threads = try (0..<5).map { try sleepers.start($0, isLast: $0 == 2) }
    sleepers.idle.wakeAll()
    for thread in threads { thread.join() }
    #expect(sleepers.woken.withLock { $0.sorted() } == [0, 1, 2, 3, 4])
  }

  @Test("a thread with a reason to be awake, or after its deadline, sleeps no longer")
  func reasons() {
    let idle = IdleThreads()
    let sleeper = IdleThreads.Sleeper(false)
    idle.sleep(sleeper, until: .max, isLast: false) { false }
    idle.sleep(sleeper, until: MonotonicClock.now, isLast: true) { true }
    // A wake-up of an earlier sleep ends no later one.
    sleeper.withLock { $0 = true }
    idle.sleep(sleeper, until: MonotonicClock.now + .milliseconds(1), isLast: false) { true }
    #expect(sleeper.withLock { !$0 })
    // None of them is left to be woken.
    idle.wakeAll()
    #expect(sleeper.withLock { !$0 })
  }
}
