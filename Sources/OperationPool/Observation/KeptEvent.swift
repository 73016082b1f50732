import PoolModel

/// The compact form in which a stream stores an event until it is read: a few words, which are
/// moved and not copied.
///
/// The reader makes the event itself from it.
protocol KeptEvent: Sendable {
  associatedtype Event: Sendable

  /// The event.
  var event: Event { get }
}

/// A transition of one of a queue's operations.
struct QueueTransition: KeptEvent {
  let operation: PoolOperation
  /// Nil for its end: the operation itself has the outcome.
  let transition: PoolTransition?

  var event: (operation: PoolOperation, transition: PoolTransition) {
    if let transition { return (operation, transition) }
    guard let outcome = operation.outcome else {
      preconditionFailure("an operation has its outcome before its end is reported")
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
