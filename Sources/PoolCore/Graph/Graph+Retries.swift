import PoolModel

// Repeats attempts, at once or after a delay.

/// Rules and delays of retries.
struct RetryTable {
  /// The rule of operations without one of their own.
  let common: RetryRule
  /// The rules of the few other operations.
  var rules: [OperationHandle: RetryRule] = [:]
  /// When an operation that waits for its next attempt is due.
  var due: [OperationHandle: Instant] = [:]

  init(_ common: RetryRule) {
    self.common = common
  }

  /// The rule that decides about an operation.
  func rule(of handle: OperationHandle) -> RetryRule {
    // Asked for after failures only; but a lookup costs more than the question whether there is
    // one.
    rules.isEmpty ? common : rules[handle] ?? common
  }
}

extension Graph {
  /// Whether another attempt follows an attempt with this end.
  func mayRetry(_ handle: OperationHandle, after end: OperationEnd) -> Bool {
    guard end.ending.isFailure, let reason = end.cause.forRetry(end.failure),
      operations[handle].retriesLeft > 0, !operations[handle].state.isCancelled
    else { return false }
    return retries.rule(of: handle).allows(end.ending, reason)
  }

  /// Whether an idempotent operation is repeated, which costs it no retry.
  func isRepeated(_ handle: OperationHandle, after end: OperationEnd) -> Bool {
    end.isInDoubt && operations[handle].isIdempotent && !operations[handle].state.isCancelled
  }

  /// Makes an operation whose attempt has ended due again, at once or after its delay.
  ///
  /// During the delay it counts as behind a gate, so cancellation and skipping treat it like any
  /// other waiting operation.
  mutating func retry(_ handle: OperationHandle, _ context: inout EventContext) {
    let id = operations.id(of: handle)
    let attempt = Int(operations[handle].attempt)
    let delay = retries.rule(of: handle).delay(after: attempt, of: id)
    operations[handle].wait()
    guard delay > 0 else { return consequences.append(.due(handle)) }
    hold(handle, until: context.now.advanced(by: delay))
    note(handle, .pending, &context)
  }

  /// Closes a gate before an operation's next attempt, which time opens.
  mutating func hold(_ handle: OperationHandle, until due: Instant) {
    operations[handle].unmet += 1
    operations[handle].gateCount += 1
    retries.due[handle] = due
    timers.arm(handle, at: due)
  }

  /// Ends the next delay that is over, or the group whose time is; false if there is none.
  mutating func fireTimer(_ context: inout EventContext) -> Bool {
    guard let handle = timers.popDue(at: context.now) else { return false }
    // The operation may have settled; its handle may belong to another one now.
    guard let due = retries.due[handle] ?? deadline(ofGroup: handle) else { return true }
    guard due <= context.now else {
      timers.arm(handle, at: due)
      return true
    }
    if retries.due.removeValue(forKey: handle) == nil {
      end(handle, as: OperationEnd(.timedOut, .timeout), &context)
    } else {
      operations[handle].gateCount -= 1
      meetDependency(handle, &context)
    }
    return true
  }

  /// Drops the delay of an operation that has settled.
  mutating func cancelDelay(_ handle: OperationHandle) {
    if !retries.due.isEmpty { retries.due[handle] = nil }
  }
}

extension EndingCause {
  /// The reason as retry rules see it, refined by the worker's answer; nil if there is no retry
  /// after it.
  func forRetry(_ answer: RetryReason) -> RetryReason? {
    switch self {
    case .answer: answer
    case .timeout: RetryReason(.timeout)
    case .workerDied, .mayHaveBegun: RetryReason(.workerDied)
    case .violation: RetryReason(.violation)
    case .request, .quarantined, .dependency, .member, .noWorker, .unservedKind, .condition, .input:
      nil
    }
  }
}
