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

/// A transition of the one operation that a stream follows; holds no operation.
enum KeptTransition: KeptEvent {
  case ready, pending, cancelled
  case executing(attempt: Int, worker: WorkerID)
  case other(Boxed)

  /// A transition that is rare, or larger than the others.
  final class Boxed: Sendable {
    fileprivate let transition: PoolTransition

    fileprivate init(_ transition: PoolTransition) {
      self.transition = transition
    }
  }

  init(_ transition: PoolTransition) {
    self =
      switch transition {
      case .ready: .ready
      case .pending: .pending
      case .cancelled: .cancelled
      case .executing(let attempt, let worker): .executing(attempt: attempt, worker: worker)
      case .progressed, .logged, .retrying, .finished: .other(Boxed(transition))
      }
  }

  var event: PoolTransition {
    switch self {
    case .ready: .ready
    case .pending: .pending
    case .cancelled: .cancelled
    case .executing(let attempt, let worker): .executing(attempt: attempt, worker: worker)
    case .other(let boxed): boxed.transition
    }
  }
}

/// A transition of one of a queue's operations.
struct QueueTransition: KeptEvent {
  let operation: PoolOperation
  /// Nil for its end: the operation itself has the outcome.
  let transition: KeptTransition?

  var event: (operation: PoolOperation, transition: PoolTransition) {
    if let transition { return (operation, transition.event) }
    guard let outcome = operation.outcome else {
      preconditionFailure("an operation has its outcome before its end is reported")
    }
    return (operation, .finished(outcome))
  }
}

extension PoolFleetEvent: KeptEvent {
  var event: Self { self }
}
