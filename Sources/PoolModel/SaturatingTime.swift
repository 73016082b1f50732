// The arithmetic of times that come from users, files, workers and clocks, which may be any number:
// what is too large or too small becomes the largest or the smallest number.
//
// Inlinable, so that constants made of it need no initialisation at run time.

extension Int64 {
  /// The sum; saturates.
  @inlinable package func saturatingSum(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min) : sum
  }

  /// The difference; saturates.
  @inlinable package func saturatingDifference(_ other: Self) -> Self {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }

  /// The product; saturates.
  @inlinable package func saturatingProduct(_ other: Self) -> Self {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
  }

  /// The number without its fraction; saturates, and what is no number becomes zero.
  @inlinable package init(saturating value: Double) {
    // No `Double` lies between the largest `Int64` and 2^63.
    if value >= 0x1p63 {
      self = .max
    } else if value <= -0x1p63 {
      self = .min
    } else {
      self = value.isNaN ? 0 : Self(value)
    }
  }

  /// That many milliseconds, in nanoseconds; saturates.
  @inlinable package static func milliseconds(_ count: Int) -> Int64 {
    Int64(count).saturatingProduct(1_000_000)
  }

  /// That many microseconds, in nanoseconds; saturates.
  package static func microseconds(_ count: Int64) -> Int64 { count.saturatingProduct(1_000) }

  /// That many seconds, in nanoseconds; saturates, and what is no number has no end.
  package static func seconds(_ count: Double) -> Int64 {
    count.isNaN ? .max : Int64(saturating: count * 1e9)
  }

  /// Whole seconds and nanoseconds, as the system gives a time; saturates.
  package static func nanoseconds(seconds: Int, and nanoseconds: Int) -> Int64 {
    Int64(seconds).saturatingProduct(1_000_000_000).saturatingSum(Int64(nanoseconds))
  }

  /// The duration in nanoseconds; saturates, and none below zero.
  package static func nanoseconds(of duration: Duration) -> Int64 {
    guard duration > .zero else { return 0 }
    let (seconds, attoseconds) = duration.components
    return seconds.saturatingProduct(1_000_000_000).saturatingSum(attoseconds / 1_000_000_000)
  }
}
