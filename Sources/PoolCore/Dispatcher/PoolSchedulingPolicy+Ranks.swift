package import PoolModel

// The command's `--order` and its `--dry-run` ask here, as do the queues of the library.

extension PoolSchedulingPolicy {
  /// The ranks of operations that likely take so long, by the rows of their dependencies; nil
  /// where the order of submission is all there is.
  ///
  /// Those of which nothing is known count as the mean of the others, or all as one. Where there
  /// are no rows, none depends on another. Linear in operations and dependencies.
  package func ranks(of rows: DependencyRows?, durations: [Int64?]) -> [Int64]? {
    guard self == .criticalPath else { return nil }
    let weights = Self.weights(durations)
    let lengths = rows.map { RemainingWork.lengths($0, weights: weights) } ?? weights
    // Behind the operations there may be joins, which have no rank.
    return Array(lengths.prefix(durations.count))
  }

  private static func weights(_ durations: [Int64?]) -> [Int64] {
    let known = durations.lazy.compactMap { $0 }.filter { $0 > 0 }
    let sum = known.reduce(0.0) { $0 + Double($1) }
    let mean = sum > 0 ? max(Int64(sum / Double(known.count)), 1) : 1
    return durations.map { $0 ?? mean }
  }

  /// Items in the order in which they are dispatched: the highest rank comes first, and equal ones
  /// come as they are given, as do all without ranks.
  package static func sorted<Item>(_ items: [Item], by ranks: [Int64]?) -> [Item] {
    guard let ranks else { return items }
    precondition(items.count == ranks.count, "each item has one rank")
    let entries = zip(ranks, items.indices).map { (rank: $0, index: $1) }
    let sorted = entries.sorted { left, right in
      left.rank == right.rank ? left.index < right.index : left.rank > right.rank
    }
    return sorted.map { items[$0.index] }
  }
}
