import Foundation
import OperationPool
import OperationWorker
import PoolModel
import Testing

/// Contract: what cannot be added is refused with a reason that names it, and then nothing of the
/// batch was added.
@Suite("Refusals", .timeLimit(.minutes(30)))
struct ErrorTests {
  private func refusal(
    _ queue: PoolOperationQueue,
    _ operations: [PoolOperation]
  ) -> PoolError? {
    do throws(PoolError) {
      try queue.addOperations(operations)
      return nil
    } catch {
      return error
    }
  }

  @Test("an operation is added once, and to one queue")
  func twice() async throws {
    let (queue, other) = (try Pools.queue(), try Pools.queue())
    let (first, fresh) = (operation("noop", name: "first"), operation("noop"))
    try queue.addOperation(first)
    #expect(refusal(queue, [fresh, first])?.code == .alreadyEnqueued)
    #expect(refusal(queue, [fresh, fresh])?.code == .alreadyEnqueued)
    #expect(refusal(other, [first])?.code == .alreadyEnqueued)
    #expect(refusal(queue, [first])?.description.contains("'first'") == true)
    try other.addOperation(fresh)
    #expect(try await fresh.finished().ending == .succeeded, "a refused batch leaves no trace")
  }

  @Test("the refusal of what was added before says where, and what to do")
  func places() async throws {
    let remedy = "an operation is executed once; make another for more"
    let queue = try Pools.queue()
    queue.name = "first"
    queue.isSuspended = true
    let twice = operation("noop", name: "twice")
    try queue.addOperation(twice)
    #expect(
      refusal(queue, [twice])?.localizedDescription
        == "'twice' was added to the queue 'first' before: \(remedy)"
    )
    queue.isSuspended = false
    _ = try await twice.finished()
    #expect(refusal(queue, [twice])?.description == "'twice' has finished: \(remedy)")
  }

  @Test("a fleet of no workers is refused", arguments: [0, -1])
  func counts(_ count: Int) {
    let error = #expect(throws: PoolError.self) {
      try PoolOperationQueue(workers: .inProcess(.operation(Infinite.self), count: count))
    }
    #expect(error?.code == .noWorker)
    #expect(error?.description.hasPrefix("'count: \(count)' is no number of workers: ") == true)
  }

  @Test("a result that cannot be written as JSON is a failure that says so")
  func unwritable() async throws {
    let queue = try PoolOperationQueue(workers: .inProcess(.operation(Infinite.self), count: 1))
    let outcome = try await queue.run(PoolTypedOperation(Infinite()) as PoolOperation)
    let sentence = try #require(outcome.failure?.sentence)
    #expect(sentence.hasPrefix("the result of 'infinite' cannot be written as JSON: "))
  }

  @Test("an operation that cannot be written as JSON is refused")
  func unspeakable() async throws {
    let queue = try Pools.queue()
    let error = refusal(queue, [operation("noop"), PoolTypedOperation(Unspeakable())])
    #expect(error?.code == .notEncodable)
    #expect(queue.operationCount == 0)
  }

  @Test(
    "a payload that is not one JSON value is refused when it is added, and injects nothing",
    arguments: [
      ("", "the text ends too early at byte 1"),
      ("{", "the text ends too early at byte 2"),
      (#"{"s":"x"},"kind":"admin""#, "something after the end of the value at byte 10"),
      ("1 2", "something after the end of the value at byte 3"),
      ("\u{FEFF}1", "expected a JSON value at byte 1"),
      ("'x'", "expected a JSON value at byte 1"),
    ]
  )
  func malformed(payload: String, reason: String) async throws {
    let queue = try Pools.queue()
    let fresh = operation("noop")
    let error = refusal(queue, [fresh, operation("echo", payload, name: "bad")])
    #expect(error?.code == .notEncodable)
    #expect(error?.description == "the payload of 'bad' is not one JSON value: \(reason)")
    #expect(queue.operationCount == 0)
    let fleet = try PoolFleet(.command("exit 1", count: 1))
    #expect(throws: PoolError.self) { try operation("echo", payload).start(on: fleet) }
    try queue.addOperation(fresh)
    #expect(try await fresh.finished().ending == .succeeded)
  }

  @Test("a group with a malformed payload among its members is refused")
  func malformedMember() throws {
    let error = #expect(throws: PoolError.self) {
      try PoolGroupOperation(operations: [operation("noop"), operation("echo", "}")])
    }
    #expect(error?.code == .notEncodable)
  }

  @Test("a result of another type is an error of its own")
  func wrongType() async throws {
    let queue = try Pools.queue()
    let odd = PoolTypedOperation(Misunderstood())
    try queue.addOperation(odd)
    let error = await #expect(throws: PoolError.self) { try await odd.value }
    #expect(error?.code == .notSuccessful)
    #expect(odd.outcome?.ending == .succeeded)
  }

  @Test("the value of an operation that failed is its failure")
  func failureOfValue() async throws {
    let queue = try PoolOperationQueue(workers: .command("exit 1", count: 1))
    let sum = PoolTypedOperation(Sum(numbers: []))
    try queue.addOperation(sum)
    let failure = await #expect(throws: PoolFailure.self) { try await sum.value }
    #expect(failure?.cause == .noWorker)
  }
}

/// An operation whose result is no number of JSON's.
private struct Infinite: WorkerOperation {
  static let kind = "infinite"

  func main(_ context: WorkerContext) -> Double { .infinity }
}
