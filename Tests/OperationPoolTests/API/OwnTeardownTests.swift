import OperationPool
import PoolModel
import PoolTestSupport
import Testing

/// Contract: an operation may have a teardown sequence of its own, and its outcome says which steps
/// were taken, when, and which of them worked.
@Suite("An operation's own teardown sequence", .timeLimit(.minutes(30)))
struct OwnTeardownTests {
  private typealias Teardown = PoolTeardownSequence

  private func options(_ steps: [Teardown.Step]) -> PoolOperationOptions {
    PoolOperationOptions(teardownSequence: Teardown(steps: steps))
  }

  @Test("a typed operation is made to end by its own steps, each in its time")
  func typed() async throws {
    let queue = try Pools.queue()
    let steps = [
      Teardown.Step(.message, graceMilliseconds: 20), .init(.signal(15), graceMilliseconds: 30),
      .init(.signal(9), graceMilliseconds: 0),
    ]
    let deaf = PoolInvocationOperation(
      kind: "stubborn",
      payload: Array("null".utf8),
      options: options(steps)
    )
    let transitions = deaf.transitions
    try queue.addOperation(deaf)
    for await transition in transitions {
      // By then it ignores SIGTERM.
      if case .logged = transition { break }
    }
    deaf.cancel()
    let outcome = try await deaf.finished()
    #expect(outcome.ending == .cancelled)
    #expect(outcome.cancellation?.step == .signal(9))
    #expect(outcome.stepsTaken.map(\.action) == [.message, .signal(15), .signal(9)])
    let times = outcome.stepsTaken.map(\.at)
    #expect(times[1] - times[0] >= .milliseconds(20) && times[2] - times[1] >= .milliseconds(30))
    #expect(times[2] <= outcome.finished)
  }

  @Test("the worker walks a command's own teardown sequence, and says which step worked")
  func command() async throws {
    let queue = try Pools.commands()
    let steps = [
      Teardown.Step(.signal(1), graceMilliseconds: 20),
      .init(.signal(10), graceMilliseconds: 5_000),
    ]
    let folder = try TestFolder()
    try folder.makePipe("up")
    let up = "echo up > \(folder.path(of: "up"))"
    let script = "trap '' HUP; \(up); while :; do sleep 1; done"
    let command = PoolCommandOperation(shell: script, options: options(steps))
    try queue.addOperation(command)
    #expect(try await folder.read(pipe: "up") == "up\n")
    command.cancel()
    let outcome = try await command.finished()
    #expect(outcome.ending == .cancelled)
    #expect(outcome.cancellation?.step == .signal(10))
    let taken = outcome.stepsTaken
    #expect(taken.map(\.action) == [.signal(1), .signal(10)])
    let started = try #require(outcome.started)
    #expect(taken.allSatisfy { started <= $0.at && $0.at <= outcome.finished })
    if let first = taken.first, let last = taken.last {
      #expect(last.at - first.at >= .milliseconds(20))
    }
  }

  @Test("the steps that a worker took in each attempt are told, in order")
  func attempts() async throws {
    let queue = try Pools.commands()
    var options = options([.init(.signal(15), graceMilliseconds: 5_000)])
    options.timeout = .milliseconds(500)
    options.retryPolicy = .retries(1)
    let slow = PoolCommandOperation(shell: "exec sleep 1000", options: options)
    try queue.addOperation(slow)
    let outcome = try await slow.finished()
    #expect(outcome.ending == .timedOut && outcome.attempts == 2)
    #expect(outcome.stepsTaken.map(\.action) == [.signal(15), .signal(15)])
    let times = outcome.stepsTaken.map(\.at)
    #expect(times[1] - times[0] >= .milliseconds(20) && times[1] <= outcome.finished)
  }

  @Test("a timeout goes by the operation's own teardown sequence too")
  func timeout() async throws {
    let queue = try Pools.queue()
    var options = options([.init(.signal(9), graceMilliseconds: 0)])
    options.timeout = .milliseconds(20)
    let slow = PoolInvocationOperation(
      kind: "untilCancelled",
      payload: [123, 125],
      options: options
    )
    try queue.addOperation(slow)
    let outcome = try await slow.finished()
    #expect(outcome.ending == .timedOut && outcome.cancellation == nil)
    #expect(outcome.stepsTaken.map(\.action) == [.signal(9)])
    #expect(outcome.workerDeaths.isEmpty, "a death that the pool meant is held against nobody")
  }

  @Test("an attempt is repeated for the causes that were chosen")
  func causes() async throws {
    let queue = try Pools.commands()
    let policy = PoolRetryPolicy.retries(2, because: [.signal])
    let scripts = ["exit 3", "kill -9 $$", "true"]
    let commands = scripts.map {
      PoolCommandOperation(shell: $0, options: PoolOperationOptions(retryPolicy: policy))
    }
    try queue.addOperations(commands)
    var attempts: [Int] = []
    for command in commands { attempts.append(try await command.finished().attempts) }
    #expect(attempts == [1, 3, 1])
    #expect(commands[0].outcome?.failure?.cause == .exit)
    #expect(commands[1].outcome?.failure?.cause == .signal)
  }
}
