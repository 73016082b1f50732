import PoolModel
import Testing

@testable import OperationPool

/// Contract: an operation that no worker executes says why, and what is likely to help.
@Suite("Why no worker executes an operation")
struct WorkerAbsenceTests {
  private func death(
    _ status: PoolExitStatus = .exited(0),
    violation: String? = nil,
    error: String = ""
  ) -> PoolWorkerDeath {
    var excerpt = ErrorExcerpt()
    excerpt.append(Array(error.utf8)[...])
    return PoolWorkerDeath(
      worker: WorkerID(rawValue: 3),
      pid: 9,
      status: status,
      violation: violation,
      error: excerpt
    )
  }

  private func broken(_ workers: WorkerAbsence.Workers...) -> String {
    WorkerAbsence(kind: "sum", workers: workers).ofBrokenWorkers
  }

  @Test("the last death is told, with what it wrote where nothing else says why")
  func deaths() {
    let sentence = "no worker that serves 'sum' could be kept alive"
    #expect(broken(.init()) == sentence)
    #expect(
      broken(.init(death: death(.exited(3), error: "one\nno such model\n")))
        == "\(sentence): worker 3 (pid 9) exited with code 3, after it wrote “no such model”"
    )
    #expect(
      broken(.init(death: death(.signaled(4), error: "m.swift:7: Fatal error: no input\n")))
        == "\(sentence): worker 3 (pid 9) was ended by signal 4: m.swift:7: Fatal error: no input"
    )
  }

  @Test("of several configurations, that one counts which serves the kind, or may")
  func configurations() {
    let text = broken(
      .init(served: ["sum"], death: death(.exited(1))),
      .init(served: ["other"], death: death(.exited(2)))
    )
    #expect(text.hasSuffix("exited with code 1"))
  }

  @Test("a program that never greeted as its own worker is asked for its first line")
  func hints() {
    let hint = "does its 'main' call 'PoolWorker.serveIfSpawned' before anything else?"
    #expect(broken(.init(areThisExecutable: true, death: death())).hasSuffix("; \(hint)"))
    #expect(!broken(.init(death: death())).contains(hint))
    #expect(!broken(.init(areThisExecutable: true, served: ["sum"], death: death())).contains(hint))
  }

  @Test("a kind that is not served is named, with what is")
  func unserved() {
    func sentence(_ kind: String, _ served: Set<String>?...) -> String {
      WorkerAbsence(kind: kind, workers: served.map { .init(served: $0) }).ofUnservedKind
    }
    let start = "no worker serves its kind"
    #expect(sentence("sum", ["b"], ["a", "b"]) == "\(start) 'sum': its workers serve 'a', 'b'")
    #expect(sentence("sum") == "\(start) 'sum': its fleet executes only blocks")
    #expect(sentence("sum", []) == "\(start) 'sum': its workers serve none")
    let many = Set((10..<30).map { "k\($0)" })
    #expect(sentence("sum", many).hasSuffix("'k16', 'k17' and 12 more"))
    #expect(sentence("command", ["a"]).contains("'opool-worker' does"))
    let own = WorkerAbsence(kind: "sum", workers: [.init(areThisExecutable: true, served: ["b"])])
    let remedy = "is it in the list for 'PoolWorker.serveIfSpawned'?"
    #expect(own.ofUnservedKind == "\(start) 'sum': its workers serve 'b'; \(remedy)")
  }

  @Test("a queue without a word about workers has those of this program, which tests cannot be")
  func tests() async throws {
    let queue = try PoolOperationQueue()
    let block = PoolBlockOperation {}
    #expect(try await queue.run(block).ending == .succeeded)
    let failure = try #require(try await queue.run(operation("noop")).failure)
    #expect(failure.description.hasPrefix("no worker that serves 'noop' could be kept alive: "))
    #expect(failure.description.contains("executes tests: use '.inProcess' with"))
  }

  @Test("which programs execute tests")
  func testRunners() {
    for name in ["appPackageTests.xctest", "xctest", "swiftpm-testing-helper"] {
      #expect(WorkerPrograms.executesTests(name))
    }
    #expect(!WorkerPrograms.executesTests("latest"))
  }

  @Test("an operation of a kind that is not served says what is, from a real worker")
  func real() async throws {
    let queue = try Pools.queue(1)
    let failure = try #require(try await queue.run(operation("unheard of")).failure)
    #expect(failure.description.hasPrefix("no worker serves its kind 'unheard of': its workers"))
  }
}
