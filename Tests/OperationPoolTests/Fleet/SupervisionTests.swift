import Foundation
import OperationPool
import PoolCore
import PoolModel
import PoolTestSupport
import Testing

/// Contract: whatever becomes of a worker is told apart and named, and costs one operation.
@Suite("Supervision", .timeLimit(.minutes(30)))
struct SupervisionTests {
  /// A policy under which silence is found out soon.
  private func impatient(endTimeout: Int = 2_000) -> PoolPolicy {
    var policy = PoolPolicy()
    policy.heartbeatInterval = .milliseconds(100)
    policy.heartbeatLimit = .milliseconds(500)
    policy.frameTimeout = .milliseconds(500)
    policy.endTimeout = .milliseconds(endTimeout)
    return policy
  }

  @Test(
    "each way to die has its name, and costs the operation that executed and no other",
    arguments: [
      ("exit", "0", PoolWorkerDeath.Manner.exit, "exited with code 0"),
      ("exit", "3", .exit, "exited with code 3"),
      ("raise", "12", .signal, "was ended by signal 12"),
      ("raise", "9", .signal, "was ended by signal 9, which was not the pool's"),
      ("crash", "null", .abort, "abort"),
      ("garble", "null", .violation, "frame"),
      ("stall", "null", .violation, "stopped in the middle of a frame, after"),
      ("shortOutput", "null", .violation, "a file with 20 bytes of output, which has 10"),
      ("closeOutputs", "null", .closedOutput, "closed its output while it lived"),
      ("raise", "19", .stopped, "was stopped by a signal"),
    ]
  )
  func manners(
    _ kind: String,
    _ payload: String,
    _ manner: PoolWorkerDeath.Manner,
    _ words: String
  ) async throws {
    let pool = try PolicyPool(impatient(endTimeout: manner == .closedOutput ? 2_000 : 30_000))
    let (bad, next) = (pool.submit(kind, payload), pool.submit("noop"))
    let outcome = try await pool.outcome(of: bad)
    #expect(outcome.ending == .lost && outcome.attempts == 1)
    #expect(outcome.failure?.cause == (manner == .violation ? .violation : .workerDied))
    #expect(outcome.failure?.description.contains(words) == true, "\(outcome)")
    #expect(outcome.workerDeaths.map(\.manner) == [manner])
    #expect(outcome.workerDeaths.first?.pid ?? 0 > 1)
    #expect(outcome.workerDeaths.first?.worker == outcome.worker)
    let following = try await pool.outcome(of: next)
    #expect(following.ending == .succeeded && following.workerDeaths.isEmpty, "\(following)")
    #expect(try await pool.close().map(\.manner) == [manner, .exit])
  }

  @Test("a death comes with the last of what the worker wrote to its standard error")
  func tail() async throws {
    let pool = try PolicyPool()
    let outcome = try await pool.outcome(of: pool.submit("complain"))
    let death = try #require(outcome.workerDeaths.first)
    #expect(String(decoding: death.errorTail, as: UTF8.self) == "it is all too much\n")
    #expect(death.status == .exited(3))
    _ = try await pool.close()
  }

  @Test("the reason that a program gives for its crash is in the failure's sentence")
  func reason() async throws {
    let pool = try PolicyPool()
    // The answer before it may be read after what the crash wrote.
    let before = pool.submit("noop")
    let outcome = try await pool.outcome(of: pool.submit("fatal", #""the reason""#))
    let sentence = try #require(outcome.failure?.description)
    #expect(sentence.contains("was ended by signal"), "\(sentence)")
    #expect(sentence.hasSuffix(#"Fatal error: "the reason""#), "\(sentence)")
    #expect(outcome.workerDeaths.first?.headline?.hasSuffix(#"Fatal error: "the reason""#) == true)
    #expect(try await pool.outcome(of: before).ending == .succeeded)
    _ = try await pool.close()
  }

  @Test("a worker that cannot be started, or never greets, is named so")
  func neverThere() async throws {
    var policy = PoolPolicy()
    policy.foreignGreetingTimeout = .milliseconds(50)
    let mute = try PolicyPool(policy, workers: .command("sleep 1000", count: 1))
    let orphan = try await mute.outcome(of: mute.submit("noop"))
    #expect(orphan.failure?.cause == .noWorker)
    let deaths = try await mute.close()
    #expect(deaths.map(\.manner) == [.neverGreeted])
    #expect(deaths.first?.description.contains("did not greet within 0.05 s") == true)
    let missing = Repository.root.appending(path: "there-is-no-such-program")
    let absent = try PolicyPool(workers: .executable(missing, count: 1))
    let other = try await absent.outcome(of: absent.submit("noop"))
    #expect(other.failure?.cause == .noWorker)
    #expect(try await absent.close().map(\.manner) == [.spawn, .spawn, .spawn])
  }

  @Test("a worker has the time to greet of its configuration, or of its kind of program")
  func greetingTime() async throws {
    let policy = PoolPolicy()
    let command = PoolWorkerConfiguration.command("cat", count: 1)
    #expect(command.greetingTimeout(by: policy) == .seconds(60))
    #expect(PoolWorkerConfiguration.thisExecutable().greetingTimeout(by: policy) == .seconds(10))
    let other = PoolWorkerConfiguration.executable(Repository.root, count: 1)
    #expect(other.greetingTimeout(by: policy) == .seconds(60))
    let standard = try PoolWorkerConfiguration.standard(count: 1)
    #expect(standard.greetingTimeout(by: policy) == .seconds(10))
    #expect(command.greeting(within: .seconds(5)).greetingTimeout(by: policy) == .seconds(5))
    #expect(command.greeting(within: .zero).greetingTimeout(by: policy) == 1)
    let hasty = command.greeting(within: .milliseconds(20))
    let pool = try PolicyPool(policy, workers: hasty)
    #expect(try await pool.outcome(of: pool.submit("noop")).failure?.cause == .noWorker)
    #expect(try await pool.close().first?.description.contains("within 0.02 s") == true)
  }

  @Test("a worker answers while it executes, however long that is")
  func heartbeat() async throws {
    var policy = impatient()
    policy.heartbeatInterval = .milliseconds(20)
    let pool = try PolicyPool(policy)
    let long = pool.submit("stubborn")
    try await pool.starts(long)
    while pool.engine.ask({ $0.supervisor.pingCount }) < 20 { await Task.yield() }
    #expect(pool.engine.ask { $0.graph.phase(of: long) } == .executing)
    _ = pool.engine.tell { machine, now in machine.change(.cancel(long), at: now) }
    #expect(try await pool.outcome(of: long).ending == .cancelled)
    _ = try await pool.close()
  }

  @Test("an operation that kills worker after worker is set aside, with the evidence")
  func quarantine() async throws {
    let pool = try PolicyPool()
    let (bad, next) = (pool.submit("raise", "12", retries: 9), pool.submit("noop"))
    let outcome = try await pool.outcome(of: bad)
    #expect(outcome.ending == .lost && outcome.attempts == 3)
    #expect(outcome.failure?.cause == .quarantined)
    #expect(
      outcome.failure?.description.hasPrefix(
        "3 workers died while they executed it or were about to: "
      ) == true
    )
    #expect(outcome.workerDeaths.map(\.status) == Array(repeating: .signaled(12), count: 3))
    #expect(Set(outcome.workerDeaths.map(\.worker)).count == 3)
    #expect(pool.failures.map(\.cause) == [.workerDied, .workerDied])
    #expect(try await pool.outcome(of: next).ending == .succeeded)
    _ = try await pool.close()
  }
}
