import PoolModel

/// The compact form in which a stream stores an event until it is read: a few words, which are
/// moved and not copied.
///
/// The reader makes the event itself from it.
protocol CompactEvent<Event>: Sendable {
  associatedtype Event: Sendable
  /// The ``EventChannel`` of such events.
  typealias Channel = AnyObject & Sendable

  /// The event.
  var event: Event { get }

  // What a reader that knows only the event's type does with its channel.
  //
  // As requirements, they are compiled for each type that conforms: a generic function would look
  // up its types for each event.

  /// The next event, `.some(nil)` at the end; nil if none has come yet.
  static func poll(_ channel: any Channel) -> Event??
  /// Returns when there may be an event, and at the end.
  static func wait(for channel: any Channel, isolation actor: isolated (any Actor)?) async
  static func missedCount(of channel: any Channel) -> Int
  /// Drops the events: the channel has no reader any longer.
  static func abandon(_ channel: any Channel)
}

extension CompactEvent {
  @inline(__always)
  private static func own(_ channel: any Channel) -> EventChannel<Self> {
    unsafeDowncast(channel, to: EventChannel<Self>.self)
  }

  static func poll(_ channel: any Channel) -> Event?? { own(channel).poll() }

  static func wait(for channel: any Channel, isolation actor: isolated (any Actor)?) async {
    await own(channel).waitForEvent(isolation: actor)
  }

  static func missedCount(of channel: any Channel) -> Int { own(channel).missedCount }

  static func abandon(_ channel: any Channel) { own(channel).finish(keepsEvents: false) }
}

/// A transition of one of a queue's operations.
struct QueueTransition: CompactEvent {
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
extension PoolTransition: CompactEvent {
  var event: Self { self }
}

extension PoolFleetEvent: CompactEvent {
  var event: Self { self }
}
