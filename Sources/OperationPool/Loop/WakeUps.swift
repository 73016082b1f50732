import PoolSystem
import Synchronization

/// The event loop's waiting, and the wake-ups that end it.
///
/// The engine's lock guards it; ``Flag/isAwake`` alone is asked without.
struct WakeUps: ~Copyable {
  /// What the loop does, as it sees that itself without the lock while it listens.
  final class Flag: Sendable {
    fileprivate let state = Atomic(WakeState.awake)

    /// Whether the loop was woken.
    var isAwake: Bool { state.load(ordering: .acquiring) == .awake }
  }

  let flag = Flag()
  /// What wakes a loop that sleeps; nil while there is no loop.
  private var pipe: WakePipe?

  /// Whether there is an event loop.
  var hasLoop: Bool { pipe != nil }

  /// What the loop does.
  var state: WakeState { flag.state.load(ordering: .relaxed) }

  /// A loop begins, which works at first; false where there is one already.
  mutating func beginLoop(_ newPipe: WakePipe) -> Bool {
    guard pipe == nil else { return false }
    pipe = newPipe
    return true
  }

  /// The loop has ended.
  mutating func endLoop() {
    stayAwake()
    pipe = nil
  }

  /// There is something new; returns the pipe that must be written, once the lock is free, to wake
  /// the loop.
  func wake() -> WakePipe? {
    // Mostly the loop works; then nothing need be changed.
    guard state != .awake, change({ $0.wake() }) else { return nil }
    return pipe
  }

  /// The loop goes on without waiting.
  func stayAwake() {
    flag.state.store(.awake, ordering: .relaxed)
  }

  /// The loop is about to wait; see ``WakeState/beginWaiting(listening:)``.
  func beginWaiting(listening: Bool) {
    change { $0.beginWaiting(listening: listening) }
  }

  /// The loop gives up listening; returns whether it may sleep.
  func fallAsleep() -> Bool {
    change { $0.fallAsleep() }
  }

  private func change<Value>(_ body: (inout WakeState) -> Value) -> Value {
    var changed = state
    defer { flag.state.store(changed, ordering: .releasing) }
    return body(&changed)
  }
}
