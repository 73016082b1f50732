package import PoolModel

/// How one attempt, or the whole operation, ended.
///
/// Absent values are special values: optionals would make it half as large again.
package struct Settlement: Hashable, Sendable {
  package var operation: OperationID
  /// For a skipped operation the dependency that is the root cause, else the operation itself.
  package var root: OperationID
  package var ending: PoolEnding
  package var cause: EndingCause
  package var detail: DetailID
  private let attempts: UInt32
  /// Workers are numbered from 1.
  private let workerNumber: UInt32
  private let queuedAt: Instant
  private let startedAt: Instant
  package let finished: Instant

  package init(
    _ operation: OperationID,
    _ ending: PoolEnding,
    because cause: EndingCause,
    root: OperationID,
    detail: DetailID,
    attempt: UInt32,
    worker: WorkerID?,
    queued: Instant?,
    started: Instant?,
    finished: Instant
  ) {
    self.operation = operation
    self.ending = ending
    self.cause = cause
    self.root = root
    self.detail = detail
    attempts = attempt
    workerNumber = worker?.rawValue ?? 0
    queuedAt = queued ?? .distantFuture
    startedAt = started ?? .distantFuture
    self.finished = finished
  }

  /// Executions that had begun; 0 where there was none.
  package var attempt: Int { Int(attempts) }
  /// The worker of the last attempt.
  package var worker: WorkerID? { workerNumber == 0 ? nil : WorkerID(rawValue: workerNumber) }
  /// When it became ready, if it did.
  package var queued: Instant? { queuedAt == .distantFuture ? nil : queuedAt }
  /// When the last attempt began, if one did.
  package var started: Instant? { startedAt == .distantFuture ? nil : startedAt }
}

/// Every operation in memory that has ended has one of these.
let settlementSizeLimit = 56

/// Where the loop keeps what a worker said with its answer; the core only carries the number.
@usableFromInline
package struct DetailID: Hashable, Sendable {
  @usableFromInline package var rawValue: UInt32

  @inlinable package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// No worker said anything.
  @inlinable package static var none: Self { Self(rawValue: .max) }
}
