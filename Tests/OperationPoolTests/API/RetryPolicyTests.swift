import OperationPool
import PoolModel
import PoolSystem
import Synchronization
import Testing

/// Contract: a policy says how often, when and after what an operation is executed again.
@Suite("Retry policies", .timeLimit(.minutes(30)))
struct RetryPolicyTests {
  /// A block that fails so often before it succeeds, and writes down when it was executed.
  private func flaky(
    _ failures: Int,
    _ policy: PoolRetryPolicy,
    _ times: Notebook<Int64> = Notebook()
  ) -> PoolBlockOperation {
    let rest = Mutex(failures)
    let options = PoolOperationOptions(retryPolicy: policy)
    return PoolBlockOperation(options: options) {
      times.write(MonotonicClock.now)
      let isOver = rest.withLock { rest in
        rest -= 1
        return rest < 0
      }
      if !isOver { throw Refusal(description: "not yet") }
    }
  }

  @Test("an operation is executed again after its delay, until it succeeds")
  func delay() async throws {
    let queue = try Pools.queue()
    let policy = PoolRetryPolicy.retries(5, delay: .milliseconds(20), growth: 2)
    let times = Notebook<Int64>()
    let operation = flaky(2, policy, times)
    try queue.addOperation(operation)
    let outcome = try await operation.finished()
    #expect(outcome.ending == .succeeded && outcome.attempts == 3)
    let pauses = zip(times.all.dropFirst(), times.all).map { $0 - $1 }
    // Half of 20 ms and half of 40 ms, at least.
    #expect(pauses.count == 2 && pauses[0] >= .milliseconds(10) && pauses[1] >= .milliseconds(20))
  }

  @Test("the last attempt is final, whatever it ended with")
  func count() async throws {
    let queue = try Pools.queue()
    let operation = flaky(5, PoolRetryPolicy.retries(1, delay: .milliseconds(1)))
    try queue.addOperation(operation)
    let outcome = try await operation.finished()
    #expect(outcome.ending == .failed && outcome.attempts == 2)
  }

  @Test(
    "without a delay of the user's it backs off within 30 s; one of his own is kept for an hour"
  )
  func defaults() {
    let standard = PoolRetryPolicy.retries(3)
    #expect(standard.delay == .milliseconds(100) && standard.growth == 2)
    #expect(standard.maximumDelay == .seconds(30))
    let own = PoolRetryPolicy.retries(3, delay: .seconds(60))
    #expect(own.growth == 1 && own.maximumDelay == .seconds(3_600))
    #expect(PoolRetryPolicy.retries(3, growth: 3).delay == .milliseconds(100))
  }

  @Test("the standard delay passes between two attempts")
  func standardDelay() async throws {
    let queue = try Pools.queue()
    let times = Notebook<Int64>()
    let operation = flaky(1, .retries(1), times)
    try queue.addOperation(operation)
    #expect(try await operation.finished().ending == .succeeded)
    #expect(times.all[1] - times.all[0] >= .milliseconds(100))
  }

  @Test("a command is executed again for the exit codes that the policy names, and no others")
  func exitCodes() async throws {
    let queue = try Pools.commands()
    let policy = PoolRetryPolicy.retries(2, delay: .zero, because: [.exit], exitCodes: [75])
    let options = PoolOperationOptions(retryPolicy: policy)
    let operations = [75, 1].map { PoolCommandOperation(shell: "exit \($0)", options: options) }
    try queue.addOperations(operations)
    #expect(try await operations[0].finished().attempts == 3)
    #expect(try await operations[1].finished().attempts == 1)
  }

  @Test("an ending that the policy does not name is final")
  func endings() async throws {
    let queue = try Pools.queue()
    let operation = flaky(5, PoolRetryPolicy.retries(3, on: [.lost]))
    try queue.addOperation(operation)
    #expect(try await operation.finished().attempts == 1)
  }

  @Test("one that waits for its next attempt is pending, delays no other, and can be cancelled")
  func waiting() async throws {
    let queue = try Pools.queue()
    queue.maxConcurrentOperationCount = 1
    let operation = flaky(5, PoolRetryPolicy.retries(3, delay: .seconds(1_000)))
    let next = PoolBlockOperation {}
    try queue.addOperations([operation, next])
    #expect(try await next.finished().ending == .succeeded)
    #expect(operation.state == .pending && !operation.isExecuting)
    operation.cancel()
    let outcome = try await operation.finished()
    #expect(outcome.ending == .cancelled && outcome.attempts == 1)
  }
}
