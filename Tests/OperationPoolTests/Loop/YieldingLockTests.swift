import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

@testable import OperationPool

/// Threads that want one lock, some of them again and again.
@Suite("Yielding lock", .timeLimit(.minutes(30)))
struct YieldingLockTests {
  private typealias Lock = YieldingLock<[String]>

  /// Starts a thread that wants the lock, and returns when it does; the lock must not be free.
  private static func startWaiter(for lock: Lock) throws -> SystemThread {
    let thread = try SystemThread.start(name: "waiter", mask: .full) {
      lock.withLock { $0.append("waiter") }
    }
    while !lock.isWanted { CurrentProcess.yieldProcessor() }
    return thread
  }

  @Test("a waiting thread goes before a yielding one", arguments: 0..<20)
  func waiter(_: Int) async throws {
    try await Blocking.run {
      let lock = Lock([])
      let waiter = try lock.withLock { _ in try Self.startWaiter(for: lock) }
      lock.letOthersGoFirst(for: .seconds(300))
      lock.withLock { $0.append("other") }
      waiter.join()
      #expect(lock.withLock { $0 } == ["waiter", "other"])
      #expect(!lock.isWanted)
    }
  }

  @Test("no thread yields for longer than the limit")
  func limit() async throws {
    try await Blocking.run {
      let lock = Lock([])
      // Held here, so that waiting threads go on waiting.
      let waiter = try lock.withLock { _ in
        let waiter = try Self.startWaiter(for: lock)
        lock.letOthersGoFirst(for: 1)
        #expect(lock.isWanted)
        return waiter
      }
      waiter.join()
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
