/// The streams that transitions of one operation, or of one queue's operations, go to.
///
/// Transitions come with the number of the effect that told them. What was decided before a
/// stream was asked for, though it is told later, is none of that stream's business.
struct TransitionStreams<Element: Sendable>: Sendable {
  typealias Writer = PoolEventStream<Element>.Writer

  private struct Entry: Sendable {
    let number: Int
    let writer: Writer
    let firstEffect: Int
    /// What it was told of the operation's state, or knows from the beginning.
    var state: PoolOperation.State?
  }

  private var entries: [Entry] = []
  private var nextNumber = 0

  var isEmpty: Bool { entries.isEmpty }

  /// Adds a stream, and returns its number.
  mutating func add(
    _ writer: Writer,
    from firstEffect: Int,
    in state: PoolOperation.State? = nil
  ) -> Int {
    nextNumber += 1
    entries.append(
      Entry(number: nextNumber, writer: writer, firstEffect: firstEffect, state: state)
    )
    return nextNumber
  }

  /// Lets go of a stream that has no reader any more.
  mutating func remove(_ number: Int) {
    entries.removeAll { $0.number == number }
  }

  /// Lets go of all.
  mutating func removeAll() -> [Writer] {
    defer { entries = [] }
    return entries.map(\.writer)
  }

  /// Tells the streams what an effect tells; called on a copy, without a lock.
  func tell(_ event: @autoclosure () -> Element, _ effect: Int, _ wakeUps: ReaderWakeUps?) {
    var boxed: BoxedEvent<Element>?
    for entry in entries where entry.firstEffect <= effect {
      let shared = boxed ?? BoxedEvent(event())
      boxed = shared
      entry.writer.yield(shared, to: wakeUps)
    }
  }

  /// Tells the streams of a transition of the one operation that they follow, unless they know the
  /// state that it leads to.
  ///
  /// May be called under a lock: the event keeps no operation, and readers are woken later.
  mutating func tell(
    _ event: Element,
    to state: PoolOperation.State,
    _ effect: Int,
    _ wakeUps: ReaderWakeUps
  ) {
    var boxed: BoxedEvent<Element>?
    for index in entries.indices where entries[index].firstEffect <= effect {
      guard entries[index].state != state else { continue }
      entries[index].state = state
      let shared = boxed ?? BoxedEvent(event)
      boxed = shared
      entries[index].writer.yield(shared, to: wakeUps)
    }
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
