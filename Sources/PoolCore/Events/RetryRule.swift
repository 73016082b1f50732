package import PoolModel

/// Which endings are retried, and after which delay.
package struct RetryRule: Hashable, Sendable {
  /// Nanoseconds before the first retry; 0 for none.
  package var delay: Int64
  /// The factor between one delay and the next; less than 1 counts as 1.
  package var growth: Double
  /// The longest delay, in nanoseconds.
  package var maximum: Int64
  /// Bits of the endings that are retried, by `PoolEnding`'s raw value.
  private let endings: UInt8
  /// Bits of the causes that are retried, by `PoolRetryCause`'s raw value.
  private let causes: UInt8
  /// The exit codes that are retried, where the cause `exit` is; nil for all.
  private let exitCodes: Set<Int16>?

  package init(
    delay: Int64,
    growth: Double = 1,
    maximum: Int64 = .max,
    on endings: Set<PoolEnding> = Set(PoolEnding.failures),
    because causes: Set<PoolRetryCause> = Set(PoolRetryCause.allCases),
    exitCodes: Set<Int32>? = nil
  ) {
    self.delay = delay
    self.growth = growth
    self.maximum = maximum
    self.endings = endings.reduce(0) { $0 | 1 << $1.rawValue }
    self.causes = causes.reduce(0) { $0 | 1 << $1.rawValue }
    self.exitCodes = exitCodes.map { Set($0.map { Int16(clamping: $0) }) }
  }

  /// Retries every failure at once.
  package static let atOnce = Self(delay: 0)

  /// Retries every failure after a delay: 100 ms, doubled for each further one, up to 30 s.
  package static let standard =
    Self(delay: .milliseconds(100), growth: 2, maximum: .seconds(30))

  /// Whether an attempt with this ending and reason may be repeated.
  func allows(_ ending: PoolEnding, _ reason: RetryReason) -> Bool {
    guard endings & 1 << ending.rawValue != 0, causes & 1 << reason.cause.rawValue != 0
    else { return false }
    guard reason.cause == .exit, let exitCodes else { return true }
    return exitCodes.contains(reason.exitCode)
  }

  /// Nanoseconds to wait after the attempt with this number; see ``BackOff``.
  package func delay(after attempt: Int, of operation: OperationID) -> Int64 {
    BackOff(delay: delay, growth: growth, maximum: maximum, isLeast: true)
      .length(after: attempt, of: operation.rawValue)
  }
}
