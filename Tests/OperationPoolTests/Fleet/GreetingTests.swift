import OperationPool
import PoolCore
import PoolModel
import PoolTestSupport
import PoolWire
import Testing

@testable import OperationPool

/// Contract: what a worker says that it serves is bounded, however much, and however often.
@Suite("Kinds in a greeting", .timeLimit(.minutes(30)))
struct GreetingTests {
  /// A program that says that it serves so many kinds.
  private func worker(serving count: Int, in folder: TestFolder) throws -> PoolWorkerConfiguration {
    var writer = JSONWriter()
    let kinds = (0..<count).map { "kind-\($0)" }
    WorkerMessage.hello(Hello(pid: 0, kinds: kinds)).encode(into: &writer)
    try folder.write(Frame.magic + writer.bytes, to: "greeting")
    let script = "cat '\(folder.path(of: "greeting"))'; exec cat >'\(folder.path(of: "heard"))'"
    return .command("sh -c \"\(script)\"", count: 1)
  }

  @Test(
    "more kinds than a worker may serve are a violation that names both numbers",
    arguments: [Hello.kindLimit + 1, 65_536, 70_000]
  )
  func tooMany(count: Int) async throws {
    let folder = try TestFolder()
    let pool = try PolicyPool(workers: worker(serving: count, in: folder))
    let outcome = try await pool.outcome(of: pool.submit("kind-1"))
    #expect(outcome.failure?.cause == .noWorker)
    let deaths = try await pool.close()
    #expect(deaths.allSatisfy { $0.manner == .violation })
    let words = "a 'hello' with \(count) kinds, but a worker serves at most \(Hello.kindLimit)"
    #expect(deaths.first?.description.contains(words) == true)
  }

  @Test(
    "as many kinds as a worker may serve are served, and have no numbers until they are asked for"
  )
  func asMany() async throws {
    let folder = try TestFolder()
    let workers = try worker(serving: Hello.kindLimit, in: folder)
    let pool = try PolicyPool(workers: workers)
    let (first, other) = (pool.submit("kind-4095"), pool.submit("no-kind"))
    #expect(try await pool.outcome(of: other).failure?.cause == .unservedKind)
    #expect(
      pool.engine.shared.withLock { $0.transaction.machine.dispatcher.addKind().rawValue } == 2
    )
    _ = pool.engine.tell { machine, now in machine.change(.cancel(first), at: now) }
    #expect(try await pool.outcome(of: first).ending != .succeeded)
    _ = try await pool.close()
  }

  @Test("what replacements say that they serve adds nothing")
  func replacements() {
    var names = KindNames()
    let configuration = ConfigurationID(rawValue: 0)
    names.note(["a", "b"], of: configuration)
    for round in 0..<1_000 {
      let said: Set = ["a", "b", "new \(round)"]
      #expect(names.numbers(of: said, on: []).isEmpty && !names.lacksSome(said, of: configuration))
      names.note(said, of: configuration)
    }
    #expect(names.count == 2)
    #expect(names.lacksSome(["a", "new 7"], of: configuration))
    names.begin(configuration)
    #expect(names.count == 0 && !names.lacksSome([], of: configuration))
    names.begin(configuration, serving: ["a"])
    names.note(["a", "b"], of: configuration)
    #expect(names.served(by: configuration) == ["a"], "what its workers add does not count")
    #expect(names.lacksSome(["b"], of: configuration))
  }
}
