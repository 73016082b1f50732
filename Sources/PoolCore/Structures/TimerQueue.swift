import PoolModel

/// When to look next at each of many things: a heap with at most one entry for each.
///
/// A timer may fire too early, never too late. Moving a deadline back costs nothing: the old entry
/// fires first, and the caller then looks at its key and arms it again. So a stream of deadlines
/// that are met costs no heap operation for each.
struct TimerQueue<Key: SlabHandle> {
  private struct Timer: IndexedHeapEntry {
    var at: Instant
    var member: Key

    /// Ties are broken by the key, so that timers fire in the same order in every run.
    static func < (left: Self, right: Self) -> Bool {
      (left.at.nanoseconds, left.member.offset) < (right.at.nanoseconds, right.member.offset)
    }
  }

  private var heap = IndexedHeap<Timer>()

  /// The earliest timer.
  var next: Instant? { heap.first?.at }

  /// Whether the key's timer fires by then.
  func fires(_ key: Key, by nanoseconds: Int64) -> Bool {
    heap.entry(of: key).map { $0.at.nanoseconds <= nanoseconds } ?? false
  }

  /// Makes the timer of a key fire no later than at this instant.
  mutating func arm(_ key: Key, at instant: Instant) {
    heap.lower(to: Timer(at: instant, member: key))
  }

  /// Takes the next key whose timer is due; the caller must look at it and arm it again.
  mutating func popDue(at now: Instant) -> Key? {
    guard let first = heap.first, first.at <= now else { return nil }
    heap.remove(first.member)
    return first.member
  }
}
