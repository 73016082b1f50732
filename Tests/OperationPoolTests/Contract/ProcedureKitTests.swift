import OperationPool
import PoolModel
import PoolSystem
import PoolTestSupport
import Testing

/// Contract: the cases of ProcedureKit's suite that its users needed, as far as they concern
/// cancelling, finishing, excluding and waiting.
///
/// In brackets the suite and the case that each test takes over.
@Suite("ProcedureKit's cases", .timeLimit(.minutes(30)))
struct ProcedureKitTests {
  // [CancellationTests: cancelled_before_running_is_not_set_to_finished_until_started]
  @Test("cancelled before it is added, an operation finishes when it is added, and not before")
  func cancelledBeforeRunning() async throws {
    let queue = try Pools.blocks()
    queue.isSuspended = true
    let operation = block()
    operation.cancel()
    #expect(operation.flags == ["cancelled", "ready"])
    try queue.addOperation(operation)
    #expect(try await operation.finished().attempts == 0)
    #expect(operation.flags == ["cancelled", "finished"])
  }

  // [CancellationTests: finished_then_cancelled_async_during_execute;
  // StressTests: concurrent_calls_to_finish_only_first_succeeds, cancel_or_finish_with_errors]
  @Test("cancelled by several threads while it finishes, an operation ends once, in one way")
  func cancelledWhileFinishing() async throws {
    let queue = try Pools.blocks()
    let completions = Notebook<Int>()
    let operations = (0..<500).map { number in
      block { if number.isMultiple(of: 2) { throw Refusal(description: "no") } }
    }
    for (number, operation) in operations.enumerated() {
      operation.completionBlock = { completions.write(number) }
    }
    let threads = try (0..<3).map { _ in
      try SystemThread.start(name: "cancels", mask: .full) {
        for operation in operations { operation.cancel() }
      }
    }
    try queue.addOperations(operations)
    for thread in threads { thread.join() }
    var endings: [PoolEnding] = []
    for operation in operations { endings.append(try await operation.finished().ending) }
    #expect(completions.reaches(500))
    #expect(Set(completions.all).count == 500 && completions.all.count == 500)
    #expect(operations.map { $0.outcome?.ending } == endings, "and it stays so")
    for (operation, ending) in zip(operations, endings) where ending == .cancelled {
      #expect(operation.isCancelled)
    }
  }

  // [FinishingTests: cancelled_procedure_finish_called_before_execute_only_first_finish_succeeds]
  @Test("cancelled again and again, an operation finishes once")
  func cancelledTwice() async throws {
    let queue = try Pools.blocks()
    queue.isSuspended = true
    let completions = Notebook<Int>()
    let operation = block()
    operation.completionBlock = { completions.write(1) }
    try queue.addOperation(operation)
    for _ in 0..<3 { operation.cancel() }
    try await operation.finished()
    #expect(completions.reaches(1))
    queue.isSuspended = false
    for _ in 0..<3 { operation.cancel() }
    try await queue.addOperation {}.finished()
    #expect(completions.all == [1])
    #expect(operation.completionBlock == nil, "it is let go")
  }

  // [FinishingTests: finish_on_other_thread_synchronously_from_execute]
  @Test("an operation may finish on another thread than that on which it began")
  func finishedElsewhere() async throws {
    let queue = try Pools.blocks()
    let operation = try queue.addOperation {
      try await Blocking.run {}
    }
    #expect(try await operation.finished().ending == .succeeded)
  }

  // [StressTests: completion_blocks]
  @Test("the completion blocks of a thousand operations are called once each, whatever the end")
  func completionBlocks() async throws {
    let queue = try Pools.blocks()
    let completions = Notebook<Int>()
    let failing = block { throw Refusal(description: "no") }
    let operations = try (0..<1_000).map { number in
      let operation = block()
      operation.completionBlock = { completions.write(number) }
      if number % 3 == 1 { try operation.addDependency(failing, requiring: .succeeded) }
      if number % 3 == 2 { operation.cancel() }
      return operation
    }
    try queue.addOperations(operations + [failing])
    #expect(completions.reaches(1_000))
    #expect(Set(completions.all).count == 1_000 && completions.all.count == 1_000)
    let endings = operations.map { $0.outcome?.ending }
    #expect(endings.prefix(3) == [.succeeded, .skipped, .cancelled])
  }

  // [NoFailedDependencies: its eight cases are rows of `DependencyTests`; with_mixture]
  @Test("of several required dependencies, one that ends otherwise is enough to skip")
  func mixture() async throws {
    let queue = try Pools.blocks()
    let (good, bad) = (block("good"), block("bad") { throw Refusal(description: "no") })
    let (strict, lenient) = (block(), block())
    for dependency in [good, bad] {
      try strict.addDependency(dependency, requiring: .succeeded)
      try lenient.addDependency(dependency)
    }
    try queue.addOperations([strict, lenient, good, bad])
    #expect(try await strict.finished().ending == .skipped)
    #expect(try await lenient.finished().ending == .succeeded)
    #expect(strict.outcome?.failure?.cause == .dependency && strict.outcome?.attempts == 0)
  }

  // [TimeoutTests: negative_interval, already_cancelled, and one that is in time]
  @Test("a timeout counts from the start of the execution; one below 0 is over at once")
  func timeouts() async throws {
    let queue = try Pools.queue()
    let late = operation("untilCancelled", "{}", timeout: .seconds(-1))
    let inTime = operation("noop", timeout: .seconds(1_000))
    let cancelled = operation("untilCancelled", "{}", timeout: .seconds(-1))
    cancelled.cancel()
    queue.isSuspended = true
    try queue.addOperations([late, inTime, cancelled])
    #expect(try await cancelled.finished().ending == .cancelled)
    queue.isSuspended = false
    #expect(try await late.finished().ending == .timedOut)
    #expect(late.outcome?.failure?.cause == .timeout && !late.isCancelled)
    #expect(try await inTime.finished().ending == .succeeded)
  }

  // [RetryTests: retry_deinits_after_finished, with_delay left out]
  @Test("an operation that was retried is let go when it has finished")
  func retriedIsLetGo() async throws {
    let queue = try Pools.blocks()
    let (attempts, lettingGo) = (Notebook<Int>(), Notebook<Bool>())
    weak var kept: PoolBlockOperation?
    do {
      let lastWord = LastWord { lettingGo.write(true) }
      let operation = PoolBlockOperation(options: .init(retryPolicy: .retries(2))) {
        try withExtendedLifetime(lastWord) {
          attempts.write(1)
          throw Refusal(description: "again")
        }
      }
      kept = operation
      try queue.addOperation(operation)
      #expect(try await operation.finished().attempts == 3)
    }
    // The thread that executed it may be the last to let go of it, a moment after its end.
    #expect(lettingGo.reaches(1))
    #expect(kept == nil && attempts.all.count == 3)
  }

  // [ProcessProcedureTests: cancel before launch, exit status, uncaught signal, nonexistent path]
  @Test("a command's exit status, signal and absence are told apart")
  func commands() async throws {
    let queue = try Pools.commands()
    let (exits, killed, absent, cancelled) = (
      PoolCommandOperation(shell: "exit 42"), PoolCommandOperation(shell: "kill -9 $$"),
      PoolCommandOperation(run: ["/nowhere/program"]), PoolCommandOperation(shell: "exit 43")
    )
    cancelled.cancel()
    try queue.addOperations([exits, killed, absent, cancelled])
    let failures = [
      try await exits.finished().failure, try await killed.finished().failure,
      try await absent.finished().failure, try await cancelled.finished().failure,
    ]
    #expect(failures.map { $0?.cause } == [.exit, .signal, .spawn, .cancelled])
    #expect(failures.prefix(2).map { $0?.code } == [42, 9])
  }
}
