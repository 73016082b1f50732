import PoolModel

/// The remaining time of a run if the rest is executed at the rate so far.
///
/// It is computed when something has ended, and counted down until something else ends: while one
/// operation takes long, the quotient of elapsed time and ended operations would count upwards.
struct RateEstimate: Hashable {
  /// What an estimate is computed from.
  struct Basis: Hashable {
    /// Number of operations that executed in this run, and ended.
    var executed: Int
    /// Number of operations that have not ended.
    var rest: Int
  }

  /// What the estimate was computed from.
  private var basis: Basis?
  /// When the run would end, in nanoseconds since it began.
  private var end: Int64?

  /// Nanoseconds until the end, `elapsed` nanoseconds after the run began; nil before anything has
  /// executed, or if less than a second is left.
  mutating func remaining(_ latest: Basis, after elapsed: Int64) -> Int64? {
    if latest != basis {
      basis = latest
      end = Self.time(latest, elapsed: elapsed)?.saturatingSum(elapsed)
    }
    guard let end, end < .max else { return nil }
    let rest = end - elapsed
    return rest < 1_000_000_000 ? nil : rest
  }

  private static func time(_ basis: Basis, elapsed: Int64) -> Int64? {
    guard basis.executed > 0 else { return nil }
    let time = Double(elapsed) * Double(basis.rest) / Double(basis.executed)
    return time < 1e18 ? Int64(saturating: time) : nil
  }
}
