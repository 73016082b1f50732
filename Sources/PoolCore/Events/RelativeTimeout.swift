import PoolModel

/// A timeout relative to the durations of other operations, like GNU parallel's `--timeout 200%`.
package struct RelativeTimeout: Hashable, Sendable {
  /// Hundredths of the median duration of the successful executions.
  package var percent: Int

  /// Number of successful executions before the median counts.
  package static let leastCount = 3

  /// The shortest limit, in nanoseconds: one second.
  ///
  /// The median is what workers have measured; until the coordinator hears of an end, the messages
  /// and the system's scheduling take their time, too. On a machine with other work that is longer
  /// than many a command.
  package static let shortest = Int64.seconds(1)

  package init(percent: Int) {
    self.percent = percent
  }

  /// Nanoseconds that an execution may take where others took that many.
  package func limit(of median: Int64) -> Int64 {
    max(Int64(saturating: Double(median) * Double(percent) / 100), Self.shortest)
  }
}
