import OperationPool
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

/// Contract: the four sorts of operations, and the ways to wait for them.
@Suite("Operations", .timeLimit(.minutes(30)))
struct OperationTests {
  @Test("a typed operation returns a value of its own type")
  func typed() async throws {
    let queue = try Pools.queue()
    let (sum, async) = (
      PoolTypedOperation(Sum(numbers: [1, 2, 3])), PoolTypedOperation(AsyncSum(numbers: [4, 5]))
    )
    try queue.addOperations([sum, async])
    #expect(try await sum.value.sum == 6)
    #expect(try await async.value == 9)
    #expect(try await sum.value.sum == 6, "and again")
  }

  @Test("a command's outputs, exit code and usage are in its outcome")
  func command() async throws {
    let queue = try Pools.commands()
    let command = PoolCommandOperation(
      shell: "cat; echo $WORD >&2; pwd; exit 3",
      directory: "/",
      environment: ["WORD": "hello"],
      standardInput: Array("given\n".utf8)
    )
    try queue.addOperation(command)
    let outcome = try await command.finished()
    #expect(outcome.ending == .failed)
    #expect(outcome.failure?.cause == .exit && outcome.failure?.code == 3)
    #expect(outcome.standardOutput == Array("given\n/\n".utf8))
    #expect(outcome.standardError == Array("hello\n".utf8))
    #expect((outcome.usage?.peakMemoryBytes ?? 0) > 0)
  }

  @Test("a program gets its arguments as they are, without a shell")
  func arguments() async throws {
    let queue = try Pools.commands()
    let command = PoolCommandOperation(run: ["printf", "%s|", "a b", "$HOME", "*", ""])
    try queue.addOperation(command)
    #expect(try await command.finished().standardOutput == Array("a b|$HOME|*||".utf8))
  }

  @Test("large outputs follow one another through one worker, and each is whole")
  func largeOutputs() async throws {
    let queue = try Pools.commands()
    for count in [20_000, 200_000, 20_000] {
      let command = PoolCommandOperation(shell: "head -c \(count) /dev/zero")
      try queue.addOperation(command)
      #expect(try await command.finished().standardOutput.count == count)
    }
  }

  @Test("a large payload travels both ways")
  func largePayload() async throws {
    let queue = try Pools.queue()
    let text = "\"\(String(repeating: "x", count: 5_000_000))\""
    let echoes = (0..<3).map { _ in operation("echo", text) }
    try queue.addOperations(echoes)
    for echo in echoes { #expect(try await echo.finished().text == text) }
  }

  @Test("an operation that was not added is ready or pending, and never finished")
  func states() async throws {
    let (first, second) = (operation("noop"), operation("noop"))
    try second.addDependency(first)
    #expect(first.state == .ready && second.state == .pending)
    #expect(first.outcome == nil && !first.isFinished && !first.isCancelled)
    #expect(second.dependencies.map(ObjectIdentifier.init) == [ObjectIdentifier(first)])
  }

  @Test("names, priorities and classes are kept as they were given")
  func options() async throws {
    let options = PoolOperationOptions(
      name: "named",
      queuePriority: .high,
      qualityOfService: .background,
      timeout: .seconds(7),
      retryPolicy: .retries(2)
    )
    let named = PoolInvocationOperation(kind: "noop", options: options)
    #expect(named.name == "named" && named.kind == "noop")
    #expect(named.queuePriority == .high && named.qualityOfService == .background)
    #expect(named.timeout == .seconds(7) && named.options.retryPolicy == .retries(2))
    #expect(operation("noop").name == nil)
    let queue = try Pools.queue()
    try queue.addOperation(named)
    #expect(try await named.finished().ending == .succeeded)
  }

  @Test("threads and tasks that wait for the same operation all go on when it finishes")
  func waiting() async throws {
    let queue = try Pools.queue()
    queue.isSuspended = true
    let awaited = operation("noop")
    try queue.addOperation(awaited)
    let threads = try (0..<4).map { index in
      try SystemThread.start(name: "waits", mask: .full) {
        if index.isMultiple(of: 2) {
          try? awaited.waitUntilFinished()
        } else {
          try? queue.waitUntilAllOperationsAreFinished()
        }
      }
    }
    async let endings = withThrowingTaskGroup(of: PoolEnding.self) { group in
      for _ in 0..<8 { group.addTask { try await awaited.finished().ending } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    queue.isSuspended = false
    #expect(try await endings == Array(repeating: .succeeded, count: 8))
    for thread in threads { thread.join() }
    try await Blocking.run { try awaited.waitUntilFinished() }
    #expect(awaited.isFinished && queue.operationCount == 0 && queue.operations.isEmpty)
  }

  @Test("adding can wait until all of a batch has finished")
  func addAndWait() async throws {
    let queue = try Pools.queue()
    let batch = (0..<20).map { _ in operation("noop") }
    let thread = try SystemThread.start(name: "adds", mask: .full) {
      try? queue.addOperations(batch, waitUntilFinished: true)
      #expect(batch.allSatisfy { $0.outcome?.ending == .succeeded })
    }
    try await Blocking.run { thread.join() }
  }
}
