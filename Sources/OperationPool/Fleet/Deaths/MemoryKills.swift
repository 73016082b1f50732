import PoolModel

/// The count of processes that the out-of-memory killer has killed, as it was about a second ago.
///
/// A worker's exit is handled some time after its death, so the count is compared with one that is
/// about a second old. Older kills explain nothing: while operations execute, the loop wakes up to
/// read the count, and after a longer sleep the time of a kill is unknown.
struct MemoryKills {
  /// How long a count is kept before it is the one to compare with.
  private static let interval = Int64.milliseconds(1_000)
  /// How much later than it is due a count may be read: 1 s, on a busy machine.
  private static let margin = Int64.milliseconds(1_000)

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

  /// When to read the count again; nil if the system does not say it.
  var due: Instant? { latest.map { _ in latestAt.advanced(by: Self.interval) } }

  /// Whether to read the count again.
  func isDue(at now: Instant) -> Bool { latestAt.advanced(by: Self.interval) <= now }

  /// Notes a count that was read because it was due.
  mutating func note(_ count: Int?, at now: Instant) {
    // It is not known when kills after a long gap were.
    earlier = isFresh(at: now) ? latest : count
    latest = count
    latestAt = now
  }

  /// Whether the latest count was read so lately that newer kills are recent.
  private func isFresh(at now: Instant) -> Bool {
    now <= latestAt.advanced(by: Self.interval + Self.margin)
  }

  /// Whether there is a recent kill that has not explained another death; uses it up.
  mutating func explain(_ count: Int?, at now: Instant) -> Bool {
    guard let earlier, let count, count > earlier, isFresh(at: now) else { return false }
    self.earlier = earlier + 1
    latest = count
    return true
  }
}
