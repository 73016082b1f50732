import PoolEvents
import PoolModel

/// The time after a start in which `--delay` holds back the next one.
struct StartDelay {
  /// Nanoseconds; 0 where starts need not be apart.
  private let length: Int64
  /// When the next operation may start.
  private var end = Instant.zero

  init(_ history: RunHistory) { length = history.began?.delay ?? 0 }

  /// An attempt has started.
  mutating func noteStart(at time: Instant) {
    if length > 0 { end = max(end, time.advanced(by: length)) }
  }

  /// Whether nothing may start at that moment.
  func holds(at time: Instant) -> Bool { time < end }

  /// When something may start again, if that is later than a moment, and no later than the other.
  func next(after now: Instant, until time: Instant) -> Instant? {
    now < end && end <= time ? end : nil
  }
}
