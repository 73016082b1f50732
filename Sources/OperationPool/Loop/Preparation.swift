package import PoolCore
package import PoolModel

/// What the preparation of an operation came to.
package enum Preparation: Sendable {
  /// It may be executed.
  case ready
  /// It ends like this, without having been executed.
  case ended(PoolEnding, EndingCause, AttemptReport)
}
