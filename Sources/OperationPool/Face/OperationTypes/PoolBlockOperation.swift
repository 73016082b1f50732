import Synchronization

/// An operation that is one or several blocks of this process; Foundation's `BlockOperation`.
///
/// Blocks are the glue between operations that workers execute: they are executed in this process,
/// concurrently, and the operation finishes when all have. Short blocks share threads, and one
/// behind a block that takes longer gets a thread of its own within milliseconds: so blocks may
/// wait for one another. A block that throws makes the operation fail, with the error of the first
/// block in the order in which they were added.
///
/// A block asks ``PoolOperation/current`` for its operation, and that for
/// ``PoolOperation/isCancelled``. Asked to stop, it may throw `CancellationError`, and the
/// operation ends as cancelled; one that returns has succeeded. Nothing stops a block by force:
/// the signals of the teardown sequence do not reach it, so that the operation ends when its
/// blocks return, and after its timeout, too.
///
/// A block that suspends is executed in a task, which is cancelled when the operation is, or takes
/// longer than its timeout.
///
/// `@unchecked Sendable` as its superclass is: what is stored is behind a lock.
public final class PoolBlockOperation: PoolOperation, @unchecked Sendable {
  /// A block that returns when it is done.
  public typealias Block = @Sendable () throws -> Void
  /// A block that may suspend.
  public typealias AsyncBlock = @Sendable () async throws -> Void

  private let roster: Mutex<Roster>

  private struct Roster {
    var blocks: [BlockBody]
    /// Whether an in-process worker has been given them.
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

  /// Makes an operation of no block, which finishes at once if it gets none.
  public convenience init(options: PoolOperationOptions = PoolOperationOptions()) {
    self.init(blocks: [], options)
  }

  private init(blocks: [BlockBody], _ options: PoolOperationOptions) {
    roster = Mutex(Roster(blocks: blocks))
    super.init(kind: InProcessWorker.kind, options)
  }

  /// Whether a block suspends; any other is done when it returns.
  public override var isAsynchronous: Bool {
    roster.withLock { $0.blocks.contains(where: \.suspends) }
  }

  /// The blocks, in the order in which they were added.
  public var executionBlocks: [AsyncBlock] { roster.withLock { $0.blocks.map(\.asynchronous) } }

  /// Adds a block, which is executed beside the others.
  ///
  /// Throws ``PoolError`` when the operation executes or has finished.
  public func addExecutionBlock(_ block: @escaping Block) throws(PoolError) {
    try add(.plain(block))
  }

  /// Adds a block that suspends, which is executed beside the others.
  ///
  /// Throws ``PoolError`` when the operation executes or has finished.
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

  override func inProcessBody() -> InProcessBody {
    let blocks = roster.withLock { roster in
      roster.isDispatched = true
      return roster.blocks
    }
    return InProcessBody(of: blocks)
  }
}
