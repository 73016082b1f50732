import OperationPool
import OperationWorker
import PoolModel
import Testing

/// Contract: a kind that asks for it has what each execution used in its outcome; others have
/// nothing.
@Suite("Usage of typed operations", .timeLimit(.minutes(30)))
struct UsageTests {
  /// What the tests' worker uses on demand.
  private struct Use: WorkerOperation {
    static let kind = "use"
    var milliseconds = 0
    var megabytes = 0
    var usesChild = false
    var resultBytes = 0
    var isToFail = false

    func main(_ context: WorkerContext) throws -> String { "" }
  }

  private func usage(_ use: Use, in queue: PoolOperationQueue) async throws -> PoolResourceUsage? {
    let operation = PoolTypedOperation(use)
    try queue.addOperation(operation)
    return try await operation.finished().usage
  }

  @Test("processor time is that of the execution, and not that of those before it")
  func time() async throws {
    let queue = try Pools.queue()
    let long = try #require(try await usage(Use(milliseconds: 300), in: queue))
    #expect(long.userTime + long.systemTime >= .milliseconds(290))
    let short = try #require(try await usage(Use(), in: queue))
    #expect(short.userTime + short.systemTime < .milliseconds(150))
  }

  @Test("children that the operation has waited for count")
  func children() async throws {
    let queue = try Pools.queue()
    let usage = try #require(try await usage(Use(usesChild: true), in: queue))
    #expect(usage.userTime + usage.systemTime >= .milliseconds(200))
  }

  #if os(Linux)
  @Test("the peak is that of the execution, and not that of those before it")
  func peak() async throws {
    let queue = try Pools.queue()
    let large = try #require(try await usage(Use(megabytes: 256), in: queue)).peakMemoryBytes
    #expect(large >= 256 << 20)
    let small = try #require(try await usage(Use(megabytes: 1), in: queue)).peakMemoryBytes
    #expect(small < large - (128 << 20) && small > 1 << 20)
  }
  #endif

  @Test("an operation that fails has its usage, too, and a result keeps its value")
  func endings() async throws {
    let queue = try Pools.queue()
    #expect(try await usage(Use(isToFail: true), in: queue) != nil)
    let operation = PoolTypedOperation(Use(resultBytes: 3))
    #expect(try await queue.run(operation) == "xxx")
    #expect(operation.outcome?.usage != nil)
    let large = PoolTypedOperation(Use(resultBytes: 1 << 20))
    #expect(try await queue.run(large).utf8.count == 1 << 20)
    #expect(large.outcome?.usage != nil)
  }

  @Test("kinds that do not ask for it, and blocks, have none")
  func unasked() async throws {
    let queue = try Pools.queue()
    #expect(try await queue.run(operation("noop")).usage == nil)
    #expect(try await queue.run(PoolBlockOperation {}).usage == nil)
    let kind = WorkerKind.operation(Use.self).measuringUsage()
    let hosted = try PoolOperationQueue(workers: .inProcess([kind]))
    #expect(try await usage(Use(), in: hosted) == nil)
  }
}
