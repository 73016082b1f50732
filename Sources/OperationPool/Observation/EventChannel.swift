import Synchronization

/// An event behind a reference: all streams that are told it share one, and to move it is to move a
/// word, which a tuple of an operation and its transition is not.
final class BoxedEvent<Element: Sendable>: Sendable {
  let event: Element

  init(_ event: consuming Element) {
    self.event = event
  }
}

/// What the writer of a stream and its reader share.
///
/// A reader that has caught up with the writer suspends; one that has not takes an event without
/// suspending.
final class EventChannel<Element: Sendable>: Sendable {
  typealias Reader = CheckedContinuation<Void, Never>

  private let state = Mutex(State())

  private struct State: ~Copyable {
    var events = EventBuffer<BoxedEvent<Element>>()
    var missedCount = 0
    var isOver = false
    /// Readers that wait for an event.
    var readers: [Reader] = []
    var whenOver: (@Sendable () -> Void)?
  }

  /// How many events went because too many waited.
  var missedCount: Int { state.withLock { $0.missedCount } }

  /// Adds an event; returns a reader that waits for it and must be resumed.
  func append(_ event: BoxedEvent<Element>, isLast: Bool = false) -> Reader? {
    var (missed, reader): (BoxedEvent<Element>?, Reader?)
    let whenOver: (@Sendable () -> Void)? = state.withLock { state in
      guard !state.isOver else { return nil }
      missed = state.events.append(event)
      if missed != nil { state.missedCount += 1 }
      reader = state.readers.popLast()
      guard isLast else { return nil }
      state.isOver = true
      return state.whenOver.take()
    }
    // Let go without the lock: it may keep an operation.
    _ = consume missed
    whenOver?()
    return reader
  }

  /// No event comes any more; those that wait can still be read, unless the reader is gone.
  func finish(keepsEvents: Bool = true) {
    var unread = EventBuffer<BoxedEvent<Element>>()
    let (readers, whenOver) = state.withLock { state in
      state.isOver = true
      if !keepsEvents { swap(&state.events, &unread) }
      defer { state.readers = [] }
      return (state.readers, state.whenOver.take())
    }
    for reader in readers { reader.resume() }
    whenOver?()
  }

  /// Has a closure called when no event comes any more.
  func whenOver(_ body: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      if !state.isOver { state.whenOver = body }
      return state.isOver
    }
    if isOver { body() }
  }

  /// The next event; nil at the end.
  func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
    while true {
      let (event, isOver) = state.withLock { ($0.events.popFirst(), $0.isOver) }
      if event != nil || isOver { return event?.event }
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

/// The readers that the events of one turn of the loop wake, at its end: each once, and then it
/// finds all of them.
final class ReaderWakeUps: Sendable {
  private let readers = Mutex<[CheckedContinuation<Void, Never>]>([])

  func append(_ reader: CheckedContinuation<Void, Never>) {
    readers.withLock { $0.append(reader) }
  }

  /// Wakes them.
  func wakeAll() {
    let readers = readers.withLock { readers -> [CheckedContinuation<Void, Never>] in
      guard !readers.isEmpty else { return [] }
      defer { readers = [] }
      return readers
    }
    for reader in readers { reader.resume() }
  }
}
