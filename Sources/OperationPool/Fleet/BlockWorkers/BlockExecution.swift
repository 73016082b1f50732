import Dispatch
import OperationWorker
import PoolCore
import PoolModel
import PoolSystem
import PoolWire
import Synchronization

/// The body of an operation that is executed in the coordinator's process.
package enum ExecutionBody: Sendable {
  /// On a thread.
  case block(@Sendable () throws -> Void)
  /// Each block on a thread, concurrently.
  case blocks([@Sendable () throws -> Void])
  /// In a task.
  case asynchronous(@Sendable () async throws -> Void)
}

/// An operation that a block worker can execute.
package protocol HostedOperation: AnyObject, Sendable {
  /// Its body; asked once for each execution.
  func executionBody() -> ExecutionBody

  /// Whether it was asked to stop.
  var isCancelled: Bool { get }

  /// Why it fails if its block has called something that would have waited for it.
  var selfWaitFailure: any Error { get }
}

/// An operation that a block worker is to execute.
package struct HostedExecution: Sendable {
  let operation: any HostedOperation
  /// The operation's own quality of service, or its queue's.
  let qualityOfService: PoolQualityOfService

  init(of operation: any HostedOperation, as qualityOfService: PoolQualityOfService) {
    (self.operation, self.qualityOfService) = (operation, qualityOfService)
  }
}

/// What block workers report, on any thread.
protocol BlockReports: AnyObject, Sendable {
  /// A worker takes operations.
  func blockWorkerGreeted(_ worker: WorkerID)
  /// A worker has ended.
  func blockWorkerEnded(_ worker: WorkerID)
  /// No thread can be started for a worker's operation; it may be tried again.
  func blockWorkerFailed(_ worker: WorkerID, _ obstacle: SpawnObstacle)
  /// An operation has ended, as the calling thread says.
  func blockAnswered(_ answer: BlockAnswer, on thread: BlockThread)
  /// Has the closure called on the loop's thread.
  func performOnLoop(_ body: @escaping @Sendable () -> Void)
  /// Begins an operation, unless the closure says that it was cancelled; returns whether it begins.
  func begin(
    _ reference: DispatchReference,
    on worker: WorkerID,
    unless isCancelled: () -> Bool
  ) -> Bool
}

/// One execution of an operation by a block worker.
///
/// Created, started and cancelled by the thread that takes turns; begins and ends on others.
final class BlockExecution: ThreadWork {
  /// The execution that the current thread or task belongs to.
  @TaskLocal static var current: BlockExecution?

  let operation: any HostedOperation
  let reference: DispatchReference
  private let body: ExecutionBody
  /// The operation's own quality of service, or its queue's.
  let qualityOfService: PoolQualityOfService
  private let worker: WorkerID
  private let reports: any BlockReports
  private let threads: ThreadPool
  private let hasBeenAsked = Atomic(false)
  /// Whether its block has called something that would have waited for it.
  private let waitsForItself = Atomic(false)
  /// The task that executes the operation, while it executes.
  private let task = Mutex<WorkTask?>(nil)
  /// The tasks that execute one of several blocks each.
  private let children = Mutex<[WorkTask]>([])

  init(
    of hosted: HostedExecution,
    _ reference: DispatchReference,
    by worker: WorkerID,
    _ reports: any BlockReports,
    _ threads: ThreadPool
  ) {
    operation = hosted.operation
    body = operation.executionBody()
    self.reference = reference
    qualityOfService = hosted.qualityOfService
    self.worker = worker
    self.reports = reports
    self.threads = threads
  }

  /// Whether it was asked to stop.
  var isAsked: Bool { hasBeenAsked.load(ordering: .sequentiallyConsistent) }

  /// Lets it fail: its block has called something that would have waited for it.
  func noteWaitForItself() { waitsForItself.store(true, ordering: .relaxed) }

  /// Asks it to stop; cancels its task, if there is one.
  func ask() {
    hasBeenAsked.store(true, ordering: .sequentiallyConsistent)
    guard case .asynchronous = body, task.withLock({ $0 != nil }) else { return cancelTask() }
    // Its cancellation handlers are code of the user, for which the loop cannot wait: they may even
    // wait for other operations.
    let cancelling = ThreadBlock { self.cancelTask() }
    do throws(SystemFailure) {
      try threads.execute(cancelling, as: .default)
    } catch {
      DispatchQueue.global().async { cancelling.execute() }
    }
  }

  /// Under the lock, because the task takes the lock before it ends.
  private func cancelTask() { task.withLock { $0?.cancel() } }

  /// Executes the operation on threads of the thread pool; the task of an asynchronous one begins
  /// there, too.
  func start(on thread: BlockThread) {
    switch body {
    case .asynchronous where qualityOfService.niceIncrement > 0:
      // The threads of Dispatch are as low as the task's priority.
      _ = NormalPriorityThread.startIfNeeded()
      // Detached, because the caller may be a task, whose values are not the operation's.
      Task.detached(priority: TaskPriority(qualityOfService)) { await self.executeInTask() }
    case .blocks(let blocks):
      let numbered = blocks.enumerated().map { (index: $0, body: $1) }
      let round = BlockRound(
        numbered,
        of: self,
        begin: { self.begins() },
        end: { self.end(throwing: $0?.error, on: $1) }
      )
      start(BlockRoundThread(of: round), on: thread)
    case .block, .asynchronous:
      start(self, on: thread)
    }
  }

  /// The thread of the thread pool that executes blocks of the operation.
  var ownThread: BlockThread { isLowered ? .foreign : .seeking }

  /// Whether its threads are lowered, and each executes nothing else.
  private var isLowered: Bool { qualityOfService.niceIncrement > 0 }

  private func start(_ work: any ThreadWork, on thread: BlockThread) {
    if isLowered, thread == .foreign {
      return reports.performOnLoop { self.start(work, on: .loop) }
    }
    do throws(SystemFailure) {
      try threads.execute(work, as: qualityOfService, on: thread)
    } catch {
      fail(to: error)
    }
  }

  /// Executes a part of the operation on a thread of its quality of service.
  func submit(_ work: any ThreadWork) throws(SystemFailure) {
    try threads.execute(work, as: qualityOfService)
  }
}

// MARK: - Executing

extension BlockExecution {
  var ofTask: BlockExecution? {
    if case .asynchronous = body { self } else { nil }
  }

  func execute() {
    guard case .block(let block) = body, begins() else { return }
    end(throwing: Self.$current.withValue(self) { Self.error(of: block) }, on: ownThread)
  }

  func threadEnded() {
    keep(nil)
    end(throwing: ThreadEnded(), on: .ending)
  }

  private func executeInTask() async {
    var own: BlockExecution? = self
    await Self.executeInTask({ _ in own.take() }, on: { .foreign })
  }

  /// Executes in the calling task what the first closure gives, one after another, until it gives
  /// nil.
  ///
  /// The second one says what the calling thread is.
  ///
  /// A task for each would cost more than everything else of a short block on its thread, and
  /// switching the executor, at each return to an asynchronous function, half as much.
  static func executeInTask(
    _ next: (WorkTask) -> BlockExecution?,
    on thread: () -> BlockThread
  ) async {
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
      execution.end(throwing: failure, on: thread())
    }
  }

  /// Begins in the task; returns the block, unless the operation was cancelled before.
  private func begin(in task: WorkTask) -> (@Sendable () async throws -> Void)? {
    switch body {
    case .asynchronous(let block):
      guard begins() else { return nil }
      keep(task)
      return block
    case .block, .blocks: return nil
    }
  }

  /// Executes blocks, of which there is at least one, on threads, while the calling task suspends;
  /// returns the failure of the first that threw.
  func executeOnThreads(_ blocks: [BlockRound.Block]) async -> BlockRound.Failure? {
    await withCheckedContinuation { continuation in
      let round = BlockRound(
        blocks,
        of: self,
        begin: { true },
        end: { failure, _ in continuation.resume(returning: failure) }
      )
      round.addThread()
    }
  }

  /// What the block throws.
  static func error(of block: @Sendable () throws -> Void) -> (any Error)? {
    do {
      try block()
      return nil
    } catch {
      return error
    }
  }

  /// The operation whose block the calling thread or task itself executes; nil in tasks that a
  /// block has started, and elsewhere.
  static var ofCaller: (any HostedOperation)? { executedByCaller?.operation }

  /// The execution of that operation.
  static var executedByCaller: BlockExecution? {
    guard let current else { return nil }
    let isItself = withUnsafeCurrentTask { calling in
      guard let calling else { return true }
      return current.task.withLock { $0?.task == calling }
        || current.children.withLock { $0.contains { $0.task == calling } }
    }
    return isItself ? current : nil
  }

  /// Executes one of several blocks in the calling task, a child of the execution's.
  func executeInChild(_ block: @Sendable () async throws -> Void) async throws {
    let child = WorkTask.current
    if let child { children.withLock { $0.append(child) } }
    defer { children.withLock { $0.removeAll { $0 === child } } }
    try await block()
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
      return reports.blockWorkerFailed(worker, SpawnObstacle(error))
    }
    guard begins() else { return }
    let failure = Failure(cause: .spawn, message: "it could not be started: \(error)")
    answer(.failed, AttemptReport(answer: Answer(failure: failure)), on: .foreign)
  }
}

// MARK: - Reports

extension BlockExecution {
  /// Reports that the operation executes, unless it was cancelled before: then it never executes.
  ///
  /// Tells the machine directly, before the loop would, so that the operation's blocks see it
  /// executing. A cancellation is marked before the machine learns of it.
  fileprivate func begins() -> Bool {
    let begins = reports.begin(reference, on: worker, unless: { operation.isCancelled })
    if !begins { answer(.cancelled, .empty, on: .foreign) }
    return begins
  }

  /// The body has returned, or thrown.
  func end(throwing error: (any Error)?, on thread: BlockThread) {
    let isDeadlock = waitsForItself.load(ordering: .relaxed)
    guard let error = isDeadlock ? operation.selfWaitFailure : error else {
      return answer(.succeeded, .empty, on: thread)
    }
    let wasAsked = isAsked || NormalPriorityThread.execute { operation.isCancelled }
    guard let failure = Failure(thrown: error, wasAsked: wasAsked) else {
      let report = AttemptReport(answer: Answer(), step: "message")
      return answer(.cancelled, report, on: thread)
    }
    answer(.failed, AttemptReport(answer: Answer(failure: failure)), on: thread)
  }

  private func answer(
    _ ending: PoolEnding,
    _ report: AttemptReport,
    on thread: BlockThread
  ) {
    let answer = BlockAnswer(
      worker: worker,
      reference: reference,
      ending: ending,
      report: report
    )
    reports.blockAnswered(answer, on: thread)
  }
}
