/// What comes first among ready operations of one priority.
///
/// The command's `--order` and its `--dry-run` ask here, as does the machine when operations are
/// added.
package enum SchedulingPolicy: String, Hashable, Sendable, CaseIterable {
  /// What was submitted first.
  case submission
  /// What has the most work ahead: its own, and the longest chain of those that wait for it.
  case criticalPath = "critical-path"

  /// The ranks of operations that weigh so much, by the rows of their dependencies; nil where the
  /// order of submission is all there is.
  ///
  /// Linear in operations and dependencies.
  package func ranks(of rows: DependencyRows?, weights: [Int64]) -> [Int64]? {
    switch self {
    case .submission: nil
    case .criticalPath: rows.map { RemainingWork.lengths($0, weights: weights) } ?? weights
    }
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
