import Synchronization

/// Whether the event loop works or waits, and how other threads end its waiting.
///
/// It changes only under the engine's lock. Other threads change what the loop must see under the
/// same lock, before ``wake()``: so the loop either sees the change before it waits, or is woken.
enum WakeState: UInt8, AtomicRepresentable, CaseIterable {
  /// The loop works, and will look for changes before it waits.
  case awake
  /// The loop spins: it reads this state again and again.
  case spinning
  /// The loop sleeps until its pipe is written, a descriptor is ready or a deadline passes.
  case asleep

  /// Something has changed; returns whether the caller must write to the pipe, after releasing the
  /// lock.
  mutating func wake() -> Bool {
    defer { self = .awake }
    return self == .asleep
  }

  /// The loop is about to wait: it spins first, or sleeps at once.
  mutating func beginWaiting(spinning: Bool) {
    self = spinning ? .spinning : .asleep
  }

  /// The loop ends its spinning; returns whether it may sleep: not if it was woken meanwhile.
  mutating func fallAsleep() -> Bool {
    guard self == .spinning else { return false }
    self = .asleep
    return true
  }
}
