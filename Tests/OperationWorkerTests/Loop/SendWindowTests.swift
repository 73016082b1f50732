import PoolSystem
import PoolTestSupport
import Testing

@testable import OperationWorker

/// Contract: a thread that wants to report waits while the window is used up, and no longer.
@Suite("Windows of reports")
struct SendWindowTests {
  @Test("a message may be larger than what is left, and the next one waits for a grant")
  func waits() async throws {
    let window = SendWindow(10)
    window.take(1_000)
    let sent = Monitor(0)
    async let ended: Void = Blocking.run {
      for _ in 0..<2 {
        window.take(5)
        sent.withLock { $0 += 1 }
        sent.broadcast()
      }
    }
    window.grant(990)
    #expect(sent.withLock { $0 } == 0, "it is used up to the last byte")
    window.grant(1)
    sent.wait(while: { $0 == 0 }, then: { _ in })
    window.grant(.max)
    window.grant(.max)
    try await ended
    #expect(sent.withLock { $0 } == 2)
  }
}
