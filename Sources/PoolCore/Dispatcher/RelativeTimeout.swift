/// A timeout that follows from how long others took, as GNU parallel's `--timeout 200%`.
package struct RelativeTimeout: Hashable, Sendable {
  /// So many hundredths of the median length of the executions that have succeeded.
  package var percent: Int

  /// How many must have succeeded before there is a median to speak of.
  package static let leastCount = 3

  package init(percent: Int) {
    self.percent = percent
  }
}

extension Int64 {
  init(clamping value: Double) {
    self = value < 0x1p62 ? Int64(value) : .max
  }
}
