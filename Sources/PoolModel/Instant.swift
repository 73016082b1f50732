/// A point on the monotonic time line of one run, without a clock.
///
/// Inlinable, because the hot path compares and passes instants in several modules.
@usableFromInline
package struct Instant: Hashable, Sendable, Comparable {
  /// Nanoseconds since the pool was made.
  @usableFromInline package var nanoseconds: Int64

  @inlinable package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The instant at which the pool was made.
  @inlinable package static var zero: Self { Self(nanoseconds: 0) }

  /// An instant that never comes.
  @inlinable package static var distantFuture: Self { Self(nanoseconds: .max) }

  @inlinable package static func < (left: Self, right: Self) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The instant that many nanoseconds later; `distantFuture` on overflow.
  @inlinable package func advanced(by nanoseconds: Int64) -> Self {
    let (sum, overflow) = self.nanoseconds.addingReportingOverflow(nanoseconds)
    return overflow ? .distantFuture : Self(nanoseconds: sum)
  }

  /// The time since the pool was made.
  package var duration: Duration { .nanoseconds(nanoseconds) }

  /// Seconds since the pool was made.
  package var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension Int64 {
  /// That many milliseconds, in nanoseconds; saturates.
  ///
  /// Inlinable, so that constants made of it need no initialisation at run time.
  @inlinable package static func milliseconds(_ count: Int) -> Int64 {
    let (product, overflow) = Int64(count).multipliedReportingOverflow(by: 1_000_000)
    return overflow ? .max : product
  }

  /// The duration in nanoseconds; saturates, and none below zero.
  package static func nanoseconds(of duration: Duration) -> Int64 {
    guard duration > .zero else { return 0 }
    let (seconds, attoseconds) = duration.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowsToo) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || overflowsToo ? .max : sum
  }

  /// That many seconds, in nanoseconds; saturates.
  package static func seconds(_ count: Double) -> Int64 {
    let product = count * 1e9
    if product < -9.2e18 { return .min }
    return product < 9.2e18 ? Int64(product) : .max
  }
}
