/// The order of what has ranks: the highest comes first, and equal ones come as they are given.
package enum RankOrder {
  /// The items in that order; each has the rank at the same place.
  package static func sorted<Item>(_ items: [Item], by ranks: [Int64]) -> [Item] {
    precondition(items.count == ranks.count, "each item has one rank")
    let entries = zip(ranks, items.indices).map { (rank: $0, index: $1) }
    let sorted = entries.sorted { left, right in
      left.rank == right.rank ? left.index < right.index : left.rank > right.rank
    }
    return sorted.map { items[$0.index] }
  }
}
