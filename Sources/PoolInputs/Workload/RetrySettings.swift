package import PoolCore
import PoolModel

/// When, and after which failures, operations are retried, as far as a user has said it.
package struct RetrySettings: Hashable, Sendable {
  /// Nanoseconds before the first retry; nil for the standard delays.
  package var delay: Int64?
  /// The failures that are retried; nil for all.
  package var condition: RetryCondition?

  package init(delay: Int64? = nil, condition: RetryCondition? = nil) {
    (self.delay, self.condition) = (delay, condition)
  }

  package var areDefaults: Bool { delay == nil && condition == nil }

  /// These settings, with what they lack from others.
  package func completed(by others: Self) -> Self {
    Self(delay: delay ?? others.delay, condition: condition ?? others.condition)
  }

  /// The rule for the pool.
  ///
  /// The bound of the standard delays does not hold for a delay of the user's, which grows up to an
  /// hour.
  package var rule: RetryRule {
    let standard = RetryRule.standard
    return RetryRule(
      delay: delay ?? standard.delay,
      growth: standard.growth,
      maximum: delay == nil ? standard.maximum : .seconds(3_600),
      because: (condition ?? .all).causes,
      exitCodes: condition?.exitCodes
    )
  }
}
