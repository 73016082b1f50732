import PoolModel

/// What a stream keeps of an event until that is read: a few words, which are moved and not copied.
///
/// The event itself is made by the reader.
protocol KeptEvent: Sendable {
  associatedtype Event: Sendable

  /// The event.
  var event: Event { get }
}

/// A step in the life of one of a queue's operations.
struct QueueTransition: KeptEvent {
  let operation: PoolOperation
  /// Nil for its end: how it ended, the operation knows.
  let transition: PoolTransition?

  var event: (operation: PoolOperation, transition: PoolTransition) {
    if let transition { return (operation, transition) }
    guard let outcome = operation.outcome else {
      preconditionFailure("an operation has its outcome before its end is told")
    }
    return (operation, .finished(outcome))
  }
}

/// Of two words: what is larger is behind a reference.
extension PoolTransition: KeptEvent {
  var event: Self { self }
}

extension PoolFleetEvent: KeptEvent {
  var event: Self { self }
}
