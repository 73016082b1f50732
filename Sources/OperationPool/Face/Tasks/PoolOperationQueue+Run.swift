public import OperationWorker

// Operations that belong to the task that adds them.

extension PoolOperationQueue {
  /// Adds an operation, waits for its end, and returns how it ended.
  ///
  /// The operation belongs to the task: where that is cancelled, the operation is cancelled, too, and
  /// once that has ended, `CancellationError` is thrown, whatever the outcome. A task that is
  /// cancelled already adds nothing. Throws ``PoolError`` as ``addOperation(_:)`` does.
  @discardableResult
  public func run<Operation: PoolOperation>(_ operation: Operation) async throws -> PoolOutcome {
    try Task.checkCancellation()
    try addOperation(operation)
    let outcome = await withTaskCancellationHandler {
      await operation.end()
    } onCancel: {
      operation.cancel(as: .task)
    }
    try Task.checkCancellation()
    return outcome
  }

  /// Adds an operation, waits for its end, and returns its value.
  ///
  /// What is said of ``run(_:)-(Operation)`` holds here. Throws as
  /// ``PoolTypedOperation/value`` does besides.
  @discardableResult
  public func run<Output>(_ operation: PoolTypedOperation<Output>) async throws -> Output {
    try operation.value(of: await run(operation as PoolOperation))
  }

  /// Executes a value in a worker, and returns what its `main` returned.
  ///
  /// What is said of ``run(_:)-(PoolTypedOperation<Output>)`` holds here.
  @discardableResult
  public func run<Body: WorkerOperation>(
    _ body: Body,
    options: PoolOperationOptions = PoolOperationOptions()
  ) async throws -> Body.Output {
    try await run(PoolTypedOperation(body, options: options))
  }

  /// Executes a value, whose `main` suspends, in a worker, and returns what that returned.
  ///
  /// What is said of ``run(_:)-(PoolTypedOperation<Output>)`` holds here.
  @discardableResult
  public func run<Body: AsyncWorkerOperation>(
    _ body: Body,
    options: PoolOperationOptions = PoolOperationOptions()
  ) async throws -> Body.Output {
    try await run(PoolTypedOperation(body, options: options))
  }
}
