/// A timeout relative to the durations of other operations, like GNU parallel's `--timeout 200%`.
package struct RelativeTimeout: Hashable, Sendable {
  /// Hundredths of the median duration of the successful executions.
  package var percent: Int

  /// Number of successful executions before the median counts.
  package static let leastCount = 3

  package init(percent: Int) {
    self.percent = percent
  }
}
