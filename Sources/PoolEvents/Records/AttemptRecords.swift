package import PoolModel

/// A worker executes an operation.
///
/// An attempt that its worker could not begin after all starts again, with the same number.
package struct AttemptStarted: Hashable, Sendable {
  /// The number of the operation.
  package var number: Int
  /// The number of the attempt, from 1.
  package var attempt: Int
  package var worker: WorkerID
  package var time: Instant

  package init(number: Int, attempt: Int, worker: WorkerID, time: Instant) {
    (self.number, self.attempt, self.worker, self.time) = (number, attempt, worker, time)
  }
}

/// An operation will be tried again.
package struct RetryPlanned: Hashable, Sendable {
  /// The number of the operation.
  package var number: Int
  /// The number of the attempt that has ended.
  package var attempt: Int
  /// When the next one may begin; nil for at once.
  package var due: Instant?
  /// One sentence for people: why it is needed.
  package var reason: String
  /// Whether lines of the attempt may have been printed.
  package var hasPrinted: Bool

  package init(
    number: Int,
    after attempt: Int,
    due: Instant?,
    because reason: String,
    hasPrinted: Bool = false
  ) {
    (self.number, self.attempt, self.due) = (number, attempt, due)
    (self.reason, self.hasPrinted) = (reason, hasPrinted)
  }
}
