package import PoolModel

/// An execution that is being ended.
package struct OperationEnding: Hashable, Sendable {
  package let operation: OperationID
  /// When its end was asked for.
  package let start: Instant
  /// The ending that it will have: `cancelled` or `timedOut`.
  package let ending: PoolEnding
  /// The latest step of its teardown sequence; nil if it has none.
  ///
  /// A worker that takes the steps itself tells of them only when they are over: it is the step
  /// that is due by then.
  package let step: PoolTeardownSequence.Action?
}

extension Supervisor {
  /// The executions that are being ended; O(workers).
  package func endings(at now: Instant) -> [OperationEnding] {
    workers.living.compactMap { worker in
      guard let progress = workers[worker].teardown, let head = workers[worker].head,
        head.isExecuting
      else { return nil }
      let operation = head.reference.operation
      return OperationEnding(
        operation: operation,
        start: progress.start,
        ending: progress.ending,
        step: sequence(for: operation).step(after: now.nanoseconds - progress.start.nanoseconds)
      )
    }
  }
}

extension PoolTeardownSequence {
  /// The step that is due so many nanoseconds after the first one.
  fileprivate func step(after elapsed: Int64) -> Action? {
    var due: Int64 = 0
    var latest: Action?
    for step in steps {
      guard latest == nil || due <= elapsed else { break }
      latest = step.action
      due = due.saturatingSum(.milliseconds(step.graceMilliseconds))
    }
    return latest
  }
}
