import PoolCore
import PoolSystem

/// A random order of operations: `--shuf`.
///
/// An operation's place follows from the seed and its number alone, so that a dry run, and a run
/// with the same seed, have the same order.
struct StartOrder: Sendable {
  let seed: UInt64

  /// Nil if the order is not random.
  init?(_ options: SharedOptions) {
    guard options.starts.shuffles else { return nil }
    seed = options.seed ?? 0
  }

  /// Ranks within a priority; the highest comes first.
  func ranks(of operations: Range<Int>) -> [Int64] {
    operations.map { Int64(Chance.bits(seed, UInt64($0)) >> 2) }
  }
}
