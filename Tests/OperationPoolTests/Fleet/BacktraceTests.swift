import Foundation
import PoolModel
import PoolTestSupport
import Testing

@testable import OperationPool

/// Contract: a crash is told as a crash, and only the first of a configuration waits for a
/// backtrace.
@Suite("Backtraces of workers", .timeLimit(.minutes(30)))
struct BacktraceTests {
  /// Crashes several times in a row, each within a short timeout; returns what was printed.
  private func crash(
    _ backtraces: PoolBacktraces,
    _ count: Int
  ) async throws -> [String] {
    let workers = PoolWorkerConfiguration.executable(Repository.program("test-worker"), count: 1)
    let queue = try PoolOperationQueue(
      workers: workers.printing(to: .discarded).backtracing(backtraces)
    )
    var printed: [String] = []
    for number in 0..<count {
      let options = PoolOperationOptions(timeout: .seconds(600))
      let outcome = try await queue.run(
        PoolInvocationOperation(
          kind: "fatal",
          payload: Array("\"number \(number)\"".utf8),
          options: options
        )
      )
      #expect(outcome.ending == .lost && outcome.failure?.cause == .workerDied)
      #expect(outcome.failure?.sentence.contains("number \(number)") == true, "\(outcome)")
      printed.append(String(decoding: outcome.printed, as: UTF8.self))
    }
    return printed
  }

  private func hasBacktrace(_ text: String) -> Bool { text.contains("Backtracing from") }

  /// Whether the environment of the tests wants backtraces.
  private static var areOn: Bool {
    ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"]?.contains("enable=no") != true
  }

  @Test("the first crash has one, later ones have the reason alone", .enabled(if: areOn))
  func first() async throws {
    #expect(try await crash(.first, 3).map(hasBacktrace) == [true, false, false])
  }

  @Test("by choice, all or none have one", .enabled(if: areOn))
  func choice() async throws {
    #expect(try await crash(.always, 2).map(hasBacktrace) == [true, true])
    #expect(try await crash(.never, 2).map(hasBacktrace) == [false, false])
  }

  @Test("a crash whose backtrace takes longer than the timeout is no timeout", .enabled(if: areOn))
  func timeout() async throws {
    let queue = try Pools.queue()
    var timeout = Duration.milliseconds(100)
    // The time may be over before the operation crashes, if the machine has much to do.
    while try await !crashes(in: queue, within: timeout), timeout < .seconds(60) { timeout *= 2 }
    #expect(timeout < .seconds(60))
  }

  /// Whether both attempts had crashed by then.
  private func crashes(
    in queue: PoolOperationQueue,
    within timeout: Duration
  ) async throws -> Bool {
    let late = operation("fatal", #""the reason""#, timeout: timeout, retries: 1)
    let outcome = try await queue.run(late)
    guard outcome.workerDeaths.count == 2 else { return false }
    #expect(outcome.ending == .lost && outcome.failure?.sentence.contains("the reason") == true)
    return true
  }

  @Test("the setting reaches the worker alone, and what it starts has this process's own")
  func commands() async throws {
    let own = ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"] ?? "none"
    let workers = try PoolWorkerConfiguration.standard(count: 1).backtracing(.never)
    let queue = try PoolOperationQueue(workers: workers)
    let line = "echo ${SWIFT_BACKTRACE-none} ${OPOOL_BACKTRACE-none}"
    let command = PoolCommandOperation(shell: "\(line); tr '\\0' '\\n' </proc/$PPID/environ")
    let lines = String(decoding: try await queue.run(command).standardOutput, as: UTF8.self)
      .split(separator: "\n")
    #expect(lines.first == "\(own) none")
    #expect(lines.contains("SWIFT_BACKTRACE=enable=no"))
  }

  /// The line that begins a backtrace, behind other text.
  private static let line = Array("text*** Signal 4: Backtracing from 0x7faa7df6df7f...".utf8)

  @Test("the line that begins a backtrace is found, also behind other text of its line")
  func line() {
    #expect(CrashHeadline.beginsBacktrace(Self.line))
    #expect(!CrashHeadline.beginsBacktrace(Array("Backtracing".utf8)))
    #expect(!CrashHeadline.beginsBacktrace([]))
  }

  @Test("it is found wherever two readings divide it, and after neither half alone")
  func divided() throws {
    let words = Array(": Backtracing from 0x".utf8)
    let start = try #require(Self.line.firstRange(of: words)?.lowerBound)
    for split in start + 1..<start + words.count {
      let (first, second) = (Array(Self.line[..<split]), Array(Self.line[split...]))
      #expect(CrashHeadline.beginsBacktrace(second, after: first), "split at \(split)")
      #expect(!CrashHeadline.beginsBacktrace(first), "split at \(split)")
      #expect(!CrashHeadline.beginsBacktrace(second), "split at \(split)")
      #expect(!CrashHeadline.beginsBacktrace(first, after: second), "split at \(split)")
    }
    // What came before is no news.
    #expect(!CrashHeadline.beginsBacktrace(Array("more".utf8), after: Self.line))
  }
}
