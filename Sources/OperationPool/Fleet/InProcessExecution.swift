import OperationWorker
import PoolCore
import PoolModel
import PoolSystem
import PoolWire
import Synchronization

/// What an operation does that is executed in the coordinator's process.
enum InProcessBody: Sendable {
  /// Each on a thread, concurrently.
  case blocks([@Sendable () throws -> Void])
  /// In a task.
  case asynchronous(@Sendable () async throws -> Void)
}

/// One execution of an operation by an in-process worker.
///
/// Made, started and asked on the loop's thread; begins and ends on others.
final class InProcessExecution: Sendable {
  /// The execution that the current thread or task belongs to.
  @TaskLocal static var current: InProcessExecution?

  let operation: PoolOperation
  let reference: DispatchReference
  /// The operation's own, or its queue's.
  private let qualityOfService: PoolQualityOfService
  private let worker: WorkerID
  private let engine: PoolEngine
  private let hasBeenAsked = Atomic(false)
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(
    of operation: PoolOperation,
    _ reference: DispatchReference,
    as qualityOfService: PoolQualityOfService,
    by worker: WorkerID,
    _ engine: PoolEngine
  ) {
    self.operation = operation
    self.reference = reference
    self.qualityOfService = qualityOfService
    self.worker = worker
    self.engine = engine
  }

  /// Whether it was asked to stop.
  var isAsked: Bool { hasBeenAsked.load(ordering: .acquiring) }

  /// Asks it to stop, which cancels its task where it has one.
  func ask() {
    hasBeenAsked.store(true, ordering: .releasing)
    task.withLock { $0 }?.cancel()
  }

  /// Executes the operation on threads of the thread pool, or in a task.
  func start(on threads: ThreadPool) {
    switch operation.inProcessBody() {
    case .blocks(let blocks):
      do throws(SystemFailure) {
        try threads.execute(as: qualityOfService) { self.execute(blocks, threads) }
      } catch {
        fail(to: error)
      }
    case .asynchronous(let body):
      // The threads of Dispatch are as low as the task's priority.
      if qualityOfService.niceIncrement > 0 { _ = Deputy.summon() }
      let task = Task(priority: TaskPriority(qualityOfService)) { await execute(body) }
      self.task.withLock { $0 = task }
    }
  }
}

// MARK: - Executing

extension InProcessExecution {
  /// Maximum number of blocks of one operation that execute at once.
  private static let threadLimit = 64

  private func execute(_ blocks: [@Sendable () throws -> Void], _ threads: ThreadPool) {
    guard begins() else { return }
    guard !blocks.isEmpty else { return end(throwing: nil) }
    let round = BlockRound(blocks, of: self)
    for _ in 1..<max(min(blocks.count, Self.threadLimit), 1) {
      // Without more threads, the present ones execute all blocks.
      try? threads.execute(as: qualityOfService) { round.work() }
    }
    round.work()
  }

  private func execute(_ body: @Sendable () async throws -> Void) async {
    guard begins() else { return }
    await Self.$current.withValue(self) {
      do {
        try await body()
        end(throwing: nil)
      } catch {
        end(throwing: error)
      }
    }
  }

  /// No thread can be made for it.
  private func fail(to error: SystemFailure) {
    // Nothing has begun: the operation is dispatched again when there may be room.
    guard !error.isShortage else {
      return engine.post(.failed(worker, SpawnObstacle(error)))
    }
    guard begins() else { return }
    let failure = Failure(cause: .spawn, message: "it could not be started: \(error)")
    answer(.failed, AttemptReport(answer: Answer(failure: failure)))
  }
}

// MARK: - Telling

extension InProcessExecution {
  /// Tells that the operation executes, unless it was cancelled before: then it never does.
  ///
  /// Tells the machine itself, before the loop would, so that its blocks see it executing. A
  /// cancellation is marked before the machine is told of it.
  private func begins() -> Bool {
    let begins = engine.update { transaction in
      guard !operation.isCancelled else { return false }
      transaction.begin(reference, on: worker)
      return true
    }
    if !begins { answer(.cancelled, .empty) }
    return begins
  }

  /// The body has returned, or thrown.
  func end(throwing error: (any Error)?) {
    guard let error else { return answer(.succeeded, .empty) }
    if let failure = error as? MemberFailure {
      return answer(.failed, AttemptReport(note: failure.description, word: "member"))
    }
    let wasAsked = isAsked || Deputy.execute { operation.isCancelled }
    guard let failure = Failure(thrown: error, wasAsked: wasAsked) else {
      return answer(.cancelled, AttemptReport(answer: Answer(), step: "message"))
    }
    answer(.failed, AttemptReport(answer: Answer(failure: failure)))
  }

  private func answer(_ ending: PoolEnding, _ report: AttemptReport) {
    engine.post(.answered(worker, reference, ending, report))
  }
}

/// The blocks of one execution, distributed to threads.
private final class BlockRound: Sendable {
  private struct Standing {
    var next = 0
    var unfinished: Int
    /// The error of the first block that threw.
    var failure: (index: Int, error: any Error)?
  }

  private let blocks: [@Sendable () throws -> Void]
  private let execution: InProcessExecution
  private let standing: Mutex<Standing>

  init(_ blocks: [@Sendable () throws -> Void], of execution: InProcessExecution) {
    self.blocks = blocks
    self.execution = execution
    standing = Mutex(Standing(unfinished: blocks.count))
  }

  /// Executes blocks until none is left; the thread of the last one ends the execution.
  func work() {
    InProcessExecution.$current.withValue(execution) {
      while let index = take() {
        let error = execute(blocks[index])
        if isLast(index, error) { execution.end(throwing: standing.withLock { $0.failure?.error }) }
      }
    }
  }

  private func execute(_ block: @Sendable () throws -> Void) -> (any Error)? {
    do {
      try block()
      return nil
    } catch {
      return error
    }
  }

  private func take() -> Int? {
    standing.withLock { standing in
      guard standing.next < blocks.count else { return nil }
      standing.next += 1
      return standing.next - 1
    }
  }

  /// A block has ended; returns whether it was the last one.
  private func isLast(_ index: Int, _ error: (any Error)?) -> Bool {
    standing.withLock { standing in
      if let error, index < (standing.failure?.index ?? .max) { standing.failure = (index, error) }
      standing.unfinished -= 1
      return standing.unfinished == 0
    }
  }
}
