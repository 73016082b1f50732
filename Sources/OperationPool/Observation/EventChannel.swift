import Synchronization

/// The state shared by the writer and the reader of a stream.
///
/// A reader that has read everything suspends; otherwise it takes an event without suspending.
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

  /// Number of events that were dropped because too many waited.
  var missedCount: Int { state.withLock { $0.missedCount } }

  /// Whether no more events come, because the stream has ended or has no reader.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Adds events; returns a reader that waits for them and must be resumed.
  func append(_ events: some Sequence<Kept>, isLast: Bool = false) -> Reader? {
    // Released outside the lock: they may hold operations.
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

  /// No more events come; waiting ones can still be read, unless the reader is gone.
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

  /// Returns when there may be an event, and at the end; cancelling the task counts as the end.
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
