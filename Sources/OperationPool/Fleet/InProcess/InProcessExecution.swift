import OperationWorker
import PoolCore
import PoolModel
import PoolSystem
import PoolWire
import Synchronization

/// The body of an operation that is executed in the coordinator's process.
enum InProcessBody: Sendable {
  /// Each block on a thread, concurrently.
  case blocks([@Sendable () throws -> Void])
  /// In a task.
  case asynchronous(@Sendable () async throws -> Void)
  /// In a task that begins on the loop's thread and executes no code of the user: on another
  /// thread, it would compete for the lock that it takes.
  case group(@Sendable () async throws -> Void)
}

/// One execution of an operation by an in-process worker.
///
/// Created, started and cancelled on the loop's thread; begins and ends on others.
final class InProcessExecution: Sendable {
  /// The execution that the current thread or task belongs to.
  @TaskLocal static var current: InProcessExecution?

  let operation: PoolOperation
  let reference: DispatchReference
  /// The operation's own quality of service, or its queue's.
  private let qualityOfService: PoolQualityOfService
  private let worker: WorkerID
  private let engine: PoolEngine
  private let hasBeenAsked = Atomic(false)
  /// The task that executes the operation, while it executes.
  private let task = Mutex<ExecutingTask?>(nil)

  /// A task that another thread can cancel while it is stored here.
  ///
  /// `@unchecked Sendable`: cancelling is safe from any thread while the task lives.
  private struct ExecutingTask: @unchecked Sendable {
    let task: UnsafeCurrentTask
  }

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
  var isAsked: Bool { hasBeenAsked.load(ordering: .sequentiallyConsistent) }

  /// Asks it to stop; cancels its task, if there is one.
  func ask() {
    hasBeenAsked.store(true, ordering: .sequentiallyConsistent)
    // Under the lock, because the task takes the lock before it ends.
    task.withLock { $0?.task.cancel() }
  }

  /// Executes the operation on threads of the thread pool; the task of an asynchronous one begins
  /// there, too.
  func start(on threads: ThreadPool) {
    switch operation.inProcessBody() {
    case .blocks(let blocks):
      submit(to: threads) { self.execute(blocks, threads) }
    case .group(let body):
      ImmediateTask.start(priority: TaskPriority(qualityOfService)) { await self.execute(body) }
    case .asynchronous(let body):
      let priority = TaskPriority(qualityOfService)
      guard qualityOfService.niceIncrement > 0 else {
        return submit(to: threads) {
          ImmediateTask.start(priority: priority) { await self.execute(body) }
        }
      }
      // The threads of Dispatch are as low as the task's priority.
      _ = NormalPriorityThread.startIfNeeded()
      Task(priority: priority) { await execute(body) }
    }
  }

  private func submit(to threads: ThreadPool, _ body: @escaping ThreadPool.Body) {
    do throws(SystemFailure) {
      try threads.execute(as: qualityOfService, body)
    } catch {
      fail(to: error)
    }
  }
}

// MARK: - Executing

extension InProcessExecution {
  /// Maximum number of blocks of one operation that execute at once.
  private static let threadLimit = 64

  private func execute(_ blocks: [@Sendable () throws -> Void], _ threads: ThreadPool) {
    guard begins() else { return }
    guard blocks.count > 1 else { return end(throwing: execute(blocks.first ?? {})) }
    let round = BlockRound(blocks, of: self)
    for _ in 1..<min(blocks.count, Self.threadLimit) {
      // If no further thread can be started, the existing ones execute all blocks.
      try? threads.execute(as: qualityOfService) { round.work() }
    }
    round.work()
  }

  /// Executes the only block; returns what it throws.
  private func execute(_ block: @Sendable () throws -> Void) -> (any Error)? {
    Self.$current.withValue(self) {
      do {
        try block()
        return nil
      } catch {
        return error
      }
    }
  }

  private func execute(_ body: @Sendable () async throws -> Void) async {
    guard begins() else { return }
    withUnsafeCurrentTask { keep($0) }
    defer { keep(nil) }
    await Self.$current.withValue(self) {
      do {
        try await body()
        end(throwing: nil)
      } catch {
        end(throwing: error)
      }
    }
  }

  /// The operation that the calling task itself executes; nil in tasks that it started, and
  /// elsewhere.
  static var ofCallingTask: PoolOperation? {
    guard let current else { return nil }
    let isItself = withUnsafeCurrentTask { calling in
      calling != nil && current.task.withLock { $0?.task } == calling
    }
    return isItself ? current.operation : nil
  }

  /// Stores the task, so that it can be cancelled, or removes it.
  private func keep(_ current: UnsafeCurrentTask?) {
    task.withLock { $0 = current.map { ExecutingTask(task: $0) } }
    // The operation may have been asked to stop before.
    if isAsked { current?.cancel() }
  }

  /// No thread can be started for it.
  private func fail(to error: SystemFailure) {
    // Nothing has begun: the operation is dispatched again when threads may be available.
    guard !error.isShortage else {
      return engine.post(.failed(worker, SpawnObstacle(error)))
    }
    guard begins() else { return }
    let failure = Failure(cause: .spawn, message: "it could not be started: \(error)")
    answer(.failed, AttemptReport(answer: Answer(failure: failure)))
  }
}

// MARK: - Reports

extension InProcessExecution {
  /// Reports that the operation executes, unless it was cancelled before: then it never executes.
  ///
  /// Tells the machine directly, before the loop would, so that the operation's blocks see it
  /// executing. A cancellation is marked before the machine learns of it.
  private func begins() -> Bool {
    let begins = engine.begin(reference, on: worker, unless: { operation.isCancelled })
    if !begins { answer(.cancelled, .empty) }
    return begins
  }

  /// The body has returned, or thrown.
  func end(throwing error: (any Error)?) {
    guard let error else { return answer(.succeeded, .empty) }
    if let failure = error as? MemberFailure {
      return answer(.failed, AttemptReport(note: failure.description, cause: .member))
    }
    let wasAsked = isAsked || NormalPriorityThread.execute { operation.isCancelled }
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
