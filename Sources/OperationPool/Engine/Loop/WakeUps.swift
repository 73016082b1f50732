import PoolSystem
import Synchronization

/// The event loop's waiting, and the wake-ups that end it.
///
/// Guarded by the engine's lock; only ``Flag/isAwake`` is read without it.
struct WakeUps: ~Copyable {
  /// The loop's state, which the loop reads without the lock while it spins.
  final class Flag: Sendable {
    fileprivate let state = Atomic(WakeState.awake)

    /// Whether the loop was woken.
    var isAwake: Bool { state.load(ordering: .acquiring) == .awake }
  }

  let flag = Flag()
  /// The pipe that wakes a sleeping loop; nil while there is no loop.
  private var pipe: WakePipe?

  /// Whether there is an event loop.
  var hasLoop: Bool { pipe != nil }

  /// What the loop does.
  var state: WakeState { flag.state.load(ordering: .relaxed) }

  /// A loop begins, in the state `awake`; false if there is one already.
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

  /// Something has changed; returns the pipe to which the caller must write, after releasing the
  /// lock, to wake the loop.
  func wake() -> WakePipe? {
    // Mostly the loop works, and no change is needed.
    guard state != .awake, change({ $0.wake() }) else { return nil }
    return pipe
  }

  /// The loop goes on without waiting.
  func stayAwake() {
    flag.state.store(.awake, ordering: .relaxed)
  }

  /// The loop is about to wait; see ``WakeState/beginWaiting(spinning:)``.
  func beginWaiting(spinning: Bool) {
    change { $0.beginWaiting(spinning: spinning) }
  }

  /// The loop ends its spinning; returns whether it may sleep.
  func fallAsleep() -> Bool {
    change { $0.fallAsleep() }
  }

  private func change<Value>(_ body: (inout WakeState) -> Value) -> Value {
    var changed = state
    defer { flag.state.store(changed, ordering: .releasing) }
    return body(&changed)
  }
}
