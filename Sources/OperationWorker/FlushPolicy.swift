/// When a worker sends what waits in its outbox, while operations follow each other.
///
/// What is sent wakes the coordinator, on a processor that has work to do. While the worker holds
/// enough, nobody needs to know soon what has ended: then it sends when it has begun a third as
/// many as it still holds, and 100 µs have passed since, or when the outbox is full, and the I/O
/// thread sends what is late by then. So the clock is not looked at for most operations either.
struct FlushPolicy {
  /// How long it goes on then without sending: 100 µs.
  static let patience: Int64 = 100_000
  /// More than our own coordinator ever has a worker hold: with more, too, the I/O thread finds
  /// that the executor reads by itself.
  static let most = 1_024

  /// How many operations have begun since something was sent.
  private var begun = 0
  /// When the clock was looked at first since then.
  private var start: Int64?

  /// An operation begins, behind which so many are held; returns whether to send.
  mutating func begin(held: Int, now: () -> Int64) -> Bool {
    begun += 1
    guard begun * 3 > min(held, Self.most) else { return false }
    let now = now()
    guard let start else {
      start = now
      return false
    }
    return now - start >= Self.patience
  }

  /// Everything was sent.
  mutating func reset() { self = Self() }
}
