/// The place of a ready operation in the order of dispatch: priority, then submission order.
///
/// Submission order is the final tie-break, so that no two operations are equal and every run of
/// the same events dispatches in the same order.
struct ReadyKey: Comparable {
  /// 0 for `veryHigh` to 4 for `veryLow`.
  var level: Int
  /// The position in the order of submission; within a batch that has ranks, in their order.
  var position: Int

  /// One number with the same order.
  var packed: UInt64 {
    UInt64(truncatingIfNeeded: level) << 56 | UInt64(truncatingIfNeeded: position)
  }

  static func < (left: Self, right: Self) -> Bool {
    (left.level, left.position) < (right.level, right.position)
  }
}
