import OperationPool
import PoolModel
import Testing

/// Contract: every operation ends in exactly one of six ways, and its outcome says which and why.
@Suite("Outcomes", .timeLimit(.minutes(30)))
struct OutcomeTests {
  @Test("an operation that returns has succeeded, with its result and its times")
  func success() async throws {
    let queue = try Pools.queue()
    let echo = operation("echo", #"{"deep":[1,2.5,"three"]}"#)
    try queue.addOperation(echo)
    let outcome = try await echo.finished()
    #expect(outcome.ending == .succeeded)
    #expect(outcome.failure == nil)
    #expect(outcome.text == #"{"deep":[1,2.5,"three"]}"#)
    #expect(outcome.attempts == 1)
    #expect(outcome.worker != nil)
    let (queued, started) = (try #require(outcome.queued), try #require(outcome.started))
    #expect(queued <= started && started <= outcome.finished)
  }

  @Test("an operation that throws has failed, and says what was thrown")
  func failure() async throws {
    let queue = try Pools.queue()
    let fail = operation("fail", #"{"message":"no more of this"}"#)
    try queue.addOperation(fail)
    let failure = try #require(try await fail.finished().failure)
    #expect(fail.outcome?.ending == .failed)
    #expect(failure.cause == .error)
    #expect(failure.description == "no more of this")
    #expect(failure.type == "Refusal")
  }

  @Test("an operation whose worker dies under it is lost, and the next one finds another worker")
  func loss() async throws {
    let queue = try Pools.queue()
    let (crash, next) = (operation("crash"), operation("noop"))
    try queue.addOperations([crash, next])
    let lost = try await crash.finished()
    #expect(lost.ending == .lost)
    #expect(lost.failure?.cause == .workerDied)
    #expect(lost.failure?.description.contains("signal 6") == true)
    let outcome = try await next.finished()
    #expect(outcome.ending == .succeeded)
    #expect(outcome.worker != lost.worker)
  }

  @Test("an operation over its timeout has timed out")
  func timeout() async throws {
    let queue = try Pools.queue()
    let slow = operation("untilCancelled", "{}", timeout: .milliseconds(50))
    try queue.addOperation(slow)
    let outcome = try await slow.finished()
    #expect(outcome.ending == .timedOut)
    #expect(outcome.failure?.cause == .timeout)
  }

  @Test("one that is deaf to requests and to SIGTERM is killed when its time is over")
  func stubbornTimeout() async throws {
    let queue = try Pools.queue()
    let deaf = operation("stubborn", timeout: .milliseconds(50))
    try queue.addOperation(deaf)
    #expect(try await deaf.finished().ending == .timedOut)
    let next = operation("noop")
    try queue.addOperation(next)
    #expect(try await next.finished().ending == .succeeded)
  }

  @Test("an operation whose dependency ended otherwise than required is skipped")
  func skip() async throws {
    let queue = try Pools.queue()
    let (fail, next) = (operation("fail", #"{"message":"no"}"#), operation("noop"))
    try next.addDependency(fail, requiring: .succeeded)
    try queue.addOperations([next, fail])
    let outcome = try await next.finished()
    #expect(outcome.ending == .skipped)
    #expect(outcome.failure?.cause == .dependency)
    #expect(outcome.attempts == 0)
    #expect(outcome.worker == nil && outcome.started == nil && outcome.queued == nil)
  }

  @Test("an operation of a kind that no worker serves has failed, and says so")
  func unserved() async throws {
    let queue = try Pools.queue()
    let stranger = operation("stranger")
    try queue.addOperation(stranger)
    let outcome = try await stranger.finished()
    #expect(outcome.ending == .failed)
    #expect(outcome.failure?.cause == .unservedKind)
    #expect(outcome.attempts == 0)
  }

  @Test("a worker that ends at once, again and again, is given up, and its operations have failed")
  func noWorker() async throws {
    let queue = try PoolOperationQueue(workers: .command("exit 3", count: 2))
    let orphan = operation("noop")
    try queue.addOperation(orphan)
    let outcome = try await orphan.finished()
    #expect(outcome.ending == .failed)
    #expect(outcome.failure?.cause == .noWorker)
  }

  @Test("a result that is not JSON is the operation's failure")
  func noJSON() async throws {
    let queue = try Pools.queue()
    let broken = operation("notJSON")
    try queue.addOperation(broken)
    #expect(try await broken.finished().ending == .failed)
  }

  @Test("the longest timeout is none, and a negative one is over at once")
  func oddTimeouts() async throws {
    let queue = try Pools.queue()
    let patient = operation("noop", timeout: .seconds(Int64.max))
    let hasty = operation("untilCancelled", "{}", timeout: .seconds(Int64.min))
    try queue.addOperations([patient, hasty])
    #expect(try await patient.finished().ending == .succeeded)
    #expect(try await hasty.finished().ending == .timedOut)
  }
}
