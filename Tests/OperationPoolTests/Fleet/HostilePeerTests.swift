import OperationPool
import PoolModel
import Testing

/// Contract: a program that is no worker, or a bad one, ends in a clear error and harms nothing
/// else.
@Suite("Hostile peers", .timeLimit(.minutes(10)))
struct HostilePeerTests {
  @Test(
    "a program that does not keep to the protocol is killed, and given up",
    arguments: [
      "printf 'OPOOL-WORKER 1\\n\\377\\377\\377\\377'; exec sleep 1000",
      "printf 'OPOOL-WORKER 1\\n\\0\\0\\0\\3{}\\n'; exec sleep 1000",
      "printf 'OPOOL-WORKER 1\\n\\0\\0\\0\\2no'; exec sleep 1000",
      "printf 'OPOOL-WORKER 1\\n\\0\\0'",
      "head -c 100000 /dev/zero; exec sleep 1000",
      "exec 1>&-; kill -9 $$",
    ]
  )
  func violators(script: String) async throws {
    let queue = try PoolOperationQueue(workers: .command("sh -c '\(quoted(script))'", count: 1))
    let orphan = operation("noop")
    try queue.addOperation(orphan)
    let outcome = try await orphan.finished()
    #expect(outcome.ending == .failed)
    #expect(outcome.failure?.cause == .noWorker)
  }

  private func quoted(_ script: String) -> String {
    script.replacing("'", with: "'\\''")
  }

  @Test("a foreign command that closes every descriptor does not hold up the news of other deaths")
  func closer() async throws {
    let closing = (3...9).map { "\($0)>&-" }.joined(separator: " ")
    let script = "exec \(closing); exec sleep 1000"
    let foreign = try PoolOperationQueue(workers: .command("sh -c '\(script)'", count: 1))
    let orphan = operation("noop")
    try foreign.addOperation(orphan)
    let queue = try Pools.queue()
    for _ in 0..<3 {
      let exit = operation("exit", "1")
      try queue.addOperation(exit)
      let outcome = try await exit.finished()
      #expect(outcome.ending == .lost)
      // Held up, it would be heard of when the foreign command is killed for its silence: after 10
      // s.
      #expect(outcome.finished - (outcome.started ?? .zero) < .seconds(5))
    }
    orphan.cancel()
    try await orphan.finished()
  }
}
