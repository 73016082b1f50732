import Synchronization

/// What is left to the end of a turn of the loop: the queues whose streams get the transitions of the
/// turn, and the readers that wait for an event, each of which is woken once and finds all.
final class TurnEnd: Sendable {
  private struct State {
    var queues: [QueueWatchers] = []
    var readers: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func append(_ reader: CheckedContinuation<Void, Never>) {
    state.withLock { $0.readers.append(reader) }
  }

  func append(_ queue: QueueWatchers) {
    state.withLock { $0.queues.append(queue) }
  }

  /// The turn is over.
  func come() {
    for queue in take(\.queues) { queue.tellTurn(self) }
    for reader in take(\.readers) { reader.resume() }
  }

  private func take<Element: Sendable>(_ list: WritableKeyPath<State, [Element]>) -> [Element] {
    state.withLock { state in
      guard !state[keyPath: list].isEmpty else { return [] }
      defer { state[keyPath: list] = [] }
      return state[keyPath: list]
    }
  }
}
