import Dispatch
import PoolCore
import PoolModel
import Synchronization

extension PoolOperation {
  /// Calls a closure after each change of a property; the counterpart of Foundation's `observe`,
  /// which is missing on Linux.
  ///
  /// ```swift
  /// let observation = operation.observe(\.isFinished) { operation, _ in
  ///   print(operation.isFinished)
  /// }
  /// ```
  ///
  /// Every change after this call is reported once, in order. The calls for one operation never
  /// overlap. They are made on the ``PoolOperationQueue/underlyingQueue`` of its queue, or if there
  /// is none on any thread of the system, and never under a lock, so the closure may do anything. A
  /// call may be made a little later than the change: then the operation's properties may already
  /// be newer.
  ///
  /// The call for ``PoolKeyValueObservingOptions/initial`` is also made after this method returns.
  /// ``isReady``, ``isExecuting`` and ``isFinished`` exclude each other, and the property that
  /// becomes false is reported before the one that becomes true. An operation that is cancelled
  /// while it waits is reported as cancelled, then ready, then finished.
  ///
  /// Keep the observation: when it is released, it ends. It does not keep the operation alive.
  public func observe<Value>(
    _ key: KeyPath<PoolOperationKeys, PoolObservedKey<Value>>,
    options: PoolKeyValueObservingOptions = [],
    changeHandler: @escaping @Sendable (PoolOperation, PoolKeyValueObservedChange<Value>) -> Void
  ) -> PoolKeyValueObservation {
    let key = PoolOperationKeys()[keyPath: key]
    return withObservers { observers, life, mirror in
      let observer = KeyValueObserver(key, options, firstEffect: mirror.firstEffect, changeHandler)
      let value = life.value(key.key) ?? .flag(mirror.flag(key.key))
      observers.add(observer, of: self, value, on: life.callbackQueue)
      return PoolKeyValueObservation(observer.life) { [weak observers] in observers?.remove($0) }
    }
  }

  /// The operation's transitions from now on; each once, in order.
  ///
  /// It ends with ``PoolTransition/finished(_:)``, also if the operation has finished before; only
  /// if an operation is released without having been executed, the stream ends without it. Of
  /// unread transitions, the latest ``PoolEventStream/capacity`` are kept, and
  /// ``PoolEventStream/missedCount`` counts the others. Each call makes a stream of its own, for
  /// one reader.
  public var transitions: PoolEventStream<PoolTransition> {
    withObservers { observers, life, mirror in
      guard let outcome = life.outcome else {
        // `ready` is reported again when it enters a queue.
        let known = life.isAdded || mirror.state != .ready ? mirror.state : nil
        return observers.makeStream(from: mirror.firstEffect, known)
      }
      let (stream, writer) = PoolEventStream.make(keeping: PoolTransition.self)
      writer.yield(.finished(outcome))
      writer.finish()
      return stream
    }
  }

  /// Begins to observe, with no change meanwhile; the closure gets the current state.
  private func withObservers<Value: Sendable>(
    _ body: (OperationObservers, inout Life, NotifiedState) -> Value
  ) -> Value {
    // Mostly the loop has nothing to do for it, and millions may be observed one after another.
    OperationRegistry.process.update(ifWanted: true) { transaction in
      let id = register(&transaction)
      let phase = transaction.observe(id)
      let hasBegun = transaction.hasBegun(id)
      let firstEffect = transaction.nextEvent
      return life.withLock { life in
        let mirror = NotifiedState(
          State(phase, hasBegun: hasBegun, hasOutcome: life.settlement != nil),
          isCancelled: life.canceller != nil,
          isAsynchronous: isAsynchronous,
          firstEffect: firstEffect
        )
        return body(observers(&life, id, mirror), &life, mirror)
      }
    }
  }

  /// The observers of the operation; if there were none, new ones that begin with this mirror.
  private func observers(
    _ life: inout Life,
    _ id: OperationID,
    _ mirror: NotifiedState
  ) -> OperationObservers {
    if let observers = life.observers { return observers }
    let observers = OperationObservers(id, mirror)
    life.observers = observers
    OperationRegistry.process.add(observers)
    return observers
  }
}

// MARK: - Notifications

extension PoolOperation {
  /// The observers of the operation, and its queue; nil if the handle belongs to another operation
  /// by now.
  func observers(of id: OperationID) -> (own: OperationObservers?, queue: QueueCore?)? {
    life.withLock { life in
      guard life.id == id else { return nil }
      return (life.observers, life.queue)
    }
  }

  /// Reports that a property was set; the lock is held.
  func tell(_ life: Life, _ key: ObservedKey, from old: ObservedValue, to new: ObservedValue) {
    life.observers?.changed(key, from: old, to: new, of: self, on: life.callbackQueue)
  }

  /// Tells the observers of the end, and lets the completion block be called after that; the lock
  /// is held.
  func tellEnd(_ life: Life, _ completion: CompletionBlock?, _ number: Int) {
    guard let observers = life.observers, let outcome = life.outcome else { return }
    observers.finish(
      of: self,
      outcome,
      number,
      completion,
      on: life.callbackQueue,
      at: OperationRegistry.process.turnEnd
    )
  }

  /// Calls a completion block that was set after the end; the lock is held.
  func callLate(_ life: Life, _ completion: CompletionBlock) {
    guard let observers = life.observers else {
      return life.callbackQueue.async { completion() }
    }
    observers.callLate(completion, on: life.callbackQueue)
  }
}

extension PoolOperation.Life {
  /// The value of a property that transitions do not change.
  fileprivate func value(_ key: ObservedKey) -> ObservedValue? {
    switch key {
    case .dependencies: .operations(dependencies.operations)
    case .queuePriority: .priority(priority)
    case .completionBlock: .block(self.completionBlock?.call)
    default: nil
    }
  }
}
