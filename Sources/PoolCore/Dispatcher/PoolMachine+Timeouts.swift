import PoolModel

// How long an execution may take.

/// A timeout that follows from how long others took, as GNU parallel's `--timeout 200%`.
package struct RelativeTimeout: Hashable, Sendable {
  /// So many hundredths of the median length of the executions that have succeeded.
  package var percent: Int

  /// How many must have succeeded before there is a median to speak of.
  package static let leastCount = 3

  package init(percent: Int) {
    self.percent = percent
  }
}

extension PoolMachine {
  /// The longest execution of an operation that begins, or goes on, now: its own, or, where it has
  /// none, what the median allows; nanoseconds.
  func executionLimit(of slot: OperationHandle) -> Int64 {
    let own = operations[slot].timeout
    guard own == .max, let relative = policy.relativeTimeout,
      successes.count >= RelativeTimeout.leastCount
    else { return own }
    return Int64(clamping: Double(successes.value) * Double(relative.percent) / 100)
  }

  /// An execution has succeeded, which may have made others too long.
  mutating func noteSuccess(_ slot: OperationHandle, at now: Instant) {
    guard policy.relativeTimeout != nil else { return }
    successes.insert(now.nanoseconds - operations[slot].startedAt.nanoseconds)
    // Those that began before there was a median are watched from now on; later ones are when they
    // begin, and asked again when their time has come.
    guard successes.count == RelativeTimeout.leastCount else { return }
    for worker in workers.living { arm(worker) }
  }
}

extension Int64 {
  fileprivate init(clamping value: Double) {
    self = value < 0x1p62 ? Int64(value) : .max
  }
}
