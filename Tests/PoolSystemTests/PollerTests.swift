import PoolModel
import PoolSystem
import Testing

/// Waiting for several descriptors, and being woken from another thread.
@Suite("Waiting for descriptors", .timeLimit(.minutes(10)))
struct PollerTests {
  private typealias Ready = [(key: Int, Poller.Readiness)]

  private func wait(_ poller: inout Poller, nanoseconds: Int64?) -> Ready {
    var ready: Ready = []
    poller.wait(nanoseconds: nanoseconds, into: &ready)
    return ready
  }

  @Test("a wake-up is readable until it is drained, however many there were")
  func wakeUps() throws {
    let pipe = try WakePipe()
    var poller = Poller()
    poller.watch(pipe.descriptor, for: .readable, key: 7)
    #expect(wait(&poller, nanoseconds: 0).isEmpty)
    // More than a pipe holds: none of them blocks.
    for _ in 0..<100_000 { pipe.wake() }
    let ready = wait(&poller, nanoseconds: nil)
    #expect(ready.map(\.key) == [7] && ready.first?.1 == .readable)
    pipe.drain()
    #expect(wait(&poller, nanoseconds: 0).isEmpty)
  }

  @Test("a wake-up from another thread ends a wait without limit")
  func otherThread() throws {
    let pipe = try WakePipe()
    var poller = Poller()
    poller.watch(pipe.descriptor, for: .readable, key: 1)
    let thread = try SystemThread.start(name: "test-wakes", mask: .full) { pipe.wake() }
    #expect(wait(&poller, nanoseconds: nil).map(\.key) == [1])
    thread.join()
  }

  @Test("what is watched no more is reported no more, and the others keep their keys")
  func forgotten() throws {
    let pipes = try (0..<3).map { _ in try WakePipe() }
    var poller = Poller()
    for (key, pipe) in pipes.enumerated() {
      poller.watch(pipe.descriptor, for: .readable, key: key)
      pipe.wake()
    }
    poller.forget(key: 0)
    poller.forget(key: 9)
    #expect(wait(&poller, nanoseconds: 0).map(\.key).sorted() == [1, 2])
    poller.forget(key: 2)
    #expect(wait(&poller, nanoseconds: 0).map(\.key) == [1])
    poller.watch(pipes[1].descriptor, for: [], key: 1)
    #expect(wait(&poller, nanoseconds: 0).isEmpty)
  }

  @Test("a wait ends at its limit, and not before")
  func limit() throws {
    var poller = Poller()
    let start = MonotonicClock.now
    #expect(wait(&poller, nanoseconds: 1_500_000).isEmpty)
    #expect(MonotonicClock.now - start >= 1_500_000)
  }
}
