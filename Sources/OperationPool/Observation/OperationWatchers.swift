import Dispatch
import PoolCore
import PoolModel
import Synchronization

/// The observers of one operation.
///
/// The loop's thread tells transitions, and each with the number of its effect, since what
/// was decided before the observation began is told later. Other threads tell of what they set,
/// under the lock of what they set, so that all come in one order.
///
/// Its lock may be taken while the engine's and an operation's are held, and not the other
/// way round.
final class OperationWatchers: Sendable {
  let id: OperationID
  private let state: Mutex<State>

  private struct State {
    var observers = KeyValueObservers<PoolOperation>()
    /// The operation, once properties of it are observed.
    weak var subject: PoolOperation?
    var streams = TransitionStreams<PoolTransition>()
    /// What the observers have been told, or knew from the beginning.
    var mirror: OperationMirror

    /// Tells the observers of properties what a transition changes.
    mutating func tell(
      _ transition: PoolTransition,
      _ effect: Int,
      on queue: () -> DispatchQueue
    ) {
      guard !observers.isEmpty, let subject else { return mirror.advance(transition, effect) }
      let changes = mirror.follow(transition, effect)
      // The end is news to all of them, whenever it was decided.
      let number = transition.state == .finished ? Int.max : effect
      observers.tell(changes, number, of: subject, on: queue())
    }
  }

  init(_ id: OperationID, _ mirror: OperationMirror) {
    self.id = id
    state = Mutex(State(mirror: mirror))
    OperationRegistry.process.countOperationWatchers(up: 1)
  }

  deinit {
    OperationRegistry.process.countOperationWatchers(up: -1)
    // The operation is gone, and was never executed.
    for stream in state.withLock({ $0.streams.removeAll() }) { stream.finish() }
  }

  /// Adds an observer; `value` is what the property has now.
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
    // Returned, so that what its closure keeps is let go outside the lock.
    _ = state.withLock { $0.observers.remove(life) }
  }

  /// Makes a stream of transitions; `known` is the state that its reader knows.
  func makeStream(
    from firstEffect: Int,
    _ known: PoolOperation.State?
  ) -> PoolEventStream<PoolTransition> {
    let (stream, writer) = PoolEventStream.make(keeping: PoolTransition.self)
    state.withLock { $0.streams.add(writer, from: firstEffect, in: known) }
    return stream
  }

  /// Tells a transition, which is not the last; called on the loop's thread.
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

  /// Tells the streams of a transition, which is not the last; called on the loop's thread.
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

  /// Something was set that is no matter of transitions.
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

  /// The operation has finished: when all have been told, the completion block is called.
  func finish(
    of operation: PoolOperation,
    _ outcome: PoolOutcome,
    _ effect: Int,
    _ completion: (@Sendable () -> Void)?,
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
          .block(completion),
          .block(nil),
          of: operation
        )
        state.observers.tell(change, on: queue)
        state.observers.afterwards(on: queue, completion)
      }
      state.streams.end(with: transition, at: turnEnd)
    }
  }

  /// A completion block that came too late is called when all have been told.
  func callLate(_ completion: @escaping @Sendable () -> Void, on queue: DispatchQueue) {
    state.withLock { $0.observers.afterwards(on: queue, completion) }
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
    _ changes: [OperationMirror.Change],
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
