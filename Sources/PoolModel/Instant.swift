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
    Self(nanoseconds: self.nanoseconds.saturatingSum(nanoseconds))
  }

  /// The time since the pool was made.
  package var duration: Duration { .nanoseconds(nanoseconds) }

  /// Seconds since the pool was made.
  package var seconds: Double { Double(nanoseconds) / 1e9 }
}
