public import Dispatch
import Foundation
import PoolCore
public import PoolModel
import PoolSystem
import Synchronization

/// A queue of operations that worker processes execute; the counterpart of Foundation's
/// `OperationQueue`.
///
/// Ready operations are executed by priority, then in the order in which they were added. The queue
/// holds its operations until they finish: after its last reference is gone, it finishes its work,
/// even if it was suspended, and then its workers end. It may be used from any thread.
///
/// Operations may depend on operations of other queues, and on operations in no queue.
public final class PoolOperationQueue: Sendable {
  let core: QueueCore
  /// Whether the workers were made for this queue.
  let ownsFleet: Bool

  /// The default width: as many operations at once as there are workers.
  public static let defaultMaxConcurrentOperationCount = Int.max

  /// The workers that execute the queue's operations.
  public var fleet: PoolFleet { core.fleet }

  /// Makes a queue that shares a fleet of workers with others.
  public convenience init(fleet: PoolFleet, name: String? = nil) {
    self.init(fleet, name, ownsFleet: false)
  }

  private init(_ fleet: PoolFleet, _ name: String?, ownsFleet: Bool) {
    self.ownsFleet = ownsFleet
    core = QueueCore(fleet)
    core.change { settings in
      settings.name = name
      settings.face = self
    }
    fleet.life.withLock { $0.queues[core.id]?.face = self }
  }

  /// Makes a queue with workers of its own, which start when operations need them.
  ///
  /// Throws ``PoolError`` if the system refuses the threads or descriptors that it needs.
  public convenience init(
    workers first: PoolWorkerConfiguration,
    _ others: PoolWorkerConfiguration...,
    name: String? = nil
  ) throws(PoolError) {
    self.init(try PoolFleet([first] + others), name, ownsFleet: true)
  }

  /// Makes a queue whose workers are processes of the running program, one for each processor that
  /// it may use: ``PoolWorkerConfiguration/thisExecutable(count:)``.
  ///
  /// Throws like ``init(workers:_:name:)``.
  public convenience init(name: String? = nil) throws(PoolError) {
    try self.init(workers: .thisExecutable(), name: name)
  }

  deinit {
    core.observers?.end()
    // A queue that was released while it was suspended can no longer be resumed.
    engine.abandon(core.id)
  }

  var engine: PoolEngine { OperationRegistry.process.engine }
}

// MARK: - Adding

extension PoolOperationQueue {
  /// Adds an operation.
  ///
  /// Throws ``PoolError`` if it was added to a queue before or has finished, if it cannot be
  /// encoded, and if it would wait for itself in a cycle through a barrier.
  public func addOperation(_ operation: PoolOperation) throws(PoolError) {
    try addOperations([operation])
  }

  /// Adds operations, all or none; priorities apply to the whole batch.
  ///
  /// The scheduling policy decides the order among ready operations of one priority.
  /// ``PoolSchedulingPolicy/criticalPath`` uses the dependencies within the batch, and
  /// ``PoolOperationOptions/expectedDuration``; operations without one count as the mean of the
  /// others. All operations come after those that were added before. O(n) in operations; with
  /// critical path, O(n log n) in operations and dependencies.
  ///
  /// In the order of submission, workers may begin with the first operations while the last are
  /// being added, unless an operation of the batch precedes an earlier one. Throws like
  /// ``addOperation(_:)``; then nothing was added, unless another thread has meanwhile shut the
  /// queue down, or made an operation of the batch part of a cycle: of a batch of more than 1,024,
  /// the first may have been added.
  public func addOperations(
    _ operations: [PoolOperation],
    order: PoolSchedulingPolicy = .submission
  ) throws(PoolError) {
    guard !operations.isEmpty else { return }
    try core.add(operations, by: order)
  }

  /// Adds operations, and optionally waits for all of them, which blocks the thread.
  ///
  /// Otherwise like ``addOperations(_:order:)``.
  @available(*, noasync, message: "await finished() of each, which blocks no thread")
  public func addOperations(
    _ operations: [PoolOperation],
    order: PoolSchedulingPolicy = .submission,
    waitUntilFinished: Bool
  ) throws(PoolError) {
    try addOperations(operations, order: order)
    guard waitUntilFinished else { return }
    for operation in operations { try operation.waitUntilFinished() }
  }

  /// Adds a block that waits for everything added before it, and holds back everything added after
  /// it.
  ///
  /// Otherwise it is an ordinary operation: it counts, it can be cancelled, and it waits while the
  /// queue is suspended. Throws ``PoolError`` like ``addOperation(_:)``.
  @discardableResult
  public func addBarrierBlock(
    _ block: @escaping PoolBlockOperation.Block
  ) throws(PoolError) -> PoolBlockOperation {
    let options = PoolOperationOptions(name: "barrier", isBarrier: true)
    return try addOperation(options: options, block)
  }
}

// MARK: - The whole queue

extension PoolOperationQueue {
  /// The queue's name, for people; nil if it has none.
  public var name: String? {
    get { core.settings.withLock { $0.name } }
    set {
      core.change { settings in
        let old = settings.name
        settings.name = newValue
        settings.tell(.name, from: .name(old), to: .name(newValue), if: old != newValue)
      }
    }
  }

  /// Number of operations that were added and have not finished; O(1).
  public var operationCount: Int { engine.read { $0.unsettledCount(of: core.id) } }

  /// The operations that were added and have not finished, in order; O(operations).
  public var operations: [PoolOperation] {
    OperationRegistry.process.operations(engine.read { $0.operations(in: core.id) })
  }

  /// Maximum number of slots that operations of the queue take at once; prefetched ones count, and
  /// 0 dispatches nothing.
  ///
  /// If it is lowered, operations that workers have go on. Any negative number means the default.
  public var maxConcurrentOperationCount: Int {
    get { engine.read { $0.width(of: core.id) } }
    set {
      let width = newValue < 0 ? Self.defaultMaxConcurrentOperationCount : newValue
      engine.update { transaction in
        let old = transaction.setWidth(width, of: core.id)
        core.settings.withLock { settings in
          settings.tell(
            .maxConcurrentOperationCount,
            from: .count(old),
            to: .count(width),
            if: old != width
          )
        }
      }
    }
  }

  /// While true, no operation is handed to workers.
  public var isSuspended: Bool {
    get { engine.read { $0.isSuspended(core.id) } }
    set {
      engine.update { transaction in
        let old = transaction.setSuspended(newValue, core.id)
        core.settings.withLock {
          $0.tell(.isSuspended, from: .flag(old), to: .flag(newValue), if: old != newValue)
        }
      }
    }
  }

  /// The quality of service of operations that have none of their own.
  public var qualityOfService: PoolQualityOfService {
    get { core.settings.withLock { $0.qualityOfService } }
    set { core.change { $0.qualityOfService = newValue } }
  }

  /// The dispatch queue of completion blocks and observers; nil for any thread of the system.
  ///
  /// It may be the main queue. Blocks that are operations are never executed there.
  public var underlyingQueue: DispatchQueue? {
    get { core.settings.withLock { $0.underlyingQueue } }
    set {
      if newValue != nil { QueueCore.hasAnyUnderlyingQueue.store(true, ordering: .relaxed) }
      core.settings.withLock { $0.underlyingQueue = newValue }
    }
  }

  /// Cancels all operations that were added and have not finished.
  ///
  /// They are cancelled together: none is skipped because another one was cancelled first.
  public func cancelAllOperations() {
    core.cancelAll()
  }

  /// Waits until the queue is empty; blocks the thread.
  ///
  /// Throws ``PoolError`` if a block of the queue itself waits, because that would never end.
  @available(*, noasync, message: "await allOperationsFinished(), which blocks no thread")
  public func waitUntilAllOperationsAreFinished() throws(PoolError) {
    try core.demandOutside()
    core.waitUntilEmpty()
  }

  /// Waits until the queue is empty; throws `CancellationError` if the task is cancelled before.
  ///
  /// Throws ``PoolError`` if a block of the queue itself waits, because that would never end.
  public func allOperationsFinished() async throws {
    try core.demandOutside()
    try await core.becomeEmptyUnlessCancelled()
  }
}

extension QueueCore {
  /// Cancels all operations that have not finished.
  func cancelAll() {
    // Returned from the closure, so that no operation is released under the lock, which its
    // deinitialiser takes.
    _ = OperationRegistry.process.update { transaction in
      let ids = transaction.operations(in: id)
      let operations = OperationRegistry.process.operations(ids)
      for operation in operations {
        operation.markCancelled(by: .queue)
        if operation.hasMembers { operation.markMembersCancelled(transaction) }
      }
      transaction.cancelAll(in: id)
      return operations
    }
  }
}
