import Foundation
import PoolCore
import PoolModel
import PoolTestSupport
import Testing

@testable import OperationPool

/// Workers that say by their exit code that the system has too little of something.
@Suite("Workers that lack something", .timeLimit(.minutes(30)))
struct WorkerShortageTests {
  /// A worker that cannot start while a file is missing.
  private func worker(until file: String) -> PoolWorkerConfiguration {
    let program = Repository.program("test-worker").path(percentEncoded: false)
    let script = "echo 'opool-worker: no room' >&2; test -e \"$1\" || exit 75; exec \"$2\""
    let arguments = ["-c", script, "sh", file, program]
    return .executable(URL(filePath: "/bin/sh"), arguments: arguments, count: 1)
  }

  @Test("where that lasts, an operation fails for want of workers, and what lacks is named")
  func lasting() async throws {
    var policy = PoolPolicy()
    // Starts that fail further apart than half of it are several shortages.
    policy.shortageLimit = .seconds(4)
    policy.restartDelay = .milliseconds(10)
    policy.shortageDelayLimit = .milliseconds(50)
    let pool = try PolicyPool(policy, workers: worker(until: "/nowhere"))
    let outcome = try await pool.outcome(of: pool.submit("sum", #"{"numbers":[1,2]}"#))
    #expect(outcome.ending == .failed)
    // More than may die for another reason.
    let deaths = try await pool.close()
    #expect(deaths.count > 3)
    #expect(deaths.allSatisfy { $0.description.hasSuffix("had to give up: no room") })
  }

  @Test("where it passes, the operation is executed once")
  func passing() async throws {
    let folder = try TestFolder()
    var policy = PoolPolicy()
    policy.restartDelay = .milliseconds(10)
    // On a busy machine it lasts longer than is usually waited for.
    policy.shortageLimit = .seconds(600)
    let pool = try PolicyPool(policy, workers: worker(until: folder.path(of: "room")))
    let id = pool.submit("sum", #"{"numbers":[1,2]}"#)
    try await pool.losesWorkers(4)
    try folder.write("", to: "room")
    let outcome = try await pool.outcome(of: id)
    #expect(outcome.ending == .succeeded)
    #expect(outcome.attempts == 1)
    _ = try await pool.close()
  }
}
