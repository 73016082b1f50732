import Foundation
import PoolModel
import PoolTestSupport
import PoolWire
import Testing

/// Quality of service reaches whatever executes an operation, and ends with it.
///
/// An unprivileged process cannot raise itself again, so only a thread may be lowered.
@Suite("Quality of service")
struct QualityTests {
  /// How much each class is niced, as the protocol's text has it.
  private static let increments: [(PoolQualityOfService, Int)] = [
    (.background, 19), (.default, 0), (.utility, 5), (.userInteractive, 0), (.userInitiated, 0),
  ]

  /// The child inherits what its thread gave up.
  @Test(
    "A command is niced as its class says, and the next one is not",
    .disabled(if: Sanitizer.isThere, "its commands are niced after they have begun")
  )
  func commands() throws {
    let worker = try WorkerHarness()
    func nice(_ quality: PoolQualityOfService) throws -> Int {
      let command = worker.command(CommandPayload(run: "nice"), qualityOfService: quality)
      let text = try worker.answer(to: command).outputText ?? ""
      return try #require(Int(text.dropLast()))
    }
    let usual = try nice(.default)
    for (quality, increment) in Self.increments {
      #expect(try nice(quality) == min(usual + increment, 19), "\(quality)")
      #expect(try nice(.default) == usual)
    }
    let idle = worker.command(CommandPayload(run: "ionice"), qualityOfService: .background)
    let answer = try worker.answer(to: idle)
    if answer.failure == nil { #expect(answer.outputText == "idle\n") }
  }

  /// The niceness of each thread on which an operation of this kind executes.
  private func niceness(
    _ kind: String,
    _ quality: PoolQualityOfService,
    in worker: WorkerHarness
  ) throws -> [Int] {
    let operation = worker.operation(kind, "{}", qualityOfService: quality)
    let result = try worker.answer(to: operation).resultText ?? ""
    return result.split { "[,]".contains($0) }.compactMap { Int($0) }
  }

  @Test("An operation's thread is niced as its class says, and the next one's is not")
  func threads() throws {
    let worker = try WorkerHarness("test-worker")
    let usual = try #require(try niceness("niceness", .default, in: worker).first)
    for (quality, increment) in Self.increments {
      let value = try niceness("niceness", quality, in: worker)
      #expect(value == [min(usual + increment, 19)], "\(quality)")
      #expect(try niceness("niceness", .default, in: worker) == [usual])
    }
  }

  /// Before and after each suspension, and in child tasks.
  ///
  /// Dispatch raises the threads of urgent tasks where it may, so that only for those the figure
  /// is a bound.
  @Test("An operation that suspends is niced as its class says, wherever it continues")
  func tasks() throws {
    try expectNiceTasks(in: WorkerHarness("test-worker"))
  }

  /// There, each thread that a lowered one makes stays low for its later users:
  /// Dispatch's, above all, when a task sleeps.
  @Test(
    "The same holds where no thread can be raised again",
    .enabled(if: WorkerHarness.unprivileged != nil, "setpriv is not there")
  )
  func unprivilegedTasks() throws {
    let prefix = try #require(WorkerHarness.unprivileged)
    try expectNiceTasks(in: WorkerHarness("test-worker", behind: prefix))
  }

  private func expectNiceTasks(in worker: WorkerHarness) throws {
    let usual = try #require(try niceness("niceness", .default, in: worker).first)
    for (quality, increment) in Self.increments {
      let values = try niceness("asyncNiceness", quality, in: worker)
      if [.userInteractive, .userInitiated].contains(quality) {
        #expect(values.allSatisfy { $0 <= usual } && !values.isEmpty, "\(quality) \(values)")
      } else {
        #expect(values == [min(usual + increment, 19)], "\(quality)")
      }
      let later = try niceness("asyncNiceness", .default, in: worker)
      #expect(later == [usual], "after \(quality)")
    }
  }

  /// Said by another thread for it, which takes the lock: a debug build stops where it takes one
  /// itself.
  @Test(
    "A lowered operation's reports arrive before its answer, in order",
    arguments: [
      PoolQualityOfService.background, .utility,
    ]
  )
  func reports(quality: PoolQualityOfService) throws {
    let worker = try WorkerHarness("test-worker")
    for _ in 0..<20 {
      let operation = worker.operation("talkative", "{}", qualityOfService: quality)
      worker.send(.execute(operation))
      #expect(try worker.next() == .executing(operation.reference, nil))
      let progress = PoolProgress(completed: 1, total: 2)
      #expect(try worker.next() == .progress(operation.reference, progress))
      #expect(try worker.next() == .log(operation.reference, Log(message: "half of it")))
      guard case .finished(operation.reference, _) = try worker.next() else {
        Issue.record("it has no answer")
        return
      }
    }
  }

  /// A lowered operation that suspends stops and fails as any other does.
  @Test("A lowered operation that suspends is cancelled as others are")
  func cancelled() throws {
    let worker = try WorkerHarness("test-worker")
    let operation = worker.operation("sleepUntilCancelled", "{}", qualityOfService: .background)
    worker.send(.execute(operation))
    #expect(try worker.next() == .executing(operation.reference, nil))
    worker.send(.cancel(operation.reference, .standard))
    #expect(
      try worker.next()?.untimed == .cancelled(operation.reference, Answer(), step: "message")
    )
    let sum = worker.operation("asyncSum", #"{"numbers":[4,5]}"#, qualityOfService: .utility)
    #expect(try worker.answer(to: sum).resultText == "9")
    let wrong = worker.operation("asyncSum", "{}", qualityOfService: .utility)
    #expect(try worker.answer(to: wrong).failure?.cause == .error)
  }
}
