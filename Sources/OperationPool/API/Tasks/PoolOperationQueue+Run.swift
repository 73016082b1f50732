public import OperationWorker

// Operations that belong to the task that adds them.

extension PoolOperationQueue {
  /// Adds an operation, waits for its end, and returns its outcome.
  ///
  /// The operation belongs to the task: if the task is cancelled, the operation is cancelled, too,
  /// and after its end `CancellationError` is thrown, whatever the outcome. A task that is already
  /// cancelled adds nothing. Throws ``PoolError`` like ``addOperation(_:)``. So it does, and adds
  /// nothing, in a block that the operation would wait for; see ``PoolOperation/finished()``.
  @discardableResult
  public func run<Operation: PoolOperation>(_ operation: Operation) async throws -> PoolOutcome {
    try Task.checkCancellation()
    try operation.demandProgress(in: core)
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
  /// Otherwise like ``run(_:)-(Operation)``. It also throws the errors of
  /// ``PoolTypedOperation/value``.
  @discardableResult
  public func run<Output>(_ operation: PoolTypedOperation<Output>) async throws -> Output {
    try operation.value(of: await run(operation as PoolOperation))
  }

  /// Executes a value in a worker, and returns its result.
  ///
  /// Otherwise like ``run(_:)-(PoolTypedOperation<Output>)``.
  @discardableResult
  public func run<Body: TypedOperation>(
    _ body: Body,
    options: PoolOperationOptions = PoolOperationOptions()
  ) async throws -> Body.Output {
    try await run(PoolTypedOperation(body, options: options))
  }
}
