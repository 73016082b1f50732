import Foundation
import OperationPool
import PoolModel
import Testing

/// Contract: an operation without a quality of service of its own has its queue's; priority and
/// quality of service are two things.
@Suite("Quality of service in queues", .timeLimit(.minutes(30)))
struct QualityInheritanceTests {
  private func niceness(
    _ own: PoolQualityOfService,
    in queue: PoolOperationQueue
  ) async throws -> Int? {
    let options = PoolOperationOptions(qualityOfService: own)
    let operation = PoolInvocationOperation(kind: "niceness", options: options)
    try queue.addOperation(operation)
    return Int(try await operation.finished().text ?? "")
  }

  @Test("the queue's holds where the operation has none, in another process")
  func remote() async throws {
    let queue = try Pools.queue()
    let usual = try #require(await niceness(.default, in: queue))
    #expect(try await niceness(.userInteractive, in: queue) == usual)
    queue.qualityOfService = .utility
    #expect(try await niceness(.default, in: queue) == usual + 5)
    #expect(try await niceness(.background, in: queue) == 19)
  }

  @Test("the queue's holds for blocks, too, on all of their threads")
  func blocks() async throws {
    let queue = try Pools.blocks()
    let notebook = Notebook<Int>()
    let note: PoolBlockOperation.Block = { notebook.write(try Self.niceOfThread()) }
    for quality in [PoolQualityOfService.default, .background] {
      queue.qualityOfService = quality
      let operation = PoolBlockOperation(note)
      try operation.addExecutionBlock(note)
      try queue.addOperation(operation)
      #expect(try await operation.finished().ending == .succeeded)
    }
    let usual = try #require(notebook.all.first)
    #expect(notebook.all == [usual, usual, min(usual + 19, 19), min(usual + 19, 19)])
  }

  /// The niceness of the calling thread: field 19 of its line in /proc, counted after its name.
  private static func niceOfThread() throws -> Int {
    let text = try String(contentsOfFile: "/proc/thread-self/stat", encoding: .utf8)
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    return try #require(fields.count > 16 ? Int(fields[16]) : nil)
  }

  @Test("it does not change the order: a background operation of high priority goes first")
  func order() async throws {
    let queue = try Pools.blocks(width: 1)
    let notebook = Notebook<String>()
    queue.isSuspended = true
    let (first, second) = (
      block("urgent", priority: .high) { notebook.write("urgent") },
      block("important") { notebook.write("important") }
    )
    first.qualityOfService = .background
    second.qualityOfService = .userInteractive
    try queue.addOperations([second, first])
    queue.isSuspended = false
    try await queue.allOperationsFinished()
    #expect(notebook.all == ["urgent", "important"])
  }
}
