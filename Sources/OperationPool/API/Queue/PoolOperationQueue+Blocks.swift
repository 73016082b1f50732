extension PoolOperationQueue {
  /// Adds a block of this process; see ``PoolBlockOperation``.
  ///
  /// Throws ``PoolError`` like ``addOperation(_:)``; returns the operation of the block.
  @discardableResult
  public func addOperation(
    options: PoolOperationOptions = PoolOperationOptions(),
    _ block: @escaping PoolBlockOperation.Block
  ) throws(PoolError) -> PoolBlockOperation {
    let operation = PoolBlockOperation(options: options, block)
    try addOperation(operation)
    return operation
  }

  /// Adds a block of this process that suspends; see ``PoolBlockOperation``.
  ///
  /// Throws ``PoolError`` like ``addOperation(_:)``; returns the operation of the block.
  @discardableResult
  public func addOperation(
    options: PoolOperationOptions = PoolOperationOptions(),
    _ block: @escaping PoolBlockOperation.AsyncBlock
  ) throws(PoolError) -> PoolBlockOperation {
    let operation = PoolBlockOperation(options: options, block)
    try addOperation(operation)
    return operation
  }
}
