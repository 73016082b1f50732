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
    return watch { watchers, book, mirror in
      let observer = KeyValueObserver(key, options, firstEffect: mirror.firstEffect, changeHandler)
      let value = book.value(key.key) ?? .flag(mirror.flag(key.key))
      watchers.add(observer, of: self, value, on: book.callbackQueue)
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
    watch { watchers, book, mirror in
      guard let outcome = book.outcome else {
        // That it is ready is told again when it enters a queue.
        let known = book.isAdded || mirror.state != .ready ? mirror.state : nil
        return watchers.makeStream(from: mirror.firstEffect, known)
      }
      let (stream, writer) = PoolEventStream.make(keeping: PoolTransition.self)
      writer.yield(.finished(outcome))
      writer.finish()
      return stream
    }
  }

  /// Begins to observe, with nothing happening meanwhile; the closure is given how it stands.
  private func watch<Value: Sendable>(
    _ body: (OperationWatchers, inout Book, OperationMirror) -> Value
  ) -> Value {
    // Mostly the loop has nothing to do for it, and millions may be observed one after another.
    OperationRegistry.process.update(ifWanted: true) { transaction in
      let id = register(&transaction)
      let phase = transaction.observe(id)
      let hasBegun = transaction.hasBegun(id)
      let firstEffect = transaction.nextEvent
      return book.withLock { book in
        let mirror = OperationMirror(
          State(phase, hasBegun: hasBegun, hasOutcome: book.settlement != nil),
          isCancelled: book.canceller != nil,
          isAsynchronous: isAsynchronous,
          firstEffect: firstEffect
        )
        return body(watchers(&book, id, mirror), &book, mirror)
      }
    }
  }

  /// The observers of the operation; the first ones begin with this mirror.
  private func watchers(
    _ book: inout Book,
    _ id: OperationID,
    _ mirror: OperationMirror
  ) -> OperationWatchers {
    if let watchers = book.coldState?.watchers { return watchers }
    let watchers = OperationWatchers(id, mirror)
    book.ownColdState().watchers = watchers
    OperationRegistry.process.watch(watchers)
    return watchers
  }
}

// MARK: - Telling

extension PoolOperation {
  /// The observers of the operation, and its queue; nil where another operation has the number.
  func observers(of id: OperationID) -> (own: OperationWatchers?, queue: QueueCore?)? {
    book.withLock { book in
      guard book.id == id else { return nil }
      return (book.coldState?.watchers, book.queue)
    }
  }

  /// Tells the observers that a property was set; the lock is held.
  func tell(_ book: Book, _ key: ObservedKey, from old: ObservedValue, to new: ObservedValue) {
    book.watchers?.changed(key, from: old, to: new, of: self, on: book.callbackQueue)
  }

  /// Tells the observers of the end, and has the completion block called then; the lock is held.
  func tellEnd(_ book: inout Book, _ number: Int) {
    guard let watchers = book.coldState?.watchers, let outcome = book.outcome else { return }
    watchers.finish(
      of: self,
      outcome,
      number,
      book.coldState?.completionBlock?.call,
      on: book.callbackQueue,
      at: OperationRegistry.process.turnEnd
    )
  }

  /// Has a completion block called that came after the end; the lock is held.
  func callLate(_ book: Book, _ completion: @escaping @Sendable () -> Void) {
    guard let watchers = book.watchers else {
      return book.callbackQueue.async(execute: completion)
    }
    watchers.callLate(completion, on: book.callbackQueue)
  }
}

extension PoolOperation.Book {
  /// What a property has that is no matter of transitions.
  fileprivate func value(_ key: ObservedKey) -> ObservedValue? {
    switch key {
    case .dependencies: .operations(dependencies.operations)
    case .queuePriority: .priority(priority)
    case .completionBlock: .block(self.completionBlock?.call)
    default: nil
    }
  }
}
