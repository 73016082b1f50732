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
  /// Bits of the causes that are, by `PoolRetryCause`'s raw value.
  private let causes: UInt8

  package init(
    delay: Int64,
    growth: Double = 1,
    maximum: Int64 = .max,
    on endings: Set<PoolEnding> = Set(PoolEnding.failures),
    because causes: Set<PoolRetryCause> = Set(PoolRetryCause.allCases)
  ) {
    self.delay = delay
    self.growth = growth
    self.maximum = maximum
    self.endings = endings.reduce(0) { $0 | 1 << $1.rawValue }
    self.causes = causes.reduce(0) { $0 | 1 << $1.rawValue }
  }

  /// Whether an attempt that ended so, and for this reason, is worth another one.
  func allows(_ ending: PoolEnding, _ cause: PoolRetryCause) -> Bool {
    endings & 1 << ending.rawValue != 0 && causes & 1 << cause.rawValue != 0
  }

  /// Nanoseconds to wait after so many attempts of an operation; see ``BackOff``.
  package func delay(after attempt: Int, of operation: OperationID) -> Int64 {
    BackOff(delay: delay, growth: growth, maximum: maximum, isLeast: true)
      .length(after: attempt, of: operation.rawValue)
  }
}
