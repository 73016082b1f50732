import Dispatch
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

@testable import OperationPool

/// Threads that want one lock, some of them again and again.
@Suite("Yielding lock", .timeLimit(.minutes(30)))
struct YieldingLockTests {
  private typealias Lock = YieldingLock<[String]>

  /// A thread that wants the lock when it is told to.
  private struct Waiter {
    let thread: SystemThread
    private let lock: Lock
    private let mayBegin = DispatchSemaphore(value: 0)

    init(for lock: Lock) throws {
      self.lock = lock
      thread = try SystemThread.start(name: "waiter", mask: .full) { [mayBegin] in
        mayBegin.wait()
        lock.withLock { $0.append("waiter") }
      }
    }

    /// Returns when the thread wants the lock, which must not be free.
    func begin() {
      mayBegin.signal()
      while !lock.isWanted { SystemThread.yieldProcessor() }
    }
  }

  @Test("a waiting thread goes before a yielding one", arguments: 0..<20)
  func waiter(_: Int) async throws {
    try await Blocking.run {
      let lock = Lock([])
      let waiter = try Waiter(for: lock)
      lock.withLock { _ in waiter.begin() }
      lock.letOthersGoFirst(for: .seconds(300))
      lock.withLock { $0.append("other") }
      waiter.thread.join()
      #expect(lock.withLock { $0 } == ["waiter", "other"])
      #expect(!lock.isWanted)
    }
  }

  @Test("no thread yields for longer than the limit")
  func limit() async throws {
    try await Blocking.run {
      let lock = Lock([])
      // Held here, so that waiting threads go on waiting.
      let waiter = try Waiter(for: lock)
      lock.withLock { _ in
        waiter.begin()
        lock.letOthersGoFirst(for: 1)
        #expect(lock.isWanted)
      }
      waiter.thread.join()
    }
  }

  @Test("taking the lock only if it is free neither waits nor makes others yield")
  func available() {
    let lock = Lock([])
    let isTaken = lock.withLock { _ in lock.withLockIfAvailable { _ in true } }
    #expect(isTaken == nil)
    #expect(!lock.isWanted)
    #expect(lock.withLockIfAvailable { $0.isEmpty } == true)
  }
}
