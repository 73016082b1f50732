import Synchronization

/// Whether the event loop works or waits, and how other threads end its waiting.
///
/// It changes under the engine's lock only. What the loop must know is changed under the same lock,
/// before ``wake()``: so the loop either sees it before it waits, or is woken.
enum WakeState: UInt8, AtomicRepresentable, CaseIterable {
  /// The loop works, and looks for what is new before it waits.
  case awake
  /// The loop waits, and looks at this state again and again.
  case listening
  /// The loop waits until its pipe is written, or a descriptor or a deadline wants it.
  case asleep

  /// There is something new; returns whether the pipe must be written, without the lock.
  mutating func wake() -> Bool {
    defer { self = .awake }
    return self == .asleep
  }

  /// The loop is about to wait: it listens first, or sleeps at once.
  mutating func beginWaiting(listening: Bool) {
    self = listening ? .listening : .asleep
  }

  /// The loop has listened for long enough; returns whether it may sleep, which is not so if it was
  /// woken meanwhile.
  mutating func fallAsleep() -> Bool {
    guard self == .listening else { return false }
    self = .asleep
    return true
  }
}
