import PoolModel

/// How an attempt ended, or an operation that had none.
struct OperationEnd {
  var ending: PoolEnding
  var cause: EndingCause
  /// What the worker says of a failure.
  var failure = RetryReason.error
  var detail = DetailID.none
  var worker: WorkerID?
  /// Whether its worker, which is gone, may go on executing it.
  var isInDoubt = false
  /// When the attempt ended, if that is not now.
  var finished = Instant.distantFuture
  /// The dependency that began it all, where it is not the operation itself.
  var root: OperationID?

  init(
    _ ending: PoolEnding,
    _ cause: EndingCause,
    saying failure: RetryReason = .error,
    detail: DetailID = .none,
    on worker: WorkerID? = nil,
    root: OperationID? = nil
  ) {
    self.ending = ending
    self.cause = cause
    self.failure = failure
    self.detail = detail
    self.worker = worker
    self.root = root
  }
}
