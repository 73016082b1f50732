import Synchronization

/// The state shared by the writer and the reader of a stream.
///
/// A reader that has read everything suspends; otherwise it takes an event without suspending.
///
/// `@unchecked Sendable`: the lock of the state guards the events, too. They are beside the state,
/// because the metadata of a lock of a generic type would be looked up for each channel that is
/// released.
final class EventChannel<Kept: CompactEvent>: @unchecked Sendable {
  private let state = Mutex(EventChannelState())
  @exclusivity(unchecked) private var events = EventRing<Kept>()

  /// Number of events that were dropped because too many waited.
  var missedCount: Int { state.withLock { $0.missedCount } }

  /// Whether no more events come, because the stream has ended or has no reader.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Adds events; returns a reader that waits for them and must be resumed.
  func append(_ added: some Sequence<Kept>, isLast: Bool = false) -> WaitingReader? {
    // Released outside the lock: they may hold operations.
    var missed: [Kept] = []
    let (first, others) = state.withLock { state -> (WaitingReader?, [WaitingReader]) in
      guard !state.isOver else { return (nil, []) }
      for event in added {
        if let oldest = events.append(event) { missed.append(oldest) }
      }
      state.missedCount += missed.count
      state.isOver = isLast
      let first = state.readers.popLast()
      guard isLast, !state.readers.isEmpty else { return (first, []) }
      defer { state.readers = [] }
      return (first, state.readers)
    }
    for reader in others { reader.resume() }
    return first
  }

  /// No more events come; waiting ones can still be read, unless the reader is gone.
  func finish(keepsEvents: Bool = true) {
    var unread = EventRing<Kept>()
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

  /// Returns when there may be an event, and at the end; cancelling the task counts as the end.
  func waitForEvent(isolation actor: isolated (any Actor)? = #isolation) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let reader = WaitingReader(continuation)
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
  var readers: [WaitingReader] = []
}

/// A reader that waits for an event.
///
/// A class, because the metadata of an optional continuation would be looked up for each event,
/// although no reader waits for most.
final class WaitingReader: Sendable {
  private let continuation: CheckedContinuation<Void, Never>

  init(_ continuation: CheckedContinuation<Void, Never>) {
    self.continuation = continuation
  }

  func resume() { continuation.resume() }
}
