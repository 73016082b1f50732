/// An operation that is a block of this process which suspends, executed in a task of its own.
///
/// Cancelling the operation cancels the task, as its timeout does; one whose block then throws
/// `CancellationError` has ended as cancelled. What is said of ``PoolBlockOperation`` holds for
/// the rest.
///
/// `@unchecked Sendable` as its superclass is: what is stored is constant.
public final class PoolAsyncBlockOperation: PoolOperation, @unchecked Sendable {
  /// What is executed.
  public typealias Block = @Sendable () async throws -> Void

  private let block: Block

  /// Makes an operation of a block that suspends.
  public init(
    options: PoolOperationOptions = PoolOperationOptions(),
    _ block: @escaping Block
  ) {
    self.block = block
    super.init(kind: InProcessWorker.kind, options)
  }

  override func inProcessBody() -> InProcessBody { .asynchronous(block) }
}
