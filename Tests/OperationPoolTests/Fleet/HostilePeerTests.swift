import OperationPool
import PoolModel
import Testing

/// Contract: a program that is no worker, or a bad one, ends in a clear error and harms nothing
/// else.
@Suite("Hostile peers", .timeLimit(.minutes(30)))
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

  /// Foundation learns of a child's end by a descriptor that only the child has.
  ///
  /// If the child closes it and lives on, the thread that reports the ends of all children waits
  /// for this one. In a process of its own: here it would hold up those of every suite.
  @Test("a worker that closes every descriptor does not hold up the news of other deaths")
  func closer() async throws {
    #expect(try await Scenes.play("closer") == ["lost", "lost", "lost"])
  }
}
