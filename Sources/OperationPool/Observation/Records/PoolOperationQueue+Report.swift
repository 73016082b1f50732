extension PoolOperationQueue {
  /// Whether the queue keeps what happens in it, for ``report()``; false for a new queue.
  ///
  /// Set it before you add operations. The memory of what is kept grows with each operation, until
  /// this is set to false or the queue is released: it is for a job rather than for a service
  /// without an end.
  public var keepsRecords: Bool {
    get { core.observers?.keepsRecords == true }
    set {
      guard newValue else { return core.observers?.dropRecords() ?? () }
      guard !keepsRecords else { return }
      let kept = KeptRecords()
      record(to: kept) { $0.keep(kept, from: $1) }
    }
  }

  /// How far the queue has come, and where its time went, since it began to keep what happens in
  /// it; nil unless ``keepsRecords`` is true.
  ///
  /// ```swift
  /// queue.keepsRecords = true
  /// try queue.addOperations(operations)
  /// try await queue.allOperationsFinished()
  /// if let report = queue.report() { print(report) }
  /// ```
  ///
  /// It may be called at any time, also while operations execute. It takes longer the more
  /// operations there were, as `opool report` does.
  public func report() -> PoolReport? {
    core.observers?.keptHistory.map { PoolReport($0) }
  }
}
