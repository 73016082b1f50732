import OperationPool
import OperationWorker
import PoolModel
import Testing

/// Contract: large batches of values are written by several threads, and are as if one had.
@Suite("Large batches of values", .timeLimit(.minutes(30)))
struct TypedBatchTests {
  private static let count = 5_000

  @Test("each operation has its own value, and its own result")
  func values() async throws {
    let queue = try Pools.queue(2)
    let operations = (0..<Self.count).map { PoolTypedOperation(Sum(numbers: [$0, 1])) }
    try queue.addOperations(operations)
    for (index, operation) in operations.enumerated() {
      let value = try await operation.value
      #expect(value.sum == index + 1)
    }
  }

  @Test("where some cannot be written, the first of them is named, and none is added")
  func refused() async throws {
    let queue = try Pools.queue()
    var operations: [PoolOperation] = (0..<Self.count).map {
      PoolTypedOperation(Sum(numbers: [$0]))
    }
    for place in [4_999, 3_333, 1_234] {
      let options = PoolOperationOptions(name: "number \(place)")
      operations[place] = PoolTypedOperation(Unspeakable(), options: options)
    }
    let error = #expect(throws: PoolError.self) { try queue.addOperations(operations) }
    #expect(error?.code == .notEncodable)
    #expect(error?.description.contains("number 1234") == true)
    #expect(queue.operationCount == 0)
    for place in [4_999, 3_333, 1_234] { operations[place] = PoolBlockOperation {} }
    try queue.addOperations(operations)
    try await queue.allOperationsFinished()
  }
}
