import PoolTestSupport
import Testing

extension Trait where Self == ConditionTrait {
  /// Skips a test where there is no Python 3, and says so.
  static var needsPython: Self { .enabled(if: Python.isThere, "there is no python3 on PATH") }
}
