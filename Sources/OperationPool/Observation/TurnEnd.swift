import Synchronization

/// Work for the end of a turn of the loop: sends the transitions of the turn to the queues'
/// streams, and wakes each waiting reader once, so that it finds all events.
final class TurnEnd: Sendable {
  private struct State {
    var queues: [QueueObservers] = []
    var readers: [WaitingReader] = []
  }

  private let state = Mutex(State())

  func append(_ reader: WaitingReader) {
    state.withLock { $0.readers.append(reader) }
  }

  func append(_ queue: QueueObservers) {
    state.withLock { $0.queues.append(queue) }
  }

  /// Does the work; the turn is over.
  func deliver() {
    for queue in takeQueues() { queue.tellTurn(self) }
    for reader in takeReaders() { reader.resume() }
  }

  private func takeQueues() -> [QueueObservers] {
    state.withLock { state in
      defer { state.queues = [] }
      return state.queues
    }
  }

  private func takeReaders() -> [WaitingReader] {
    state.withLock { state in
      defer { state.readers = [] }
      return state.readers
    }
  }
}
