import PoolModel

extension Instant {
  /// The nanoseconds of `distantFuture`, to compare with: what is equal to what is asked of another
  /// module at run time, one call for each number, and the hot path asks often.
  static let never = Int64.max
}
