import Synchronization

/// What the writer of a stream and its reader share.
///
/// A reader that has caught up with the writer suspends; one that has not takes an event without
/// suspending.
///
/// `@unchecked Sendable`: the lock of the state guards the events, too. They are beside it, because
/// a lock of a generic type would be looked up whenever a channel is let go.
final class EventChannel<Kept: KeptEvent>: @unchecked Sendable {
  typealias Reader = CheckedContinuation<Void, Never>

  private let state = Mutex(EventChannelState())
  @exclusivity(unchecked) private var events = EventBuffer<Kept>()

  /// How many events went because too many waited.
  var missedCount: Int { state.withLock { $0.missedCount } }

  /// Whether no event comes any more, as it has ended or has no reader.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Adds events; returns a reader that waits for them and must be resumed.
  func append(_ added: some Sequence<Kept>, isLast: Bool = false) -> Reader? {
    // Let go without the lock: they may keep operations.
    var missed: [Kept] = []
    return state.withLock { state in
      guard !state.isOver else { return nil }
      for event in added {
        if let oldest = events.append(event) { missed.append(oldest) }
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
      if !keepsEvents { swap(&events, &unread) }
      defer { state.readers = [] }
      return state.readers
    }
    for reader in readers { reader.resume() }
  }

  /// The next event, nil at the end; a second nil around it where none has come yet.
  func poll() -> Kept.Event?? {
    let (kept, isOver) = state.withLock { (events.popFirst(), $0.isOver) }
    if let kept { return .some(kept.event) }
    return isOver ? .some(nil) : nil
  }

  /// Returns when there may be an event, and at the end, which the task's cancellation is.
  func waitForEvent(isolation actor: isolated (any Actor)? = #isolation) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { reader in
        let waits = state.withLock { state in
          guard !state.isOver, events.count == 0 else { return false }
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

/// What a channel has beside its events.
private struct EventChannelState {
  var missedCount = 0
  var isOver = false
  /// Readers that wait for an event.
  var readers: [CheckedContinuation<Void, Never>] = []
}
