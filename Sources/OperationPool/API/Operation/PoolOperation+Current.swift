extension PoolOperation {
  /// The operation whose block the current thread or task executes; nil elsewhere.
  ///
  /// A task that a block starts has it, too, unless it is detached.
  public static var current: PoolOperation? { BlockExecution.current?.operation as? PoolOperation }

  /// Whether the caller is a block of this operation, and was asked to stop.
  ///
  /// A timeout asks one execution to stop, without cancelling the operation as a whole.
  var isAskedToStopHere: Bool {
    guard let current = BlockExecution.current else { return false }
    return current.operation === self && current.isAsked
  }
}
