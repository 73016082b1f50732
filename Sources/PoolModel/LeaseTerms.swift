/// How long a worker that may be on another machine lives without an answer of its coordinator.
///
/// The worker's side reads its clock before it sends a request, and only the answer to that request
/// moves the end, to then and the length. The coordinator reads its clock after it has read the
/// request. So what it believes of the worker's end is later than the end, whatever was under way
/// how long, as long as the clocks run at about the same speed.
package struct LeaseTerms: Hashable, Sendable {
  /// Nanoseconds from a request that is answered to the end.
  package let length: Int64

  /// A length in nanoseconds, at least ``least``.
  package init(length: Int64) {
    self.length = max(length, Self.least)
  }

  /// 300 s: a job of hours does not die with a short outage.
  package static let usual = Self(length: .seconds(300))
  /// A day: what was stopped on purpose does not die with a lunch break.
  package static let stopped = Self(length: .seconds(86_400))
  /// 5 s: what is executed is killed 2 s before the end, and a link may be slow.
  package static let least = Int64.seconds(5)

  /// The same in milliseconds, as the protocol has it.
  package var milliseconds: Int { Int(length / 1_000_000) }

  /// Nanoseconds after which, by another clock, the worker has certainly ended: each of the two
  /// clocks may be slewed by 8 %.
  package var doubt: Int64 { length.saturatingSum(length / 5).saturatingSum(.seconds(1)) }

  /// Nanoseconds between two requests.
  package var interval: Int64 { min(length / 10, .seconds(10)) }

  /// Nanoseconds behind a request that was answered, from which on nothing new begins.
  package var half: Int64 { length / 2 }
}
