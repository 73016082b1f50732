import Synchronization

/// What the writer of a stream and its reader share.
///
/// A reader that has caught up with the writer suspends; one that has not takes an event without
/// suspending.
final class EventChannel<Kept: KeptEvent>: Sendable {
  typealias Reader = CheckedContinuation<Void, Never>

  private let state = Mutex(State())

  private struct State: ~Copyable {
    var events = EventBuffer<Kept>()
    var missedCount = 0
    var isOver = false
    /// Readers that wait for an event.
    var readers: [Reader] = []
  }

  /// How many events went because too many waited.
  var missedCount: Int { state.withLock { $0.missedCount } }

  /// Whether no event comes any more, as it has ended or has no reader.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Adds events; returns a reader that waits for them and must be resumed.
  func append(_ events: some Sequence<Kept>, isLast: Bool = false) -> Reader? {
    // Let go without the lock: they may keep operations.
    var missed: [Kept] = []
    return state.withLock { state in
      guard !state.isOver else { return nil }
      for event in events {
        if let oldest = state.events.append(event) { missed.append(oldest) }
      }
      state.missedCount += missed.count
      state.isOver = isLast
      return state.readers.popLast()
    }
  }

  /// No event comes any more; those that wait can still be read, unless the reader is gone.
  func finish(keepsEvents: Bool = true) {
    var unread = EventBuffer<Kept>()
    let readers = state.withLock { state in
      state.isOver = true
      if !keepsEvents { swap(&state.events, &unread) }
      defer { state.readers = [] }
      return state.readers
    }
    for reader in readers { reader.resume() }
  }

  /// The next event; nil at the end.
  func next(isolation actor: isolated (any Actor)? = #isolation) async -> Kept.Event? {
    while true {
      let (kept, isOver) = state.withLock { ($0.events.popFirst(), $0.isOver) }
      if kept != nil || isOver { return kept?.event }
      await waitForEvent()
    }
  }

  /// Returns when there may be an event, and at the end, which the task's cancellation is.
  private func waitForEvent(isolation actor: isolated (any Actor)? = #isolation) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { reader in
        let waits = state.withLock { state in
          guard !state.isOver, state.events.count == 0 else { return false }
          state.readers.append(reader)
          return true
        }
        if !waits { reader.resume() }
      }
    } onCancel: {
      finish()
    }
  }
}
