package import PoolModel

/// A report about a dispatch: from its worker, or from the loop that could not send it.
package enum WorkerReport: Hashable, Sendable {
  /// The worker has begun the operation, tells the process group that executes it, or tries again
  /// to begin it.
  case executing(group: Int32?)
  /// Progress, a log line or output of the executing operation.
  case remarked(DetailID)
  /// The worker has answered: `succeeded`, `failed` or `cancelled`, as it says, and why it has
  /// failed, if it has; or `lost`, if the answer is worth nothing because the worker died before
  /// its outputs were fetched; and the nanoseconds that it took, if the worker has measured them.
  /// The loop keeps the rest of the answer.
  case answered(PoolEnding, RetryReason, DetailID, elapsed: Int64? = nil)
  /// The worker gives back what it has not started.
  case returned
  /// The dispatch could not be sent: the operation fails, and the worker, which has never heard of
  /// it, goes on.
  case unsent(EndingCause, DetailID)

  /// Whether the loop says it, and no worker.
  var isOwn: Bool {
    if case .unsent = self { return true }
    return false
  }

  /// Whether it ends the operation, as the worker says.
  var isAnswer: Bool {
    if case .answered = self { return true }
    return false
  }

  /// Whether the worker says that it has stopped the operation.
  var isCancelled: Bool {
    if case .answered(.cancelled, _, _, _) = self { return true }
    return false
  }

  /// The message, or one of several messages, that says it.
  var name: String {
    switch self {
    case .executing: "'executing'"
    case .remarked: "'progress', 'log' or 'output'"
    case .answered(.cancelled, _, _, _): "'cancelled'"
    case .answered: "'finished'"
    case .returned, .unsent: "'returned'"
    }
  }
}
