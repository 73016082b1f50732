package import PoolModel

/// What a report turned out to be.
package enum Reception: Hashable, Sendable {
  /// It was expected.
  case accepted
  /// It is about a dispatch that has ended: ignored.
  case stale
  /// No worker that keeps to the protocol sends it now.
  case violation(String)
}

/// What the preparation of an operation came to.
package enum PreparationResult: Hashable, Sendable {
  /// It may be executed.
  case go
  /// It ends like this, without having been executed.
  case end(PoolEnding, EndingCause, DetailID)
}

/// How an attempt ended, or an operation that had none.
struct OperationEnd {
  var ending: PoolEnding
  var cause: EndingCause
  /// What the worker says of a failure.
  var failure = PoolRetryCause.error
  var detail = DetailID.none
  var worker: WorkerID?
  /// The dependency that began it all, where it is not the operation itself.
  var root: OperationID?

  init(
    _ ending: PoolEnding,
    _ cause: EndingCause,
    saying failure: PoolRetryCause = .error,
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

/// One operation that a worker has and has not answered.
struct Assignment {
  let reference: DispatchReference
  /// The expected length of its execution in nanoseconds, 0 while unknown.
  let expected: Int64
  /// The longest execution that it may have, in nanoseconds; `Int64.max` for none.
  let timeout: Int64

  var handle: OperationHandle { reference.operation.handle }
  var number: DispatchNumber { reference.dispatch }
}

extension Assignment {
  /// Whether it is the dispatch that a report is about.
  ///
  /// By numbers, because another module's `==` is called through a witness table, at 40 instructions.
  @inline(__always)
  func isSame(as other: DispatchReference) -> Bool {
    reference.dispatch.rawValue == other.dispatch.rawValue
      && reference.operation.rawValue == other.operation.rawValue
  }
}
