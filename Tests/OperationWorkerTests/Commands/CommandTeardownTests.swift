import PoolModel
import PoolSystem
import PoolTestSupport
import Synchronization
import Testing

@testable import OperationWorker

/// Contract: a request to end a command is heard at once, whatever the system does about threads.
@Suite("Teardown of a command", .timeLimit(.minutes(30)))
struct CommandTeardownTests {
  private static let ask = PoolTeardownSequence(steps: [
    .init(.signal(15), graceMilliseconds: 600_000)
  ])
  private static let kill = PoolTeardownSequence.immediate

  /// Names the teardown that a starter of threads belongs to, which is made after the starter.
  private final class Place: Sendable {
    let teardown = Mutex<CommandTeardown?>(nil)
  }

  private func start(_ words: String...) throws -> (CommandProcess, Watchdog) {
    let process = try Programs.start(words)
    return (process, Watchdog { process.send(.kill) })
  }

  private static func thread(
    _ body: @escaping @Sendable () -> Void
  ) throws(SystemFailure) -> SystemThread {
    try SystemThread.start(name: "teardown", mask: .full, body)
  }

  @Test("a more urgent request is heard while the thread of another one is being started")
  func urgent() throws {
    let (process, watchdog) = try start("sleep", "1000")
    let place = Place()
    let starts = Atomic(0)
    let isHeard = Monitor(false)
    let teardown = CommandTeardown(process) { body throws(SystemFailure) in
      if starts.add(1, ordering: .relaxed).newValue == 1 {
        let other = try Self.thread {
          place.teardown.withLock { $0 }?.begin(Self.kill)
          isHeard.withLock { $0 = true }
          isHeard.broadcast()
        }
        other.detach()
        // Only a start under the lock lets this time pass.
        #expect(isHeard.wait(until: MonotonicClock.now + .seconds(300), while: { !$0 }))
      }
      return try Self.thread(body)
    }
    place.teardown.withLock { $0 = teardown }
    teardown.begin(Self.ask)
    process.waitForEnd()
    let (taken, wasTornDown, isLate) = teardown.finish()
    #expect(taken.map(\.signal) == [.kill] && wasTornDown && !isLate)
    #expect(try withExtendedLifetime(watchdog) { try process.reap().0 } == .signaled(9))
    place.teardown.withLock { $0 = nil }
  }

  @Test("the end of a teardown waits for a thread that is being started, and for its end")
  func joined() throws {
    let (process, watchdog) = try start("true")
    process.waitForEnd()
    let (isStarting, isFinishing) = (Monitor(false), Monitor(false))
    let hasRun = Atomic(false)
    let teardown = CommandTeardown(process) { body throws(SystemFailure) in
      isStarting.withLock { $0 = true }
      isStarting.broadcast()
      isFinishing.wait(while: { !$0 }, then: { _ in })
      return try Self.thread {
        body()
        for _ in 0..<100 { SystemThread.yieldProcessor() }
        hasRun.store(true, ordering: .sequentiallyConsistent)
      }
    }
    let asking = try Self.thread { teardown.begin(Self.ask) }
    isStarting.wait(while: { !$0 }, then: { _ in })
    isFinishing.withLock { $0 = true }
    isFinishing.broadcast()
    #expect(teardown.finish().taken.isEmpty)
    let isJoined = hasRun.load(ordering: .sequentiallyConsistent)
    #expect(isJoined)
    asking.join()
    #expect(try withExtendedLifetime(watchdog) { try process.reap().0 } == .exited(0))
  }

  @Test("where no thread can be started, the command is killed at once")
  func refused() throws {
    let (process, watchdog) = try start("sleep", "1000")
    let teardown = CommandTeardown(process) { _ throws(SystemFailure) in
      throw SystemFailure(call: "pthread_create", code: 11)
    }
    teardown.begin(Self.ask)
    process.waitForEnd()
    #expect(teardown.finish().taken.map(\.signal) == [.kill])
    #expect(try withExtendedLifetime(watchdog) { try process.reap().0 } == .signaled(9))
  }
}
