package import PoolModel

// Used by `--order`, by `--dry-run`, and by the queues of the library.

extension PoolSchedulingPolicy {
  /// The ranks of operations with these expected durations, by the rows of their dependencies; nil
  /// if the order of submission alone decides.
  ///
  /// An unknown duration counts as the mean of the known ones, or as one if none is known. Without
  /// rows there are no dependencies. Linear in operations and dependencies.
  package func ranks(of rows: DependencyRows?, durations: [Int64?]) -> [Int64]? {
    switch self {
    case .submission: return nil
    case .criticalPath:
      let weights = Self.weights(durations)
      let lengths = rows.map { RemainingWork.lengths($0, weights: weights) } ?? weights
      // The last rows may be joins, which have no rank.
      return Array(lengths.prefix(durations.count))
    }
  }

  /// Whether the ranks depend on expected durations.
  package var usesDurations: Bool {
    switch self {
    case .submission: false
    case .criticalPath: true
    }
  }

  private static func weights(_ durations: [Int64?]) -> [Int64] {
    let known = durations.lazy.compactMap { $0 }.filter { $0 > 0 }
    let sum = known.reduce(0.0) { $0 + Double($1) }
    let mean = sum > 0 ? max(Int64(saturating: sum / Double(known.count)), 1) : 1
    return durations.map { $0 ?? mean }
  }

  /// Items in the order of dispatch: the highest rank first, equal ranks in the given order;
  /// without ranks, all in the given order.
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
