import Dispatch
import PoolCore
import PoolModel
import Synchronization

/// The observers of one operation.
///
/// The thread that takes turns reports transitions, each with the number of its effect, because a
/// transition may have been decided before the observation began but be reported later. Other
/// threads report the properties that they set, under the lock of the property, so that all changes
/// come in one order.
///
/// This lock may be taken while the engine's and an operation's are held, never in the other order.
final class OperationObservers: Sendable {
  let id: OperationID
  private let state: Mutex<State>

  private struct State {
    var observers = KeyValueObservers<PoolOperation>()
    /// The operation, once properties of it are observed.
    weak var subject: PoolOperation?
    var streams = EventStreams<PoolTransition>()
    /// The state that the observers know.
    var mirror: NotifiedState

    /// Tells the observers of properties about the changes by a transition.
    mutating func tell(
      _ transition: PoolTransition,
      _ effect: Int,
      on queue: () -> DispatchQueue
    ) {
      guard !observers.isEmpty, let subject else { return mirror.advance(transition, effect) }
      let changes = mirror.follow(transition, effect)
      // The end is reported to all of them, whenever it was decided.
      let number = transition.state == .finished ? Int.max : effect
      observers.tell(changes, number, of: subject, on: queue())
    }
  }

  init(_ id: OperationID, _ mirror: NotifiedState) {
    self.id = id
    state = Mutex(State(mirror: mirror))
    OperationRegistry.process.countObservedOperations(up: 1)
  }

  deinit {
    OperationRegistry.process.countObservedOperations(up: -1)
    // The operation was released, and was never executed.
    for stream in state.withLock({ $0.streams.removeAll() }) { stream.finish() }
  }

  /// Adds an observer; `value` is the property's current value.
  func add(
    _ observer: KeyValueObserver<PoolOperation>,
    of operation: PoolOperation,
    _ value: ObservedValue,
    on queue: DispatchQueue
  ) {
    state.withLock { state in
      state.observers.add(observer)
      state.subject = operation
      let change = ObservedChange(observer.key, nil, value, of: operation)
      state.observers.tellInitial(observer, change, on: queue)
    }
  }

  /// Forgets an observer.
  func remove(_ life: ObserverLife) {
    // Returned from the closure, so that the observer's closure is released outside the lock.
    _ = state.withLock { $0.observers.remove(life) }
  }

  /// Makes a stream of transitions; `known` is the state that its reader already knows.
  func makeStream(
    from firstEffect: Int,
    _ known: PoolOperation.State?
  ) -> PoolEventStream<PoolTransition> {
    let (stream, writer) = PoolEventStream.make(keeping: PoolTransition.self)
    state.withLock { $0.streams.add(writer, from: firstEffect, in: known) }
    return stream
  }

  /// Reports a transition that is not the last; called by the thread that takes turns.
  func note(
    _ transition: PoolTransition,
    _ effect: Int,
    on queue: @autoclosure () -> DispatchQueue,
    at turnEnd: TurnEnd
  ) {
    state.withLock { state in
      state.tell(transition, effect, on: queue)
      guard !state.streams.isEmpty else { return }
      state.streams.tell(transition, to: transition.state, effect, at: turnEnd)
    }
  }

  /// Tells the streams of a transition, which is not the last; called by the thread that takes
  /// turns.
  ///
  /// False where properties are observed, and nothing is done: these are told on a queue that only
  /// the operation knows.
  func noteToStreams(_ transition: PoolTransition, _ effect: Int, at turnEnd: TurnEnd) -> Bool {
    state.withLock { state in
      guard state.observers.isEmpty else { return false }
      state.mirror.advance(transition, effect)
      state.streams.tell(transition, to: transition.state, effect, at: turnEnd)
      return true
    }
  }

  /// A property was set that transitions do not change.
  func changed(
    _ key: ObservedKey,
    from old: ObservedValue,
    to new: ObservedValue,
    of operation: PoolOperation,
    on queue: DispatchQueue
  ) {
    state.withLock { state in
      state.observers.tell(ObservedChange(key, old, new, of: operation), on: queue)
    }
  }

  /// The operation has finished: after all observers were told, the completion block is called.
  func finish(
    of operation: PoolOperation,
    _ outcome: PoolOutcome,
    _ effect: Int,
    _ completion: CompletionBlock?,
    on queue: @autoclosure () -> DispatchQueue,
    at turnEnd: TurnEnd
  ) {
    let transition = PoolTransition.finished(outcome)
    state.withLock { state in
      state.tell(transition, effect, on: queue)
      if let completion {
        let queue = queue()
        let change = ObservedChange(
          .completionBlock,
          .block(completion.call),
          .block(nil),
          of: operation
        )
        state.observers.tell(change, on: queue)
        state.observers.afterwards(on: queue) { completion() }
      }
      state.streams.end(with: transition, at: turnEnd)
    }
  }

  /// Calls a completion block that was set too late, after all notifications.
  func callLate(_ completion: CompletionBlock, on queue: DispatchQueue) {
    state.withLock { $0.observers.afterwards(on: queue) { completion() } }
  }
}

extension ObservedChange where Subject == PoolOperation {
  init(
    _ key: ObservedKey,
    _ old: ObservedValue?,
    _ new: ObservedValue,
    of operation: PoolOperation
  ) {
    self.init(key: key, old: old, new: new, subject: { operation })
  }
}

extension KeyValueObservers where Subject == PoolOperation {
  fileprivate mutating func tell(
    _ changes: [NotifiedState.Change],
    _ effect: Int,
    of operation: PoolOperation,
    on queue: DispatchQueue
  ) {
    for (key, value) in changes {
      var change = ObservedChange(key, .flag(!value), .flag(value), of: operation)
      change.effect = effect
      tell(change, on: queue)
    }
  }
}
