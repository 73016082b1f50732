package import PoolModel

/// One way to start workers, and the number of them.
package struct ConfigurationSpec: Hashable, Sendable {
  /// Maximum number of workers alive at once.
  package var count: Int
  /// The most of them that the user allows; only of those behind a relay there could be more.
  package var cap = Int.max
  /// The kinds that they serve, if known before they greet.
  package var kinds: [KindID]?
  /// Used only for kinds that all other worker configurations, broken ones included, are known not
  /// to serve.
  package var isReserve: Bool
  /// Its workers live in the coordinator's own process, and take none of its slots.
  package var executesBlocks = false
  /// When its workers are replaced although they work.
  package var recycling = Recycling.never
  /// Starts all its workers at once, so that their kinds are soon known.
  package var isEager = false
  /// Its workers may be on another machine: those that are not go first.
  package var isFar = false
  /// How long those of its workers live without an answer that may be on another machine; nil if
  /// they need none.
  package var lease: LeaseTerms?
  /// How long its workers may take to greet; nil for the policy's time.
  package var greetingTimeout: Int64?

  package init(count: Int, kinds: [KindID]? = nil, isReserve: Bool = false) {
    self.count = count
    self.kinds = kinds
    self.isReserve = isReserve
  }
}
