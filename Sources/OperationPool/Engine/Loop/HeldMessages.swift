import PoolCore
import PoolModel
import PoolWire

/// Messages to workers that wait for the client's permission, in order.
///
/// A message about an operation that was not sent yet waits behind it; all others go at once.
struct HeldMessages {
  enum Content {
    case dispatch(DispatchReference, attempt: Int)
    case message(CoordinatorMessage)
    /// The worker gets no more operations.
    case retirement
  }

  private var messages: [(worker: WorkerID, content: Content)] = []

  var isEmpty: Bool { messages.isEmpty }

  mutating func append(_ content: Content, to worker: WorkerID) {
    messages.append((worker, content))
  }

  /// Whether something waits for a worker.
  func concerns(_ worker: WorkerID) -> Bool {
    !messages.isEmpty && messages.contains { $0.worker == worker }
  }

  /// Whether a message to a worker has to follow one that waits.
  func precedes(_ message: CoordinatorMessage, to worker: WorkerID) -> Bool {
    switch message {
    case .recall, .cancel: concerns(worker)
    case .welcome, .execute, .release, .tail, .ping, .renewed, .grant, .stop, .proceed, .drain,
      .unknown:
      false
    }
  }

  mutating func takeAll() -> [(worker: WorkerID, content: Content)] {
    defer { messages = [] }
    return messages
  }
}
