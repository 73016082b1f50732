import PoolModel

/// How long a run waits for the readers of its streams, when only they are left.
///
/// It waits for as long as they need. If the run must end at once (deadline, SIGTERM, second
/// Ctrl-C), it waits one more second. After a first Ctrl-C it waits on, and says so: the outputs
/// may be wanted, and a paused pager is not a mistake.
struct SlowReaderPolicy: Hashable, Sendable {
  enum Advice: Hashable, Sendable {
    /// Wait until then, a time of `MonotonicClock`.
    case wait(until: Int64)
    /// Tell the user what the run waits for, and call `noteTold()`.
    case tell
    case giveUp
  }

  /// Nanoseconds for readers when the run must end: 1 s.
  static let grace = Int64.seconds(1)

  /// When the run must end.
  private var end = Int64.max
  /// When the user first asked for the end.
  private var askedAt: Int64?
  private var hasReported = false

  /// The user has asked for the end of the run.
  mutating func ask(at now: Int64) {
    askedAt = askedAt ?? now
  }

  /// The run must end at that time.
  mutating func end(at time: Int64) {
    end = min(end, time)
  }

  /// The user was told what the run waits for.
  mutating func noteTold() {
    hasReported = true
  }

  /// The next step of a run that waits for readers.
  ///
  /// - Parameters:
  ///   - start: When only the readers were left.
  ///   - grace: How long it waits at least.
  ///   - now: The time.
  /// - Returns: The next step.
  func advice(since start: Int64, grace: Int64 = Self.grace, at now: Int64) -> Advice {
    let limit = end == .max ? .max : max(end, start).saturatingSum(grace)
    if now >= limit { return .giveUp }
    guard let askedAt, !hasReported else { return .wait(until: limit) }
    let due = max(askedAt, start) + Self.grace
    if now < due { return .wait(until: min(due, limit)) }
    return .tell
  }
}
