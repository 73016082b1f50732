/// Decides when a worker sends the messages in its outbox, while operations follow each other.
///
/// Sending wakes the coordinator, on a processor that has work to do. While the worker has enough
/// operations, the coordinator need not know soon which have ended: the worker sends when it has
/// begun a third as many operations as are still prefetched, and 100 µs have passed since the last
/// time, or when the outbox is full. The I/O thread sends messages that are late by then. So most
/// operations do not read the clock either.
struct FlushPolicy {
  /// How long it goes on without sending: 100 µs.
  static let delay: Int64 = 100_000
  /// As many operations as our own coordinator prefetches at most.
  ///
  /// The limit makes the main thread send, and glance at its input, even if another coordinator
  /// sends more operations: otherwise the I/O thread would take over.
  static let most = 1_024

  /// Number of operations that have begun since the last send.
  private var begun = 0
  /// When the clock was first read since then.
  private var start: Int64?

  /// An operation begins, with this number of further ones prefetched; returns whether to send.
  mutating func begin(prefetched: Int, now: () -> Int64) -> Bool {
    begun += 1
    guard begun * 3 > min(prefetched, Self.most) else { return false }
    let now = now()
    guard let start else {
      start = now
      return false
    }
    return now - start >= Self.delay
  }

  /// Everything was sent.
  mutating func reset() { self = Self() }
}
