import PoolModel

/// The count of processes that the out-of-memory killer has killed, as it was about a second ago.
///
/// A worker's exit is handled some time after its death, so the count is compared with one that is
/// about a second old. Older kills explain nothing.
struct MemoryKills {
  /// How long a count is kept before it is the one to compare with.
  private static let interval = Int64.milliseconds(1_000)

  /// The count to compare with; nil if the system does not say.
  private var earlier: Int?
  private var latest: Int?
  /// When the latest count was read.
  private var latestAt: Instant

  init(_ count: Int?, at now: Instant) {
    earlier = count
    latest = count
    latestAt = now
  }

  /// Whether to read the count again.
  func isDue(at now: Instant) -> Bool { latestAt.advanced(by: Self.interval) <= now }

  /// Notes a count that was read because it was due.
  mutating func note(_ count: Int?, at now: Instant) {
    earlier = latest
    latest = count
    latestAt = now
  }

  /// Whether there is a recent kill that has not explained another death; uses it up.
  mutating func explain(_ count: Int?) -> Bool {
    guard let earlier, let count, count > earlier else { return false }
    self.earlier = earlier + 1
    latest = count
    return true
  }
}
