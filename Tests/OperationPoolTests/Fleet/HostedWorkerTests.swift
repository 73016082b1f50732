import OperationPool
import OperationWorker
import PoolModel
import PoolSystem
import PoolTestSupport
import Synchronization
import Testing

/// Contract: workers that are threads of this process execute typed operations as processes do;
/// what cannot be killed is abandoned, with the outcome that a kill has.
@Suite("Workers in this process", .timeLimit(.minutes(30)))
struct HostedWorkerTests {
  /// Where the same kinds are served.
  enum Place: CaseIterable {
    case elsewhere
    case here

    var workers: PoolWorkerConfiguration {
      switch self {
      case .elsewhere: .executable(Repository.program("test-worker"), count: 2)
      case .here: .inProcess(Hosted.kinds, count: 2)
      }
    }
  }

  @Test("values, failures, attempts and ends are those of a process", arguments: Place.allCases)
  func outcomes(_ place: Place) async throws {
    let queue = try PoolOperationQueue(workers: place.workers)
    let sum = try await queue.run(Sum(numbers: [1, 2, 3]))
    #expect(sum.sum == 6 && sum.attempt == 1)
    #expect(try await queue.run(AsyncSum(numbers: [4, 5])) == 9)
    let large = Array(0..<200_000)
    #expect(try await queue.run(AsyncSum(numbers: large)) == large.reduce(0, +))
    let failed = try await queue.run(operation("fail", #"{"message":"no"}"#, retries: 2))
    #expect(failed.ending == .failed && failed.attempts == 3)
    #expect(failed.failure?.description == "no" && failed.failure?.type == "Refusal")
    let unserved = try await queue.run(operation("unheard of"))
    #expect(unserved.failure?.cause == .unservedKind)
    let wrong = try await queue.run(operation("sum", #"{"numbers":["one"]}"#))
    #expect(wrong.failure?.description.contains("the payload is no 'sum'") == true)
    // A busy machine must not take a thread for one that does not hear.
    let teardown = PoolTeardownSequence(steps: [
      .init(.message, graceMilliseconds: 600_000), .init(.signal(9), graceMilliseconds: 0),
    ])
    for kind in ["untilCancelled", "sleepUntilCancelled"] {
      let long = operation(kind, teardown: teardown)
      try queue.addOperation(long)
      #expect(await long.reaches(.executing))
      long.cancel()
      let outcome = try await long.finished()
      #expect(outcome.ending == .cancelled && outcome.cancellation?.step == .message)
      let late = try await queue.run(
        operation(kind, timeout: .milliseconds(20), teardown: teardown)
      )
      #expect(late.ending == .timedOut && late.stepsTaken.map(\.action) == [.message])
    }
    await queue.shutdown()
    #expect(throws: PoolError.self) { try queue.addOperation(operation("noop")) }
  }

  @Test("what an operation reports comes, and its context knows it", arguments: Place.allCases)
  func reports(_ place: Place) async throws {
    let queue = try PoolOperationQueue(workers: place.workers, name: "q")
    let look = operation("look", name: "glance")
    let sight = try await queue.run(look).text
    #expect(
      sight?.contains(#""name":"glance""#) == true && sight?.contains(#""queue":"q""#) == true
    )
    let talk = PoolInvocationOperation(
      kind: "stubborn",
      payload: Array("null".utf8),
      options: PoolOperationOptions(teardownSequence: .immediate)
    )
    let transitions = talk.transitions
    try queue.addOperation(talk)
    for await transition in transitions {
      if case .logged(let line) = transition {
        #expect(line == "deaf")
        break
      }
    }
    talk.cancel()
    #expect(try await talk.finished().ending == .cancelled)
  }

  @Test("a deaf operation is abandoned on the signal that would end a process, and told so")
  func deaf() async throws {
    let queue = try PoolOperationQueue(workers: .inProcess(Hosted.kinds, count: 1))
    let call = Hosted.Call()
    let steps: [PoolTeardownSequence.Step] = [
      .init(.message), .init(.signal(18)), .init(.signal(15), grace: .seconds(100)),
      .init(.signal(9)),
    ]
    let options = PoolOperationOptions(teardownSequence: PoolTeardownSequence(steps: steps))
    let deaf = PoolTypedOperation(Hosted.Deaf(number: call.number), options: options)
    // Prefetched behind the deaf one, and executed once, by another worker.
    let next = (1...3).map { PoolTypedOperation(Hosted.Count(call: call.number, number: $0)) }
    try queue.addOperations([deaf] + next)
    #expect(await deaf.reaches(.executing))
    deaf.cancel()
    let outcome = try await deaf.finished()
    #expect(outcome.ending == .cancelled && outcome.cancellation?.step == .signal(15))
    for operation in next { #expect(try await operation.value == 1) }
    #expect(try await next[0].finished().worker != outcome.worker)
    await queue.shutdown()
    #expect(call.state.withLock { !$0.hasReturned }, "it goes on behind the pool's back")
    call.state.withLock { $0.mayReturn = true }
    call.state.broadcast()
    call.state.wait(
      while: { !$0.hasReturned },
      then: { state in
        #expect(state.wasAsked, "it was asked to stop before its worker was abandoned")
      }
    )
  }

  @Test("a timeout, a retry and a shutdown get past a deaf operation")
  func impatience() async throws {
    let queue = try PoolOperationQueue(workers: .inProcess(Hosted.kinds, count: 1))
    let call = Hosted.Call()
    defer {
      call.state.withLock { $0.mayReturn = true }
      call.state.broadcast()
    }
    let options = PoolOperationOptions(
      timeout: .milliseconds(20),
      retryPolicy: .retries(1),
      teardownSequence: .immediate
    )
    let deaf = PoolTypedOperation(Hosted.Deaf(number: call.number), options: options)
    try queue.addOperation(deaf)
    let outcome = try await deaf.finished()
    #expect(outcome.ending == .timedOut && outcome.attempts == 2)
    let last = PoolTypedOperation(
      Hosted.Deaf(number: call.number),
      options: PoolOperationOptions(teardownSequence: .immediate)
    )
    try queue.addOperation(last)
    #expect(await last.reaches(.executing))
    await queue.shutdown(.cancel)
    #expect(try await last.finished().ending == .cancelled)
  }

  @Test("what an abandoned operation reports and returns is dropped")
  func afterwards() async throws {
    let queue = try PoolOperationQueue(workers: .inProcess(Hosted.kinds, count: 1))
    let call = Hosted.Call()
    let options = PoolOperationOptions(teardownSequence: .immediate)
    let deaf = PoolTypedOperation(Hosted.Deaf(number: call.number), options: options)
    let transitions = deaf.transitions
    try queue.addOperation(deaf)
    #expect(await deaf.reaches(.executing))
    deaf.cancel()
    #expect(try await deaf.finished().ending == .cancelled)
    // Its pipes are closed by then, and other files may have their numbers.
    await queue.shutdown()
    call.state.withLock { $0.mayReturn = true }
    call.state.broadcast()
    call.state.wait(while: { !$0.hasReturned }, then: { _ in })
    for await transition in transitions {
      if case .logged(let line) = transition { Issue.record("it said '\(line)'") }
    }
    #expect(deaf.outcome?.ending == .cancelled)
  }

  @Test("an operation's cancellation handler that blocks holds up nothing but itself")
  func handlers() async throws {
    let queue = try PoolOperationQueue(workers: .inProcess(Hosted.kinds, count: 1))
    let call = Hosted.Call()
    let options = PoolOperationOptions(teardownSequence: .immediate)
    let clinging = PoolTypedOperation(Hosted.Clinging(number: call.number), options: options)
    try queue.addOperation(clinging)
    // Without blocking a thread that the operation may need.
    var iterator = call.begun.makeAsyncIterator()
    await iterator.next()
    clinging.cancel()
    #expect(try await clinging.finished().ending == .cancelled)
    #expect(try await queue.run(Sum(numbers: [1])).sum == 1)
    await queue.shutdown()
    call.state.withLock { $0.mayReturn = true }
    call.state.broadcast()
    call.rest.withLock { $0.take() }?.resume()
  }

  @Test("two kinds of one name are refused with the sentence of a worker process")
  func twice() async throws {
    let kinds: [WorkerKind] = [.operation(Sum.self), .operation(Sum.self)]
    let queue = try PoolOperationQueue(workers: .inProcess(kinds, count: 1))
    let outcome = try await queue.run(operation("sum"))
    #expect(outcome.failure?.cause == .noWorker)
    #expect(outcome.failure?.description.contains("two kinds are named 'sum'") == true)
  }

  @Test("workers that are replaced after each operation lose none")
  func recycled() async throws {
    let workers = PoolWorkerConfiguration.inProcess(Hosted.kinds, count: 2)
      .recycled(.after(operations: 1))
    let queue = try PoolOperationQueue(workers: workers)
    let operations = (0..<40).map { PoolTypedOperation(AsyncSum(numbers: [$0])) }
    try queue.addOperations(operations)
    var seen: Set<WorkerID> = []
    for (number, operation) in operations.enumerated() {
      #expect(try await operation.value == number)
      if let worker = try await operation.finished().worker { seen.insert(worker) }
    }
    #expect(seen.count == operations.count)
  }
}

/// Kinds that execute in this process.
enum Hosted {
  static let kinds: [WorkerKind] = [
    .raw("noop") { _, _ in Array("null".utf8) },
    .operation(Addition.self), .asyncOperation(AsyncAddition.self), .operation(Failing.self),
    .operation(Patient.self), .asyncOperation(Sleeping.self), .operation(Looking.self),
    .operation(Stubborn.self), .operation(Deaf.self), .operation(Count.self),
    .asyncOperation(Clinging.self), .asyncOperation(Join.self),
  ]

  /// What a test and its operation share, which only operations of this process can.
  final class Call: Sendable {
    struct State {
      var mayReturn = false
      var hasReturned = false
      var wasAsked = false
      var counts: [Int: Int] = [:]
    }

    private static let all = Mutex<[Call]>([])
    let number: Int
    let state = Monitor(State())
    /// Told when the operation has begun.
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    /// What the operation waits for, whether it is cancelled or not.
    let rest = Mutex<CheckedContinuation<Void, Never>?>(nil)

    init() {
      number = Self.all.withLock { $0.count }
      Self.all.withLock { $0.append(self) }
    }

    static func at(_ number: Int) -> Call { all.withLock { $0[number] } }
  }

  /// Returns when it may, not when it is asked to stop.
  struct Deaf: WorkerOperation {
    static let kind = "deaf"
    var number: Int

    func main(_ context: WorkerContext) -> Int {
      let call = Call.at(number)
      call.state.wait(while: { !$0.mayReturn }, then: { _ in })
      context.log("still here")
      context.progress(completed: 1, total: 1)
      call.state.withLock { state in
        state.wasAsked = context.isCancelled
        state.hasReturned = true
      }
      call.state.broadcast()
      return number
    }
  }

  /// How often it was executed.
  struct Count: WorkerOperation {
    static let kind = "countCalls"
    var call: Int
    var number: Int

    func main(_ context: WorkerContext) -> Int {
      Call.at(call).state.withLock { state in
        state.counts[number, default: 0] += 1
        return state.counts[number] ?? 0
      }
    }
  }

  /// Blocks when it is cancelled.
  struct Clinging: AsyncWorkerOperation {
    static let kind = "clinging"
    var number: Int

    func main(_ context: WorkerContext) async throws -> Int {
      let call = Call.at(number)
      return await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          call.rest.withLock { $0 = continuation }
          call.beginning.yield()
        }
        return 0
      } onCancel: {
        call.state.wait(while: { !$0.mayReturn }, then: { _ in })
      }
    }
  }

  /// Texts, one after the other, after a moment that differs.
  struct Join: AsyncWorkerOperation {
    static let kind = "join"
    var texts: [String]

    func main(_ context: WorkerContext) async -> String {
      for _ in 0..<(texts.joined().hashValue & 7) { await Task.yield() }
      return texts.joined()
    }
  }

  struct Addition: WorkerOperation {
    static let kind = Sum.kind
    var numbers: [Int]

    func main(_ context: WorkerContext) -> Sum.Output {
      Sum.Output(sum: numbers.reduce(0, +), attempt: context.attempt)
    }
  }

  struct AsyncAddition: AsyncWorkerOperation {
    static let kind = AsyncSum.kind
    var numbers: [Int]

    func main(_ context: WorkerContext) async -> Int {
      await Task.yield()
      return numbers.reduce(0, +)
    }
  }

  struct Failing: WorkerOperation {
    static let kind = "fail"

    struct Refusal: Error, CustomStringConvertible { var description: String }

    var message: String

    func main(_ context: WorkerContext) throws -> NoOutput {
      throw Refusal(description: message)
    }
  }

  struct Patient: WorkerOperation {
    static let kind = "untilCancelled"

    func main(_ context: WorkerContext) throws -> NoOutput {
      while true { try context.checkCancellation() }
    }
  }

  struct Sleeping: AsyncWorkerOperation {
    static let kind = "sleepUntilCancelled"

    func main(_ context: WorkerContext) async throws -> NoOutput {
      try await Task.sleep(for: .seconds(1_000))
      return NoOutput()
    }
  }

  struct Looking: WorkerOperation {
    static let kind = "look"

    func main(_ context: WorkerContext) -> [String: String] {
      let current = WorkerContext.current
      return ["name": current?.operationName ?? "", "queue": current?.queueName ?? ""]
    }
  }

  struct Stubborn: WorkerOperation {
    static let kind = "stubborn"

    func main(_ context: WorkerContext) throws -> NoOutput {
      context.log("deaf")
      while !context.isCancelled {}
      try context.checkCancellation()
      return NoOutput()
    }
  }
}
