import PoolModel

/// One operation that a worker has and has not answered.
struct Assignment {
  let reference: DispatchReference
  /// The expected length of its execution in nanoseconds, 0 while unknown.
  let expected: Int64
  /// The longest execution that it may have, in nanoseconds; `Int64.max` for none.
  let timeout: Int64
  /// When it was dispatched.
  var dispatchedAt = Instant.zero

  var handle: OperationHandle { reference.operation.handle }
  var number: DispatchNumber { reference.dispatch }
}

extension Assignment {
  /// Whether it is the dispatch that a report is about.
  ///
  /// By numbers, because another module's `==` is called through a witness table, at 40
  /// instructions.
  @inline(__always)
  func isSame(as other: DispatchReference) -> Bool {
    reference.dispatch.rawValue == other.dispatch.rawValue
      && reference.operation.rawValue == other.operation.rawValue
  }
}
