/// Spans of time as people read them.
package enum DurationFormat {
  /// Minutes and seconds, with hours if there are any: `0:07`, `12:34`, `1:02:03`.
  package static func clock(_ nanoseconds: Int64) -> String {
    let seconds = max(nanoseconds, 0) / 1_000_000_000
    let rest = twoDigits(seconds % 60)
    let minutes = seconds / 60
    return minutes < 60
      ? "\(minutes):\(rest)" : "\(minutes / 60):\(twoDigits(minutes % 60)):\(rest)"
  }

  /// Seconds with one decimal below 100 s, otherwise as a clock shows them: `3.2 s`, `1:40`.
  package static func rough(_ nanoseconds: Int64) -> String {
    let tenths = (max(nanoseconds, 0) / 10_000_000 + 5) / 10
    return tenths < 1_000 ? "\(tenths / 10).\(tenths % 10) s" : clock(nanoseconds)
  }

  private static func twoDigits(_ value: Int64) -> String {
    value < 10 ? "0\(value)" : "\(value)"
  }
}
