import OperationPool
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

/// Contract: a queue that was told to keeps what happens, and reports it at any time; another one
/// keeps nothing.
@Suite("Reports of a queue", .timeLimit(.minutes(30)))
struct QueueReportTests {
  private func blocks() throws -> PoolOperationQueue {
    PoolOperationQueue(fleet: try PoolFleet([]))
  }

  @Test("nothing is kept before it is asked for, nor after it is switched off")
  func off() async throws {
    let queue = try blocks()
    #expect(!queue.keepsRecords && queue.report() == nil)
    queue.keepsRecords = false
    queue.keepsRecords = true
    queue.keepsRecords = true
    try queue.addOperation(PoolBlockOperation {})
    try await queue.allOperationsFinished()
    #expect(queue.report()?.endings == [.succeeded: 1])
    queue.keepsRecords = false
    #expect(!queue.keepsRecords && queue.report() == nil)
    queue.keepsRecords = true
    #expect(queue.report()?.operationCount == 0)
  }

  @Test("of a queue at work counts what has ended, and says what has not")
  func midway() async throws {
    let queue = try blocks()
    queue.maxConcurrentOperationCount = 2
    queue.keepsRecords = true
    let end = Meeting(of: 2)
    let slow = PoolBlockOperation(options: PoolOperationOptions(name: "slow\u{1B}")) { end.join() }
    let failing = PoolBlockOperation { throw Refusal(description: "no") }
    try queue.addOperations([slow, failing, PoolBlockOperation {}])
    try await failing.finished()
    #expect(await slow.reaches(.executing))
    while queue.operationCount > 1 { await Task.yield() }
    let report = try #require(queue.report())
    #expect(report.operationCount == 3)
    #expect(report.endings == [.succeeded: 1, .failed: 1])
    #expect(report.elapsed > .zero && report.busyShare > 0 && report.busyShare <= 1)
    let text = report.description
    #expect(text.contains("1 of 3 operations succeeded in "))
    #expect(text.contains(": 1 failed, 1 had not ended."))
    #expect(text.contains("What the 2 slots did:") && text.contains("failed: no"))
    #expect(!text.contains("killed") && !text.contains("\u{1B}") && text.last != "\n")
    end.join()
    try await queue.allOperationsFinished()
    #expect(queue.report()?.description.contains("2 of 3 operations succeeded") == true)
  }

  @Test("of 100,000 operations is made while others go on")
  func many() async throws {
    let queue = try blocks()
    queue.keepsRecords = true
    try queue.addOperations((0..<100_000).map { _ in PoolBlockOperation {} })
    try await queue.allOperationsFinished()
    let start = MonotonicClock.now
    let report = try #require(queue.report())
    print("reported in \(MonotonicClock.now - start) ns")
    #expect(report.endings == [.succeeded: 100_000])
    #expect(report.description.contains("All 100000 operations succeeded in "))
  }
}
