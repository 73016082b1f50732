/// How long operations take, as measured in a run, by classes of operations that are alike.
///
/// An operation has a number of units, which is 1, or the nanoseconds that it was said to take:
/// what is measured then is by how much these are wrong.
package struct MeasuredDurations: Sendable {
  private struct Measurement {
    var sum = 0.0
    var units = 0.0
    /// The most nanoseconds that a unit took.
    var longest = 0.0
  }

  /// The class of operations whose duration was said.
  package static let said = 0

  private var measurements = [Measurement()]

  package init() {}

  /// How many classes there are.
  package var classCount: Int { measurements.count }

  /// Adds a class of which nothing is known.
  package mutating func addClass() {
    measurements.append(Measurement())
  }

  /// An operation of a class took so many nanoseconds.
  package mutating func add(_ duration: Double, units: Int64 = 1, to index: Int) {
    measurements[index].sum += duration
    measurements[index].units += Double(units)
    let each = duration / Double(max(units, 1))
    measurements[index].longest = max(measurements[index].longest, each)
  }

  /// How many nanoseconds an operation of a class will take; nil where nothing is known.
  package func expected(units: Int64 = 1, in index: Int) -> Int64? {
    let measurement = measurements[index]
    if measurement.units > 0 {
      return Self.rounded(measurement.sum / measurement.units * Double(units))
    }
    return index == Self.said ? units : nil
  }

  /// How many more nanoseconds one will take that has executed for some; nil where that is not
  /// known.
  ///
  /// What has taken more than a second, and twice as long as any of its class before, is of another
  /// kind than those.
  package func rest(units: Int64 = 1, in index: Int, after elapsed: Int64) -> Int64? {
    guard let expected = expected(units: units, in: index) else { return nil }
    let longest = max(Self.rounded(measurements[index].longest * Double(units)), expected)
    if elapsed > 1_000_000_000, elapsed / 2 > longest { return nil }
    return max(expected - elapsed, 0)
  }

  private static func rounded(_ nanoseconds: Double) -> Int64 {
    Int64(min(nanoseconds, 9e18))
  }
}
