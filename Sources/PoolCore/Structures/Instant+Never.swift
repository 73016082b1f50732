import PoolModel

extension Instant {
  /// The nanoseconds of `distantFuture`.
  ///
  /// Comparing with this number is cheap; an `==` of another module is a call at run time, and the
  /// hot path compares often.
  static let never = Int64.max
}
