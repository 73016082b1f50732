/// A share of the inputs of a map, for one of several runs that divide them: every `count`-th.
package struct InputShard: Hashable, Sendable {
  /// The most shares.
  package static let limit = 1_000_000

  /// Which share, from 1.
  package let index: Int
  /// Number of shares.
  package let count: Int

  /// Nil unless the share is one of them.
  package init?(_ index: Int, of count: Int) {
    guard (1...Self.limit).contains(count), (1...count).contains(index) else { return nil }
    (self.index, self.count) = (index, count)
  }

  /// Whether an input belongs to it, by its place from 0.
  func takes(_ place: Int) -> Bool { place % count == index - 1 }
}
