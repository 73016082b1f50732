import PoolAnalysis

extension PoolOperationQueue {
  /// Where an operation stands: which dependency, limit, pause or worker it waits for, what
  /// executes it, or what it came to.
  ///
  /// ```swift
  /// print(queue.explain(operation))
  /// ```
  ///
  /// It answers about any operation, whatever its queue, and changes nothing: the answer is that of
  /// one moment. The engine's lock is held for a time that is linear in the operation's
  /// dependencies and the workers; behind a barrier, in the operations of the queue.
  public func explain(_ operation: PoolOperation) -> PoolExplanation {
    let (standing, words) = AskedOperation(operation).standing
    return PoolExplanation(standing, words, of: operation.label)
  }
}
