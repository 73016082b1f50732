import PoolSystem
import PoolTestSupport
import Testing

@testable import OperationPool

/// Contract: debug builds know which threads have the engine's lock; PoolSystem's functions end the
/// process where such a thread calls the system.
@Suite("Lock watch")
struct LockWatchTests {
  @Test("a thread has the lock within its closures, and nowhere else")
  func locked() {
    let lock = YieldingLock(0)
    #expect(!LockWatch.isLocked)
    #expect(lock.withLock { _ in LockWatch.isLocked } == Self.isDebug)
    #expect(lock.withLockIfAvailable { _ in LockWatch.isLocked } == Self.isDebug)
    #expect(!LockWatch.isLocked)
  }

  @Test("a closure that throws gives it back, too")
  func thrown() {
    let lock = YieldingLock(0)
    #expect(throws: Refusal.self) {
      try lock.withLock { _ throws(Refusal) in throw Refusal(description: "no") }
    }
    #expect(!LockWatch.isLocked)
  }

  #if DEBUG
  /// Optimized builds, as those with a sanitizer are, check no assertions.
  @Test(
    "a system call under the engine's lock ends the process",
    .disabled(if: Sanitizer.isThere, "it is optimized")
  )
  func systemCall() async {
    await #expect(processExitsWith: .failure) {
      let engine = PoolEngine()
      engine.read { _ in Descriptors.close(-1) }
    }
  }

  @Test(
    "so does a thread that is started there",
    .disabled(if: Sanitizer.isThere, "it is optimized")
  )
  func threadStart() async {
    await #expect(processExitsWith: .failure) {
      let engine = PoolEngine()
      engine.read { _ in
        if let thread = try? SystemThread.start(name: "a", mask: .full, {}) { thread.join() }
      }
    }
  }

  private static let isDebug = true
  #else
  private static let isDebug = false
  #endif
}
