import PoolModel

// Attempts are repeated, at once or after a delay.

/// What is said of retries of those few operations that have more than a count of them.
struct RetryTable {
  /// The rule of an operation, by its slot.
  var rules: [OperationHandle: RetryRule] = [:]
  /// When an operation that waits for its next attempt has waited enough, by its slot.
  var due: [OperationHandle: Instant] = [:]
  var alarms = AlarmQueue<OperationHandle>()
}

extension PoolMachine {
  /// Whether an attempt that ended so is followed by another one.
  func mayRetry(_ slot: OperationHandle, after ending: PoolEnding, _ cause: PoolRetryCause?) -> Bool
  {
    guard let cause, operations[slot].retriesLeft > 0, !operations[slot].state.isCancelled,
      !isClosing(slot), ending.isFailure
    else { return false }
    guard !retries.rules.isEmpty else { return true }
    return retries.rules[slot]?.allows(ending, cause) ?? true
  }

  /// An operation whose attempt has ended is ready again, at once or after its delay.
  ///
  /// While it waits it is held, as by a gate: whatever makes others leave makes it leave, too.
  mutating func retry(_ slot: OperationHandle, at now: Instant) {
    let id = operations.id(of: slot)
    let attempt = Int(operations[slot].attempt)
    let delay = retries.rules[slot]?.delay(after: attempt, of: id) ?? 0
    guard delay > 0 else { return makeReady(slot, at: now) }
    operations[slot].wait()
    operations[slot].unmet += 1
    operations[slot].gateCount += 1
    let due = now.advanced(by: delay)
    retries.due[slot] = due
    retries.alarms.arm(slot, at: due)
    note(slot, .pending)
  }

  /// Lets operations go on that have waited enough for their next attempt.
  mutating func endDelays(at now: Instant) {
    while let slot = retries.alarms.popDue(at: now) {
      // It may have left, and its slot may be another's by now.
      guard let due = retries.due[slot] else { continue }
      guard due <= now else {
        retries.alarms.arm(slot, at: due)
        continue
      }
      retries.due[slot] = nil
      operations[slot].gateCount -= 1
      meet(slot, at: now)
    }
    settleAftermath(at: now)
  }

  /// An operation has settled, and waits for no attempt any more.
  mutating func cancelDelay(_ slot: OperationHandle) {
    if !retries.due.isEmpty { retries.due[slot] = nil }
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
