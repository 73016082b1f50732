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

  /// The streams that are concerned by what an effect tells.
  func concerned(by effect: Int) -> [Writer] {
    entries.filter { $0.firstEffect <= effect }.map(\.writer)
  }

  /// The streams that are concerned by a transition of the one operation that they follow: those
  /// that do not know the state that it leads to.
  mutating func concerned(by transition: PoolTransition, _ effect: Int) -> [Writer] {
    guard let state = transition.state else { return concerned(by: effect) }
    var list: [Writer] = []
    for index in entries.indices where entries[index].firstEffect <= effect {
      if entries[index].state != state { list.append(entries[index].writer) }
      entries[index].state = state
    }
    return list
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
