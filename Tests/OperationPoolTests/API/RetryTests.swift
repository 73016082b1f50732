import OperationPool
import PoolModel
import Testing

/// Contract: an attempt that failed, timed out or was lost is repeated as often as was allowed, and
/// never otherwise.
@Suite("Retries", .timeLimit(.minutes(30)))
struct RetryTests {
  @Test("no attempt is repeated unasked", arguments: ["crash", "fail"])
  func none(kind: String) async throws {
    let queue = try Pools.queue()
    let once = operation(kind, #"{"message":"no"}"#)
    try queue.addOperation(once)
    #expect(try await once.finished().attempts == 1)
  }

  @Test("every retry is used before an operation has failed", arguments: ["crash", "fail"])
  func all(kind: String) async throws {
    let queue = try Pools.queue()
    let stubborn = operation(kind, #"{"message":"no"}"#, retries: 2)
    try queue.addOperation(stubborn)
    let outcome = try await stubborn.finished()
    #expect(outcome.attempts == 3)
    #expect(outcome.ending == (kind == "crash" ? .lost : .failed))
  }

  @Test("a timeout is of each attempt")
  func timeouts() async throws {
    let queue = try Pools.queue()
    let slow = operation("untilCancelled", "{}", timeout: .milliseconds(20), retries: 1)
    try queue.addOperation(slow)
    let outcome = try await slow.finished()
    #expect(outcome.attempts == 2)
    #expect(outcome.ending == .timedOut)
  }

  @Test("an operation that succeeds needs no retry")
  func success() async throws {
    let queue = try Pools.queue()
    let sum = PoolTypedOperation(
      Sum(numbers: [1, 2]),
      options: PoolOperationOptions(retryPolicy: .retries(5))
    )
    try queue.addOperation(sum)
    #expect(try await sum.value.attempt == 1)
  }
}
