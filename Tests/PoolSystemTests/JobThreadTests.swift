import PoolSystem
import PoolTestSupport
import Testing

/// What makes inputs ready, and stores outputs, beside a run.
@Suite("Job thread")
struct JobThreadTests {
  /// What a job holds, as an input holds its file.
  private final class Held: Sendable {
    let released: Monitor<Bool>

    init(_ released: Monitor<Bool>) { self.released = released }

    deinit { released.withLock { $0 = true } }
  }

  /// A run that ended before would leave the file.
  @Test("After waiting for it, no job is kept any more")
  func wait() async throws {
    for _ in 0..<100 {
      let thread = JobThread(name: "test")
      let (released, isTold) = (Monitor(false), Monitor(false))
      thread.submit { [held = Held(released)] in
        withExtendedLifetime(held) { isTold.withLock { $0 = true } }
        isTold.broadcast()
      }
      try await Blocking.run {
        isTold.wait(while: { !$0 }, then: { _ in })
        thread.wait()
        #expect(released.withLock { $0 })
      }
    }
  }
}
