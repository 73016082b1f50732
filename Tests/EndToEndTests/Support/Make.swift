import PoolTestSupport
import Testing

extension Trait where Self == ConditionTrait {
  /// Skips a test where there is no make, and says so.
  static var needsMake: Self { .enabled(if: Make.isThere, "there is no make on PATH") }
}
