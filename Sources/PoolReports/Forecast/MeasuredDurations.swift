import PoolModel

/// Measured durations of a run, by classes of similar operations.
///
/// An operation has a number of units: 1, or its expected duration in nanoseconds. In the second
/// case the measurement is the ratio between the real and the expected duration.
package struct MeasuredDurations: Sendable {
  private struct Measurement {
    var sum = 0.0
    var units = 0.0
    /// The longest time of a unit, in nanoseconds.
    var longest = 0.0
  }

  /// The class of operations with an expected duration.
  package static let said = 0

  private var measurements = [Measurement()]

  package init() {}

  /// Number of classes.
  package var classCount: Int { measurements.count }

  /// Adds a class without measurements.
  package mutating func addClass() {
    measurements.append(Measurement())
  }

  /// Adds the duration of an operation of a class, in nanoseconds.
  package mutating func add(_ duration: Double, units: Int64 = 1, to index: Int) {
    measurements[index].sum += duration
    measurements[index].units += Double(units)
    let each = duration / Double(max(units, 1))
    measurements[index].longest = max(measurements[index].longest, each)
  }

  /// Expected nanoseconds of an operation of a class; nil without a measurement.
  package func expected(units: Int64 = 1, in index: Int) -> Int64? {
    let measurement = measurements[index]
    if measurement.units > 0 {
      return Int64(saturating: measurement.sum / measurement.units * Double(units))
    }
    return index == Self.said ? units : nil
  }

  /// Expected remaining nanoseconds of an operation that executes for `elapsed`; nil if unknown.
  ///
  /// It is unknown for an operation that has taken more than a second, and twice as long as any
  /// other of its class.
  package func rest(units: Int64 = 1, in index: Int, after elapsed: Int64) -> Int64? {
    guard let expected = expected(units: units, in: index) else { return nil }
    let longest = max(Int64(saturating: measurements[index].longest * Double(units)), expected)
    if elapsed > 1_000_000_000, elapsed / 2 > longest { return nil }
    return max(expected.saturatingDifference(elapsed), 0)
  }
}
