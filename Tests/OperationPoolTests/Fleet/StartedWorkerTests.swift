import Foundation
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

@testable import OperationPool

/// A worker that arrives when no caller waits for it any more.
@Suite("Late starts", .timeLimit(.minutes(30)))
struct StartedWorkerTests {
  private final class Exit: Sendable {
    let status = Monitor<PoolExitStatus?>(nil)
  }

  /// A program that does not end by itself, nor with its input: only a signal ends it.
  private func start() throws -> (worker: StartedWorker, pid: Int32, exit: Exit) {
    let exit = Exit()
    let launcher = ExecutableLauncher(url: URL(filePath: "/bin/sleep"), arguments: ["1000"])
    let process = try launcher.start { status in
      exit.status.withLock { $0 = status }
      exit.status.broadcast()
    }
    let pid = process.pid
    return (StartedWorker(process), pid, exit)
  }

  private func waitForEnd(_ exit: Exit) -> PoolExitStatus? {
    _ = exit.status.wait(until: MonotonicClock.now + .seconds(300), while: { $0 == nil })
    return exit.status.withLock { $0 }
  }

  @Test("one that is not taken is killed")
  func discarded() async throws {
    let status = try await Blocking.run {
      let exit = try start().exit
      return waitForEnd(exit)
    }
    #expect(status == .signaled(9))
  }

  @Test("one that is taken is its taker's, once")
  func taken() async throws {
    try await Blocking.run {
      let (started, pid, exit) = try start()
      let process = try #require(started.take())
      #expect(process.pid == pid && started.take() == nil)
      process.discard()
      #expect(waitForEnd(exit) == .signaled(9))
    }
  }
}
