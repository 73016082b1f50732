/// The streams of events of one operation, of one queue's operations, or of one fleet.
///
/// Each event has the number of its effect. A stream does not get an event that was
/// decided before the stream was created, even if it is reported later.
struct EventStreams<Kept: CompactEvent>: Sendable {
  typealias Writer = EventWriter<Kept>

  private struct Entry: Sendable {
    let writer: Writer
    let firstEffect: Int
    /// The operation's state that the stream was told, or knew from the beginning.
    var state: PoolOperation.State?
  }

  private var entries = ShortList<Entry>()
  /// At this number of streams, those that are over are removed before one more is added.
  private var limit = 4

  var isEmpty: Bool { entries.isEmpty }

  /// Number of streams, including those that are over and not yet removed.
  var count: Int { entries.count }

  /// Adds a stream; amortised O(1).
  mutating func add(
    _ writer: Writer,
    from firstEffect: Int,
    in state: PoolOperation.State? = nil
  ) {
    if entries.count >= limit {
      removeOver()
      limit = max(limit, entries.count * 2)
    }
    entries.append(Entry(writer: writer, firstEffect: firstEffect, state: state))
  }

  /// Removes the streams that have no reader any longer; O(streams).
  mutating func removeOver() {
    entries.removeAll { $0.writer.isOver }
  }

  /// Removes all streams; returns them.
  mutating func removeAll() -> [Writer] {
    defer { entries = ShortList() }
    return entries.elements.map(\.writer)
  }

  /// Sends a transition with its effect's number to the streams.
  func tell(_ event: Kept, _ effect: Int) {
    for entry in entries.elements where entry.firstEffect <= effect { entry.writer.yield(event) }
  }

  /// Sends the transitions of a turn to the streams, in the order of the effects; called on a copy,
  /// without a lock.
  func tell(_ events: [(effect: Int, event: Kept)], at turnEnd: TurnEnd) {
    for entry in entries.elements {
      let first = events.firstIndex { $0.effect >= entry.firstEffect } ?? events.count
      entry.writer.yield(events[first...].lazy.map { $0.event }, at: turnEnd)
    }
  }

  /// Sends a transition of the one operation to its streams, unless they know the new state
  /// already.
  ///
  /// May be called under a lock: the event holds no operation, and readers are woken later.
  mutating func tell(
    _ event: Kept,
    to state: PoolOperation.State?,
    _ effect: Int,
    at turnEnd: TurnEnd
  ) {
    entries.changeEach { entry in
      guard entry.firstEffect <= effect else { return }
      if let state {
        guard entry.state != state else { return }
        entry.state = state
      }
      entry.writer.yield(CollectionOfOne(event), at: turnEnd)
    }
  }

  /// Tells the streams of the end, and lets go of them; under a lock as above.
  mutating func end(with event: @autoclosure () -> Kept, at turnEnd: TurnEnd) {
    guard !isEmpty else { return }
    let event = event()
    entries.changeEach { $0.writer.finish(with: event, at: turnEnd) }
    entries = ShortList()
  }
}

extension PoolTransition {
  /// The state after the transition, if it changes the state.
  var state: PoolOperation.State? {
    switch self {
    case .ready: .ready
    case .pending: .pending
    case .executing: .executing
    case .finished: .finished
    case .progressed, .logged, .retrying, .cancelled: nil
    }
  }
}
