import OperationWorker
import PoolCore
import PoolModel
import PoolSystem
import PoolWire
import Synchronization

/// The body of an operation that is executed in the coordinator's process.
enum InProcessBody: Sendable {
  /// On a thread.
  case block(@Sendable () throws -> Void)
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
final class InProcessExecution: ThreadWork {
  /// The execution that the current thread or task belongs to.
  @TaskLocal static var current: InProcessExecution?

  let operation: PoolOperation
  let reference: DispatchReference
  private let body: InProcessBody
  /// The operation's own quality of service, or its queue's.
  let qualityOfService: PoolQualityOfService
  private let worker: WorkerID
  private let engine: PoolEngine
  private let hasBeenAsked = Atomic(false)
  /// The task that executes the operation, while it executes.
  private let task = Mutex<WorkTask?>(nil)

  init(
    of operation: PoolOperation,
    _ reference: DispatchReference,
    as qualityOfService: PoolQualityOfService,
    by worker: WorkerID,
    _ engine: PoolEngine
  ) {
    self.operation = operation
    body = operation.inProcessBody()
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
    task.withLock { $0?.cancel() }
  }

  /// Executes the operation on threads of the thread pool; the task of an asynchronous one begins
  /// there, too.
  func start(on threads: ThreadPool) {
    switch body {
    case .group:
      ImmediateTask.start(priority: TaskPriority(qualityOfService)) { await self.executeInTask() }
    case .asynchronous where qualityOfService.niceIncrement > 0:
      // The threads of Dispatch are as low as the task's priority.
      _ = NormalPriorityThread.startIfNeeded()
      Task(priority: TaskPriority(qualityOfService)) { await executeInTask() }
    case .blocks(let blocks):
      submit(BlockRound(blocks, of: self, threads), to: threads)
    case .block, .asynchronous:
      submit(self, to: threads)
    }
  }

  private func submit(_ work: any ThreadWork, to threads: ThreadPool) {
    do throws(SystemFailure) {
      try threads.execute(work, as: qualityOfService)
    } catch {
      fail(to: error)
    }
  }
}

// MARK: - Executing

extension InProcessExecution {
  var ofTask: InProcessExecution? {
    if case .asynchronous = body { self } else { nil }
  }

  func execute() {
    guard case .block(let block) = body, begins() else { return }
    end(throwing: Self.$current.withValue(self) { Self.error(of: block) })
  }

  private func executeInTask() async {
    var own: InProcessExecution? = self
    await Self.executeInTask { _ in own.take() }
  }

  /// Executes in the calling task what the closure gives, one after another, until it gives nil.
  ///
  /// A task for each would cost more than everything else of a short block on its thread, and
  /// switching the executor, at each return to an asynchronous function, half as much.
  static func executeInTask(_ next: (WorkTask) -> InProcessExecution?) async {
    guard let task = WorkTask.current else { return }
    while let execution = next(task) {
      guard let block = execution.begin(in: task) else { continue }
      var failure: (any Error)?
      do {
        try await $current.withValue(execution, operation: block)
      } catch {
        failure = error
      }
      execution.keep(nil)
      execution.end(throwing: failure)
    }
  }

  /// Begins in the task; returns the block, unless the operation was cancelled before.
  private func begin(in task: WorkTask) -> (@Sendable () async throws -> Void)? {
    switch body {
    case .asynchronous(let block), .group(let block):
      guard begins() else { return nil }
      keep(task)
      return block
    case .block, .blocks: return nil
    }
  }

  /// What the block throws.
  fileprivate static func error(of block: @Sendable () throws -> Void) -> (any Error)? {
    do {
      try block()
      return nil
    } catch {
      return error
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
  private func keep(_ current: WorkTask?) {
    task.withLock { $0 = current }
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
  fileprivate func begins() -> Bool {
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
private final class BlockRound: ThreadWork {
  private struct Standing {
    var hasBegun = false
    var next = 0
    var unfinished: Int
    /// The error of the first block that threw.
    var failure: (index: Int, error: any Error)?
  }

  /// Maximum number of blocks that execute at once.
  private static let threadLimit = 64

  private let blocks: [@Sendable () throws -> Void]
  private let execution: InProcessExecution
  private let threads: ThreadPool
  private let standing: Mutex<Standing>

  init(
    _ blocks: [@Sendable () throws -> Void],
    of execution: InProcessExecution,
    _ threads: ThreadPool
  ) {
    self.blocks = blocks
    self.execution = execution
    self.threads = threads
    standing = Mutex(Standing(unfinished: blocks.count))
  }

  /// Executes blocks until none is left; the first thread begins the operation and fetches more
  /// threads, and that of the last block ends it.
  func execute() {
    if isFirst() {
      guard execution.begins() else { return }
      guard !blocks.isEmpty else { return execution.end(throwing: nil) }
      for _ in 1..<min(blocks.count, Self.threadLimit) {
        // If no further thread can be started, the existing ones execute all blocks.
        try? threads.execute(self, as: execution.qualityOfService)
      }
    }
    work()
  }

  private func work() {
    InProcessExecution.$current.withValue(execution) {
      while let index = take() {
        let error = InProcessExecution.error(of: blocks[index])
        if isLast(index, error) { execution.end(throwing: standing.withLock { $0.failure?.error }) }
      }
    }
  }

  private func isFirst() -> Bool {
    standing.withLock { standing in
      defer { standing.hasBegun = true }
      return !standing.hasBegun
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
