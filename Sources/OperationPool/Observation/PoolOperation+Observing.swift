import Dispatch
import PoolCore
import PoolModel
import Synchronization

extension PoolOperation {
  /// Has a closure called whenever a property changes; Foundation's `observe`, which it does not
  /// have on Linux.
  ///
  /// ```swift
  /// let observation = operation.observe(\.isFinished) { operation, _ in print(operation.isFinished) }
  /// ```
  ///
  /// Every change is told once, in order, and only what follows this call. The calls for one
  /// operation never overlap; they are made on the ``PoolOperationQueue/underlyingQueue`` of the
  /// queue that it is in, on any thread of the system's where there is none, and never under a
  /// lock, so that an observer may do what it likes. It may be told a little later: then the
  /// operation's own properties are ahead of the change that it is told of.
  ///
  /// ``PoolKeyValueObservingOptions/initial`` is one of these calls, too, and so follows this one's
  /// return. ``isReady``, ``isExecuting`` and ``isFinished`` exclude each other, and what becomes
  /// false is told before what becomes true. Cancelled while it waited, an operation is cancelled,
  /// then ready, then finished.
  ///
  /// The observation must be kept: let go, it ends. It does not keep the operation.
  public func observe<Value>(
    _ key: KeyPath<PoolOperationKeys, PoolObservedKey<Value>>,
    options: PoolKeyValueObservingOptions = [],
    changeHandler: @escaping @Sendable (PoolOperation, PoolKeyValueObservedChange<Value>) -> Void
  ) -> PoolKeyValueObservation {
    let key = PoolOperationKeys()[keyPath: key]
    return watch { watchers, life, mirror in
      let observer = KeyValueObserver(key, options, firstEffect: mirror.firstEffect, changeHandler)
      let value = life.value(key.key) ?? .flag(mirror.flag(key.key))
      watchers.add(observer, of: self, value, on: life.callbackQueue)
      return PoolKeyValueObservation(observer.life) { [weak watchers] in watchers?.remove($0) }
    }
  }

  /// The steps in the operation's life, from now on; each once, in order.
  ///
  /// It ends with ``PoolTransition/finished(_:)``, also where the operation has finished before; only
  /// that of an operation which is let go without having been executed ends without. Of what
  /// is not read yet, the latest ``PoolEventStream/capacity`` steps are kept, and
  /// ``PoolEventStream/missedCount`` counts the others. Each call makes a stream of its own, for one
  /// reader.
  public var transitions: PoolEventStream<PoolTransition> {
    watch { watchers, life, mirror in
      guard let outcome = life.outcome else {
        // That it is ready is told again when it enters a queue.
        let known = life.isAdded || mirror.state != .ready ? mirror.state : nil
        return watchers.makeStream(from: mirror.firstEffect, known)
      }
      let (stream, writer) = PoolEventStream.make(keeping: KeptTransition.self)
      writer.yield(KeptTransition(.finished(outcome)))
      writer.finish()
      return stream
    }
  }

  /// Begins to observe, with nothing happening meanwhile; the closure is given how it stands.
  private func watch<Value: Sendable>(
    _ body: (OperationWatchers, Life, OperationMirror) -> Value
  ) -> Value {
    OperationRegistry.process.update { transaction in
      let id = register(&transaction)
      let phase = transaction.observe(id)
      let hasBegun = transaction.hasBegun(id)
      let firstEffect = transaction.nextEvent
      return life.withLock { life in
        let mirror = OperationMirror(
          State(phase, hasBegun: hasBegun, hasOutcome: life.settlement != nil),
          isCancelled: life.canceller != nil,
          isAsynchronous: isAsynchronous,
          firstEffect: firstEffect
        )
        return body(watchers(&life, id, mirror), life, mirror)
      }
    }
  }

  /// The observers of the operation; the first ones begin with this mirror.
  private func watchers(
    _ life: inout Life,
    _ id: OperationID,
    _ mirror: OperationMirror
  ) -> OperationWatchers {
    if let watchers = life.watchers { return watchers }
    let watchers = OperationWatchers(id, mirror)
    life.watchers = watchers
    OperationRegistry.process.watch(watchers)
    return watchers
  }
}

// MARK: - Telling

extension PoolOperation {
  /// The observers of the operation, and its queue; nil where another operation has the number.
  func observers(of id: OperationID) -> (own: OperationWatchers?, queue: QueueCore?)? {
    life.withLock { life in
      guard life.id == id else { return nil }
      return (life.hasColdState ? life.watchers : nil, life.queue)
    }
  }

  /// Tells the observers that a property was set; the lock is held.
  func tell(_ life: Life, _ key: ObservedKey, from old: ObservedValue, to new: ObservedValue) {
    life.watchers?.changed(key, from: old, to: new, of: self, on: life.callbackQueue)
  }

  /// Tells the observers of the end, and has the completion block called then.
  ///
  /// The lock is held; returns what is left to be done without it, nil where there are no observers.
  func tellEnd(
    _ life: Life,
    _ outcome: PoolOutcome,
    _ number: Int
  ) -> OperationWatchers.EndOfStreams? {
    life.watchers?.finish(
      of: self,
      outcome,
      number,
      life.completionBlock,
      on: life.callbackQueue
    )
  }

  /// Has a completion block called that came after the end; the lock is held.
  func callLate(_ life: Life, _ completion: @escaping @Sendable () -> Void) {
    guard let watchers = life.watchers else {
      return life.callbackQueue.async(execute: completion)
    }
    watchers.callLate(completion, on: life.callbackQueue)
  }
}

extension PoolOperation.Life {
  /// What a property has that is no matter of transitions.
  fileprivate func value(_ key: ObservedKey) -> ObservedValue? {
    switch key {
    case .dependencies: .operations(dependencies.operations)
    case .queuePriority: .priority(priority)
    case .completionBlock: .block(self.completionBlock)
    default: nil
    }
  }
}
