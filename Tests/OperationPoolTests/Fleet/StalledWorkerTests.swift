import PoolCore
import PoolModel
import PoolTestSupport
import PoolWire
import Testing

@testable import OperationPool

/// Contract: a worker that begins to say something and does not go on is not waited for without
/// end.
@Suite("Workers that stop in the middle", .timeLimit(.minutes(30)))
struct StalledWorkerTests {
  /// A shell script that is a worker.
  private func worker(_ script: String) -> PoolWorkerConfiguration {
    .command("sh -c \"\(script)\"", count: 1)
  }

  @Test("one that stops within a frame, and cannot be asked, is killed, and that is named")
  func frame() async throws {
    let folder = try TestFolder()
    var writer = JSONWriter()
    WorkerMessage.hello(Hello(pid: 0, kinds: ["k"])).encode(into: &writer)
    try folder.write(Frame.magic + writer.bytes + [0, 0, 0, 99, 123], to: "greeting")
    var policy = PoolPolicy()
    policy.frameTimeout = .milliseconds(100)
    let pool = try PolicyPool(
      policy,
      workers: worker("cat '\(folder.path(of: "greeting"))'; exec sleep 1000")
    )
    let outcome = try await pool.outcome(of: pool.submit("k"))
    // Nothing proves that it is a worker of this machine, and that it has not begun.
    #expect(outcome.failure?.cause == .mayHaveBegun, "\(outcome)")
    let deaths = try await pool.close()
    #expect(deaths.map(\.manner) == [.violation])
    let words = "stopped in the middle of a frame, after 5 bytes of it"
    #expect(deaths.allSatisfy { $0.description.contains(words) }, "\(deaths)")
  }

  @Test("one that drips its magic line has no more time for its greeting than others")
  func magicLine() async throws {
    var policy = PoolPolicy()
    policy.foreignGreetingTimeout = .milliseconds(300)
    let drip = "while :; do printf O; sleep 0.05; done"
    let pool = try PolicyPool(policy, workers: worker(drip))
    let outcome = try await pool.outcome(of: pool.submit("k"))
    #expect(outcome.failure?.cause == .noWorker)
    let deaths = try await pool.close()
    #expect(deaths.map(\.manner) == [.neverGreeted], "\(deaths)")
  }
}
