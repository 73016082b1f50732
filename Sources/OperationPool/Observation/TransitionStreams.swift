/// The streams that transitions of one operation, or of one queue's operations, go to.
///
/// Transitions come with the number of the effect that told them. What was decided before a
/// stream was asked for, though it is told later, is none of that stream's business.
struct TransitionStreams<Kept: KeptEvent>: Sendable {
  typealias Writer = EventWriter<Kept>

  private struct Entry: Sendable {
    let writer: Writer
    let firstEffect: Int
    /// What it was told of the operation's state, or knows from the beginning.
    var state: PoolOperation.State?
  }

  private var entries = ShortList<Entry>()
  /// So many streams are looked through for those that are over, before one more is added.
  private var limit = 4

  var isEmpty: Bool { entries.isEmpty }

  /// Number of streams, with those that are over and not let go yet.
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

  /// Lets go of the streams that have no reader any more; O(streams).
  mutating func removeOver() {
    entries.removeAll { $0.writer.isOver }
  }

  /// Lets go of all.
  mutating func removeAll() -> [Writer] {
    defer { entries = ShortList() }
    return entries.elements.map(\.writer)
  }

  /// Tells the streams what an effect tells.
  func tell(_ event: Kept, _ effect: Int) {
    for entry in entries.elements where entry.firstEffect <= effect { entry.writer.yield(event) }
  }

  /// Tells the streams what a turn has told, in the order of the effects; called on a copy, without a
  /// lock.
  func tell(_ events: [(effect: Int, event: Kept)], at turnEnd: TurnEnd) {
    for entry in entries.elements {
      let first = events.firstIndex { $0.effect >= entry.firstEffect } ?? events.count
      entry.writer.yield(events[first...].lazy.map { $0.event }, at: turnEnd)
    }
  }

  /// Tells the streams of a transition of the one operation that they follow, unless they know the
  /// state that it leads to.
  ///
  /// May be called under a lock: the event keeps no operation, and readers are woken later.
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
  /// The state that it leads to, if it leads to another one.
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
