import Foundation
import OperationPool
import OperationWorker
import PoolModel
import Testing

/// Contract: a message about an operation without a name says its kind and its number.
@Suite("Labels in messages", .timeLimit(.minutes(30)))
struct LabelTests {
  private func refusal(_ body: () throws -> Void) -> String {
    do {
      try body()
      return ""
    } catch {
      return "\(error)"
    }
  }

  private func hasNumber(_ message: String, _ kind: String) -> Bool {
    message.range(of: "'\(kind) [0-9.]+'", options: .regularExpression) != nil
  }

  @Test("what cannot be encoded has a number, though no queue has taken it")
  func encoding() throws {
    let queue = try Pools.queue()
    let value = refusal { try queue.addOperation(PoolTypedOperation(Unspeakable())) }
    #expect(hasNumber(value, "sum"), "\(value)")
    let bytes = refusal { try queue.addOperation(operation("echo", "{")) }
    #expect(hasNumber(bytes, "echo"), "\(bytes)")
    let batch = (0..<3_000).map { _ in PoolTypedOperation(Unspeakable()) }
    #expect(hasNumber(refusal { try queue.addOperations(batch) }, "sum"))
    let group = try PoolGroupOperation()
    let member = refusal { try group.addOperation(operation("echo", "{")) }
    #expect(hasNumber(member, "echo"), "\(member)")
  }

  @Test("inputs are from an operation with a number")
  func inputs() async throws {
    let queue = try Pools.queue()
    let (reader, block) = (operation("echo"), PoolBlockOperation {})
    let noInput = refusal { try reader.addInput("a", from: block) }
    #expect(hasNumber(noInput, block.kind), "\(noInput)")
    try reader.addInput("a", from: operation("noop"))
    let taken = refusal { try reader.addInput("a", from: operation("noop")) }
    #expect(hasNumber(taken, "echo"), "\(taken)")
    _ = queue
  }

  @Test("what is refused where it was added before has a number, and so has its group")
  func added() throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    let (member, group) = (operation("noop"), try PoolGroupOperation())
    try group.addOperation(member)
    let message = refusal { try queue.addOperation(member) }
    #expect(hasNumber(message, "noop") && hasNumber(message, group.kind), "\(message)")
    let conditioned = operation("noop")
    try queue.addOperations((0..<3_000).map { _ in operation("noop") } + [conditioned])
    let late = refusal { try conditioned.addCondition(PoolCondition("late") { _ in true }) }
    #expect(hasNumber(late, "noop"), "\(late)")
    queue.cancelAllOperations()
  }

  @Test("a failure that is thrown says of which operation; one of an outcome need not")
  func thrown() async throws {
    let queue = try Pools.queue()
    let failed = PoolTypedOperation(Mixed(.failure))
    let failure = try await #require(throws: PoolFailure.self) { try await queue.run(failed) }
    #expect(failure.sentence == "told to fail")
    #expect(hasNumber("\(failure)", "mixed") && "\(failure)".hasSuffix(": told to fail"))
    #expect(failed.outcome?.failure?.description == "told to fail")
    let named = PoolTypedOperation(
      Mixed(.failure),
      options: PoolOperationOptions(name: "the last one")
    )
    let other = try await #require(throws: PoolFailure.self) { try await queue.run(named) }
    #expect("\(other)" == "'the last one': told to fail")
    #expect(other.operation == "the last one")
    for try await (_, result) in queue.map([Mixed(.failure)]) {
      #expect(hasNumber(refusal { _ = try result.get() }, "mixed"))
    }
    let block = PoolBlockOperation { throw failure }
    let group = try PoolGroupOperation()
    try group.addOperation(block)
    let reason = try await queue.run(group).failure?.description ?? ""
    #expect(hasNumber(reason, block.kind), "\(reason)")
  }
}
