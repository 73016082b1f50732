package import PoolModel

/// How long to wait before an operation is executed again, and after which endings at all.
package struct RetryRule: Hashable, Sendable {
  /// Nanoseconds before the first retry; 0 for none.
  package var delay: Int64
  /// By how much each delay is longer than the one before; less than 1 counts as 1.
  package var growth: Double
  /// The longest delay, in nanoseconds.
  package var maximum: Int64
  /// Bits of the endings that are retried, by `PoolEnding`'s raw value.
  private let endings: UInt8

  package init(
    delay: Int64,
    growth: Double = 1,
    maximum: Int64 = .max,
    on endings: Set<PoolEnding> = Self.retryable
  ) {
    self.delay = delay
    self.growth = growth
    self.maximum = maximum
    self.endings = endings.reduce(0) { $0 | 1 << $1.rawValue }
  }

  /// Endings after which another attempt makes sense: those of an execution that went wrong.
  package static let retryable: Set<PoolEnding> = [.failed, .timedOut, .lost]

  /// Whether an attempt that ended so is worth another one.
  func allows(_ ending: PoolEnding) -> Bool {
    endings & 1 << ending.rawValue != 0
  }

  /// Nanoseconds to wait after so many attempts of an operation.
  ///
  /// Each delay is shortened to between a half and the whole of itself, so that operations that
  /// failed together do not come back together; by how much follows from the operation's number
  /// and the attempt alone, so that every run does the same.
  func delay(after attempt: Int, of operation: OperationID) -> Int64 {
    guard delay > 0 else { return 0 }
    let limit = Double(max(maximum, 0))
    var length = min(Double(delay), limit)
    if growth > 1 {
      var earlier = attempt - 1
      while earlier > 0, length < limit {
        length = min(length * growth, limit)
        earlier -= 1
      }
    }
    let share = 0.5 + 0.5 * Chance.fraction(UInt64(operation.rawValue), UInt64(attempt))
    // A double cannot hold the largest integer.
    return length * share >= 0x1p62 ? 1 << 62 : Int64(length * share)
  }
}
