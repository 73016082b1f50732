import PoolModel

/// How long to wait before something is tried again that went wrong, longer each time.
struct BackOff: Hashable, Sendable {
  /// Nanoseconds before the first time; 0 for none.
  var delay: Int64
  /// By how much each delay is longer than the one before; less than 1 counts as 1.
  var growth: Double
  /// The longest delay, in nanoseconds.
  var maximum: Int64
  /// Whether the delay is the least that must pass, where somebody has asked for it.
  var isLeast = false

  /// Nanoseconds to wait after so many failures in a row of whatever has this number.
  ///
  /// Each delay is shortened to between a half and the whole of itself, or made longer by up to a
  /// half where it is the least, so that what failed together does not come back together; by how
  /// much follows from the two numbers alone, so that every run does the same. None is longer than
  /// the maximum.
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
    // A double cannot hold the largest integer.
    return length >= 0x1p62 ? 1 << 62 : Int64(length)
  }
}
