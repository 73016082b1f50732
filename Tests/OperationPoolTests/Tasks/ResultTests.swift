import Foundation
import OperationPool
import OperationWorker
import PoolModel
import Testing

/// Contract: what an operation returned and how it ended are to be had together.
@Suite("Results")
struct ResultTests {
  @Test("a success is its value, and its outcome is there")
  func success() async throws {
    let queue = try Pools.queue()
    let sum = PoolTypedOperation(Sum(numbers: [1, 2]))
    try queue.addOperation(sum)
    let result = try await sum.result
    #expect(try result.get().sum == 3)
    #expect(sum.outcome?.attempts == 1)
    #expect(try sum.outcome?.value(as: Sum.Output.self).sum == 3)
  }

  @Test("a failure is the error that the value throws, declared or not")
  func failure() async throws {
    let queue = try Pools.queue()
    let declared = PoolTypedOperation(Complain())
    let fault = PoolTypedOperation(Mixed(.failure), options: PoolOperationOptions(name: "fault"))
    try queue.addOperations([declared, fault])
    let complaint = try await declared.result
    #expect(throws: Complain.Failure.tooLarge(pixels: 7)) { try complaint.get() }
    let result = try await fault.result
    let failure = #expect(throws: PoolFailure.self) { try result.get() }
    #expect(failure?.cause == .error)
    #expect(failure?.operation == "fault")
    #expect(failure?.localizedDescription == failure?.description)
  }

  @Test("the end of the task is told from the end of the operation")
  func cancellation() async throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    let sum = PoolTypedOperation(Sum(numbers: [1]))
    try queue.addOperation(sum)
    let task = Task { try await sum.result }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    sum.cancel()
    let result = try await sum.result
    let failure = #expect(throws: PoolFailure.self) { try result.get() }
    #expect(failure?.cause == .cancelled)
  }

  @Test("an outcome has a value of the type that is asked for, or says why not")
  func outcomes() async throws {
    let queue = try Pools.queue()
    let outcome = try await queue.run(operation("echo", "[1, 2]"))
    #expect(try outcome.value(as: [Int].self) == [1, 2])
    let error = #expect(throws: PoolError.self) { try outcome.value(as: String.self) }
    #expect(error?.code == .notSuccessful)
    let sentence = error?.localizedDescription ?? ""
    #expect(sentence.hasPrefix("the result of the operation is not String: "))
    let failed = try await queue.run(operation("fail"))
    let failure = #expect(throws: PoolFailure.self) { try failed.value(as: Int.self) }
    #expect(failure == failed.failure)
  }

  @MainActor
  @Test("a reduction may use what belongs to the caller's actor")
  func isolated() async throws {
    let queue = try Pools.queue()
    var calls = 0
    let text = try await queue.map([Echo(text: "a"), Echo(text: "b")]).reduce { texts in
      MainActor.assertIsolated()
      calls += 1
      return Echo(text: texts.joined())
    }
    #expect(text == "ab")
    #expect(calls == 1)
  }
}

/// An operation that returns its text, as the tests' worker has it.
private struct Echo: WorkerOperation {
  static let kind = "echo"
  var text: String

  init(text: String) { self.text = text }

  init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  func main(_ context: WorkerContext) -> String { text }
}

/// An operation that throws what it declares, as the tests' worker has it.
private struct Complain: WorkerOperation {
  static let kind = "throw"

  enum Failure: Error, Codable, Equatable {
    case tooLarge(pixels: Int)
  }

  var deed = "declared"

  func main(_ context: WorkerContext) -> Int { 0 }
}
