import PoolModel

/// A time during which workers have met a shortage and nothing was executed.
struct Shortage {
  var since: Instant
  /// When a worker met it last.
  var latest: Instant
  /// Number of operations answered by then.
  var answered: Int

  /// The coordinator was absent for this long, so nothing could be executed.
  mutating func postpone(by lateness: Int64) {
    since = since.advanced(by: lateness)
    latest = latest.advanced(by: lateness)
  }
}
