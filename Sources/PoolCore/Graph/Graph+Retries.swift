import PoolModel

// Attempts are repeated, at once or after a delay.

/// What is said of retries of those few operations that have more than a count of them.
struct RetryTable {
  /// The rule of an operation, by its handle.
  var rules: [OperationHandle: RetryRule] = [:]
  /// When an operation that waits for its next attempt has waited enough, by its handle.
  var due: [OperationHandle: Instant] = [:]
  var alarms = AlarmQueue<OperationHandle>()
}

extension Graph {
  /// Whether an attempt that ended so is followed by another one.
  func mayRetry(_ handle: OperationHandle, after end: OperationEnd) -> Bool {
    guard end.ending.isFailure, let cause = end.cause.forRetry(end.failure),
      operations[handle].retriesLeft > 0, !operations[handle].state.isCancelled
    else { return false }
    guard !retries.rules.isEmpty else { return true }
    return retries.rules[handle]?.allows(end.ending, cause) ?? true
  }

  /// An operation whose attempt has ended is ready again, at once or after its delay.
  ///
  /// While it waits it counts as behind a gate: what cancels or skips others does the same to it.
  mutating func retry(_ handle: OperationHandle, _ context: inout EventContext) {
    let id = operations.id(of: handle)
    let attempt = Int(operations[handle].attempt)
    let delay = retries.rules[handle]?.delay(after: attempt, of: id) ?? 0
    operations[handle].wait()
    guard delay > 0 else { return news.append(.due(handle)) }
    operations[handle].unmet += 1
    operations[handle].gateCount += 1
    let due = context.now.advanced(by: delay)
    retries.due[handle] = due
    retries.alarms.arm(handle, at: due)
    note(handle, .pending, &context)
  }

  /// Lets the next operation go on that has waited enough for its next attempt; false where there
  /// is none.
  mutating func endDelay(_ context: inout EventContext) -> Bool {
    guard let handle = retries.alarms.popDue(at: context.now) else { return false }
    // It may have left, and its place may be another's by now.
    guard let due = retries.due[handle] else { return true }
    guard due <= context.now else {
      retries.alarms.arm(handle, at: due)
      return true
    }
    retries.due[handle] = nil
    operations[handle].gateCount -= 1
    meetDependency(handle, &context)
    return true
  }

  /// An operation has settled, and waits for no attempt any more.
  mutating func cancelDelay(_ handle: OperationHandle) {
    if !retries.due.isEmpty { retries.due[handle] = nil }
  }
}

extension EndingCause {
  /// The same for retries, where the worker's answer may say more; nil where there is none.
  func forRetry(_ answer: PoolRetryCause) -> PoolRetryCause? {
    switch self {
    case .answer: answer
    case .timeout: .timeout
    case .workerDied: .workerDied
    case .violation: .violation
    case .request, .quarantined, .dependency, .noWorker, .unservedKind, .condition, .input: nil
    }
  }
}
