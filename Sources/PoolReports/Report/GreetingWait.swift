import PoolModel

/// Tells the user once that nothing executes because workers have not greeted yet.
package struct GreetingWait {
  /// What gives workers more time.
  package static let advice = "--worker-start TIME gives workers longer"

  /// Nanoseconds that workers may need before the user is told: 5 s.
  package static let patience = Int64.seconds(5)

  /// When to look again, in nanoseconds of a monotonic clock; nil for never.
  package private(set) var nextAt: Int64?

  /// Starts at a moment of the clock; `isWanted` says whether the user wants the message.
  package init(from start: Int64, isWanted: Bool) {
    nextAt = isWanted ? start.saturatingSum(Self.patience) : nil
  }

  /// The message that is due; nil for none.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - places: The user's workers, named by their options.
  ///   - isKnown: Whether all workers have announced what they serve.
  /// - Returns: The message.
  package mutating func message(
    at now: Int64,
    _ places: [PlaceState],
    isKnown: Bool
  ) -> String? {
    guard let due = nextAt, now >= due else { return nil }
    nextAt = isKnown ? nil : now.saturatingSum(Self.patience)
    guard !isKnown, let place = places.first(where: { $0.starting > 0 }) else { return nil }
    nextAt = nil
    let workers = place.starting == 1 ? "1 worker" : "\(place.starting) workers"
    return place.isPending
      ? "\(place.name)waiting for \(workers) to greet, however long that takes; "
        + "--worker-start TIME sets a limit"
      : "\(place.name)waiting for \(workers) to greet; \(Self.advice)"
  }
}
