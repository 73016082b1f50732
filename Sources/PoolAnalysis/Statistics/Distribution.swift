import PoolModel

/// Some durations as a few numbers, in nanoseconds.
package struct Distribution: Hashable, Sendable {
  package let count: Int
  package let sum: Int64
  package let least: Int64
  package let median: Int64
  /// Nine tenths are no longer.
  package let ninetieth: Int64
  package let greatest: Int64

  /// Nil for no durations; O(*n* log *n*).
  package init?(_ durations: [Int64]) {
    guard !durations.isEmpty else { return nil }
    let sorted = durations.sorted()
    count = sorted.count
    sum = sorted.reduce(0) { $0.saturatingSum($1) }
    (least, greatest) = (sorted[0], sorted[sorted.count - 1])
    median = sorted[(sorted.count - 1) / 2]
    ninetieth = sorted[(sorted.count * 9 + 9) / 10 - 1]
  }
}
