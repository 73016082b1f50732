import PoolModel

/// How long a run waits for those that read its streams, once nothing else is left to do.
///
/// It waits as long as they need. A run that is to end at once (the deadline, SIGTERM, a second
/// Ctrl-C) gives them one more second. After a first Ctrl-C it waits on, and says that it does:
/// outputs may be wanted, and a pager that is about to be read on is no mistake.
struct ReaderPatience: Hashable, Sendable {
  enum Advice: Hashable, Sendable {
    /// Wait until then, a time of `MonotonicClock`.
    case wait(until: Int64)
    /// Say what the run waits for, and note that.
    case tell
    case giveUp
  }

  /// How long readers have when the run is to end: 1 s.
  static let grace = Int64.seconds(1)

  /// When the run is to have ended at once.
  private var end = Int64.max
  /// When the user first asked for an end.
  private var askedAt: Int64?
  private var hasTold = false

  /// The user has asked the run to end.
  mutating func ask(at now: Int64) {
    askedAt = askedAt ?? now
  }

  /// The run is to end at that time.
  mutating func end(at time: Int64) {
    end = min(end, time)
  }

  /// It was said what the run waits for.
  mutating func noteTold() {
    hasTold = true
  }

  /// What the run does that has waited since a time for readers, whatever the end has given it.
  ///
  /// - Parameters:
  ///   - start: When nothing was left but to wait.
  ///   - grace: How long it waits at least.
  ///   - now: The time.
  /// - Returns: What to do now.
  func advice(since start: Int64, grace: Int64 = Self.grace, at now: Int64) -> Advice {
    let limit = end == .max ? .max : max(end, start) + grace
    if now >= limit { return .giveUp }
    guard let askedAt, !hasTold else { return .wait(until: limit) }
    let due = max(askedAt, start) + Self.grace
    if now < due { return .wait(until: min(due, limit)) }
    return .tell
  }
}
