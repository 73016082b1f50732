public import Foundation
import PoolCore
import PoolModel
import Synchronization

extension PoolOperationQueue {
  /// Has a closure called whenever a property changes; Foundation's `observe`, which it does not
  /// have on Linux.
  ///
  /// What is said of the one of ``PoolOperation`` holds here. Operations that were added together
  /// are one change. An observer that wants the old or the new list of operations costs the length
  /// of the list for each change; one that wants the count does not.
  public func observe<Value>(
    _ key: KeyPath<PoolOperationQueueKeys, PoolObservedKey<Value>>,
    options: PoolKeyValueObservingOptions = [],
    changeHandler:
      @escaping @Sendable (PoolOperationQueue, PoolKeyValueObservedChange<Value>) -> Void
  ) -> PoolKeyValueObservation {
    let key = PoolOperationQueueKeys()[keyPath: key]
    let observer = KeyValueObserver(key, options, changeHandler)
    let watchers = OperationRegistry.process.update { transaction in
      let watchers = core.makeWatchers(for: self)
      if observer.key == .operations || observer.key == .operationCount {
        watchers.keepList { list(transaction) }
      }
      core.settings.withLock { settings in
        let value = value(observer.key, transaction, settings)
        watchers.add(observer, value, on: settings.callbackQueue)
      }
      return watchers
    }
    return PoolKeyValueObservation(observer.life) { [weak watchers] in watchers?.remove($0) }
  }

  /// The steps in the lives of all operations in the queue, from now on; each once, and those of
  /// one operation in order.
  ///
  /// It ends with the queue object, even if operations of it still execute.
  /// Of what is not read yet, the latest ``PoolEventStream/capacity`` steps are kept, and keep their
  /// operations; ``PoolEventStream/missedCount`` counts the others. Each call makes a stream of its
  /// own, for one reader.
  public var transitions: PoolEventStream<(operation: PoolOperation, transition: PoolTransition)> {
    OperationRegistry.process.update { transaction in
      transaction.observe(core.id)
      return core.makeWatchers(for: self).makeStream(from: transaction.nextEvent)
    }
  }

  /// How much of the queue's work is done: every way to finish counts.
  ///
  /// Its total is what was in the queue when it was asked for first, and all that was added since,
  /// members of groups included; once you have set a total, that one stays. It may be a child of another
  /// progress. Cancelling it cancels all operations of the queue, by default. An operation is counted before threads
  /// and tasks that wait for it wake. The two counts can be read from any thread; what Foundation
  /// makes of them, such as the fraction, is on Linux no safer than its class.
  public var progress: Foundation.Progress {
    let progress: QueueProgress = OperationRegistry.process.update { transaction in
      core.makeWatchers(for: self).makeProgress {
        let operations = OperationRegistry.process.operations(transaction.operations(in: core.id))
        return QueueProgress(
          addedCount: operations.reduce(0) { $0 + 1 + $1.unfinishedMemberCount(transaction) },
          firstEffect: transaction.nextEvent,
          cancel: { [weak core] in core?.cancelAll() }
        )
      }
    }
    return progress
  }

  private func list(_ transaction: borrowing PoolEngine.Transaction) -> OperationList {
    let ids = transaction.operations(in: core.id)
    return OperationList(
      OperationRegistry.process.operations(ids),
      firstEffect: transaction.nextEvent
    )
  }

  /// What a property has that is not in the list.
  private func value(
    _ key: ObservedKey,
    _ transaction: borrowing PoolEngine.Transaction,
    _ settings: QueueCore.Settings
  ) -> ObservedValue? {
    switch key {
    case .maxConcurrentOperationCount: .count(transaction.width(of: core.id))
    case .isSuspended: .flag(transaction.isSuspended(core.id))
    case .name: .name(settings.name)
    default: nil
    }
  }
}

extension QueueCore {
  /// The queue's observers; nil where it never had any.
  var watchers: QueueWatchers? {
    guard OperationRegistry.process.areQueuesWatched else { return nil }
    let queue = outermost
    return queue.isObserved.load(ordering: .relaxed) ? queue.settings.withLock { $0.watchers } : nil
  }

  /// The queue's observers.
  fileprivate func makeWatchers(for queue: PoolOperationQueue) -> QueueWatchers {
    settings.withLock { settings in
      let watchers = settings.watchers ?? QueueWatchers(queue)
      settings.watchers = watchers
      isObserved.store(true, ordering: .relaxed)
      return watchers
    }
  }
}

extension QueueCore.Settings {
  /// Tells the queue's observers that a property was set to something else.
  func tell(_ key: ObservedKey, from old: ObservedValue, to new: ObservedValue, if isNews: Bool) {
    if isNews { watchers?.changed(key, from: old, to: new, on: callbackQueue) }
  }
}
