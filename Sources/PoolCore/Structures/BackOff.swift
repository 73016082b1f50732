import PoolModel

/// The delay before something that failed is tried again, longer each time.
struct BackOff: Hashable, Sendable {
  /// Nanoseconds before the first time; 0 for none.
  var delay: Int64
  /// The factor between one delay and the next; less than 1 counts as 1.
  var growth: Double
  /// The longest delay, in nanoseconds.
  var maximum: Int64
  /// Whether the delay is a minimum, because a user has asked for it.
  var isLeast = false

  /// Nanoseconds to wait after this number of failures in a row of the thing with this number.
  ///
  /// Each delay is shortened to between half and all of its length, or, if it is a minimum,
  /// lengthened by up to half, so that things that failed together are not tried again together.
  /// The change depends on the two numbers alone, so every run has the same. No delay exceeds the
  /// maximum.
  func length(after failures: Int, of number: UInt64) -> Int64 {
    guard delay > 0 else { return 0 }
    let limit = Double(max(maximum, 0))
    var length = min(Double(delay), limit)
    if growth > 1 {
      var earlier = failures - 1
      while earlier > 0, length < limit {
        length = min(length * growth, limit)
        earlier -= 1
      }
    }
    let share = (isLeast ? 1 : 0.5) + 0.5 * Chance.fraction(number, UInt64(failures))
    length = min(length * share, limit)
    return Int64(saturating: length)
  }
}
