import Synchronization

/// An operation that consists of one or more blocks in this process; the counterpart of
/// Foundation's `BlockOperation`.
///
/// Blocks connect operations that workers execute. They are executed in this process, concurrently,
/// and the operation finishes when all have finished. Short blocks share threads; a block that
/// waits behind a longer one gets a thread of its own within milliseconds, so blocks may wait for
/// one another. If a block throws, the operation fails with the error of the first such block, in
/// the order in which they were added.
///
/// A block finds its operation in ``PoolOperation/current``, and asks that for
/// ``PoolOperation/isCancelled``. When it is asked to stop, it may throw `CancellationError`, and
/// the operation ends as cancelled; a block that returns has succeeded. Nothing stops a block by
/// force: signals of the teardown sequence do not reach it, so the operation ends when its blocks
/// return, even after its timeout.
///
/// A block that suspends is executed in a task. The task is cancelled when the operation is
/// cancelled or exceeds its timeout.
///
/// `@unchecked Sendable` like its superclass: its own state is behind a lock.
public final class PoolBlockOperation: PoolOperation, @unchecked Sendable {
  /// A block that returns when it is done.
  public typealias Block = @Sendable () throws -> Void
  /// A block that may suspend.
  public typealias AsyncBlock = @Sendable () async throws -> Void

  private let roster: Mutex<Roster>

  private struct Roster {
    var blocks: [BlockBody]
    /// Whether a block worker has been given them.
    var isDispatched = false
  }

  /// Makes an operation of a block.
  public convenience init(
    options: PoolOperationOptions = PoolOperationOptions(),
    _ block: @escaping Block
  ) {
    self.init(blocks: [.plain(block)], options)
  }

  /// Makes an operation of a block that suspends.
  public convenience init(
    options: PoolOperationOptions = PoolOperationOptions(),
    _ block: @escaping AsyncBlock
  ) {
    self.init(blocks: [.suspending(block)], options)
  }

  /// Makes an operation without blocks; it finishes at once if none are added.
  public convenience init(options: PoolOperationOptions = PoolOperationOptions()) {
    self.init(blocks: [], options)
  }

  private init(blocks: [BlockBody], _ options: PoolOperationOptions) {
    roster = Mutex(Roster(blocks: blocks))
    super.init(kind: BlockWorker.kind, options)
  }

  /// Whether a block suspends; otherwise the operation has finished when `start` returns.
  public override var isAsynchronous: Bool {
    roster.withLock { $0.blocks.contains(where: \.suspends) }
  }

  /// The blocks, in the order in which they were added.
  public var executionBlocks: [AsyncBlock] { roster.withLock { $0.blocks.map(\.asynchronous) } }

  /// Adds a block, which is executed concurrently with the others.
  ///
  /// Throws ``PoolError`` if the operation executes or has finished.
  public func addExecutionBlock(_ block: @escaping Block) throws(PoolError) {
    try add(.plain(block))
  }

  /// Adds a block that suspends, which is executed concurrently with the others.
  ///
  /// Throws ``PoolError`` if the operation executes or has finished.
  public func addExecutionBlock(_ block: @escaping AsyncBlock) throws(PoolError) {
    try add(.suspending(block))
  }

  private func add(_ block: BlockBody) throws(PoolError) {
    let isOver = isOver
    let isAdded = roster.withLock { roster in
      guard !roster.isDispatched, !isOver else { return false }
      roster.blocks.append(block)
      return true
    }
    guard isAdded else {
      let message = "'\(numberedLabel)' executes or has finished: it takes no block"
      throw PoolError(.alreadyExecuting, message)
    }
  }

  override package func executionBody() -> ExecutionBody {
    let blocks = roster.withLock { roster in
      roster.isDispatched = true
      return roster.blocks
    }
    return ExecutionBody(of: blocks)
  }
}
