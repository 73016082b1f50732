public import Dispatch
import Foundation
import PoolCore
public import PoolModel
import PoolSystem
import Synchronization

/// A queue of operations that worker processes execute; Foundation's `OperationQueue`.
///
/// Operations that are ready are executed by priority, then in the order in which they were
/// added. The queue keeps its operations until they finish: dropped, it finishes its work, even
/// if it was suspended, and then its workers end. It may be used from any thread.
///
/// Operations may depend on operations of other queues, and of none.
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
  }

  /// Makes a queue over workers of its own, which are started when there is work for them.
  ///
  /// Throws ``PoolError`` where the system refuses the threads or descriptors that it takes.
  public convenience init(
    workers first: PoolWorkerConfiguration,
    _ others: PoolWorkerConfiguration...,
    name: String? = nil
  ) throws(PoolError) {
    self.init(try PoolFleet([first] + others), name, ownsFleet: true)
  }

  /// Makes a queue whose workers are processes of the running program, as many as it may use
  /// processors: ``PoolWorkerConfiguration/thisExecutable(count:)``.
  ///
  /// Throws as ``init(workers:_:name:)`` does.
  public convenience init(name: String? = nil) throws(PoolError) {
    try self.init(workers: .thisExecutable(), name: name)
  }

  deinit {
    core.watchers?.end()
    // A queue that was dropped while it was suspended can be resumed by no caller.
    engine.abandon(core.id)
  }

  var engine: PoolEngine { OperationRegistry.process.engine }
}

// MARK: - Adding

extension PoolOperationQueue {
  /// Adds an operation.
  ///
  /// Throws ``PoolError`` where it was added to a queue before or has finished, where it cannot be
  /// encoded, and where it would wait for itself in a cycle that goes through a barrier.
  public func addOperation(_ operation: PoolOperation) throws(PoolError) {
    try addOperations([operation])
  }

  /// Adds operations, all or none: priority order holds over the whole batch.
  ///
  /// The order says which come first among those of one priority that are ready. For
  /// ``PoolSchedulingPolicy/criticalPath`` the dependencies within the batch count, and
  /// ``PoolOperationOptions/expectedDuration``: operations that have none count as the mean of the
  /// others. All of them come after what was added before. O(n) in operations, with an order O(n
  /// log n) in operations and dependencies.
  ///
  /// In the order of submission, workers may begin with the first while the last are being added,
  /// where no operation of the batch goes before another. Throws as ``addOperation(_:)`` does; then
  /// nothing was added, unless another thread made one of a large batch part of a cycle meanwhile.
  public func addOperations(
    _ operations: [PoolOperation],
    order: PoolSchedulingPolicy = .submission
  ) throws(PoolError) {
    guard !operations.isEmpty else { return }
    try core.add(operations, by: order)
  }

  /// Adds operations, and waits for all of them where told to, which blocks the thread.
  ///
  /// What is said of ``addOperations(_:order:)`` holds here.
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

  /// Adds a block that waits for everything that was added before it, and holds back everything
  /// that is added after it.
  ///
  /// It is an operation like any other: it counts, it can be cancelled, and it waits while the
  /// queue is suspended. Throws ``PoolError`` as ``addOperation(_:)`` does.
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
  /// The queue's name, for people; nil where none was given.
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

  /// Operations that were added and have not finished; O(1).
  public var operationCount: Int { engine.read { $0.unsettledCount(of: core.id) } }

  /// Those operations, in the order in which they were added; O(operations).
  public var operations: [PoolOperation] {
    OperationRegistry.process.operations(engine.read { $0.operations(in: core.id) })
  }

  /// How many slots of operations workers may have at once; prefetched ones count, 0 dispatches nothing.
  ///
  /// Operations that workers have when it is lowered go on. Any negative number is the default.
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

  /// While true, nothing more is handed to workers.
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

  /// Where completion blocks and observers are called; nil for any thread of the system's.
  ///
  /// May be the main queue. Blocks that are operations are never executed there.
  public var underlyingQueue: DispatchQueue? {
    get { core.settings.withLock { $0.underlyingQueue } }
    set { core.settings.withLock { $0.underlyingQueue = newValue } }
  }

  /// Cancels all operations that were added and have not finished.
  ///
  /// All at once: none is skipped because another one was cancelled first.
  public func cancelAllOperations() {
    core.cancelAll()
  }

  /// Waits until nothing is left in the queue; blocks the thread.
  ///
  /// Throws ``PoolError`` when a block of the queue itself waits, which would be for ever.
  @available(*, noasync, message: "await allOperationsFinished(), which blocks no thread")
  public func waitUntilAllOperationsAreFinished() throws(PoolError) {
    if let current = PoolOperation.current, current.isInside(core) {
      throw PoolError(.deadlock, "'\(current.label)' would wait for the queue that it is in")
    }
    core.waitUntilEmpty()
  }

  /// Waits until nothing is left in the queue; throws in a task that is cancelled before.
  public func allOperationsFinished() async throws(CancellationError) {
    try await core.becomeEmptyUnlessCancelled()
  }
}

extension QueueCore {
  /// Cancels all operations that have not finished.
  func cancelAll() {
    // Returned, so that none is let go for the last time under the lock, which its end takes too.
    _ = OperationRegistry.process.update { transaction in
      let ids = transaction.operations(in: id)
      let operations = OperationRegistry.process.operations(ids)
      for operation in operations { operation.markCancelled(by: .queue) }
      transaction.cancelAll(in: id)
      return operations
    }
  }
}
