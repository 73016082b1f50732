public import Foundation
import PoolCore
import PoolModel
import Synchronization

extension PoolOperationQueue {
  /// Calls a closure after each change of a property; the counterpart of Foundation's `observe`,
  /// which is missing on Linux.
  ///
  /// Otherwise like the method of ``PoolOperation``. Operations that were added together are one
  /// change. An observer that wants the old or the new list of operations costs the length of the
  /// list for each change; one that wants the count does not.
  public func observe<Value>(
    _ key: KeyPath<PoolOperationQueueKeys, PoolObservedKey<Value>>,
    options: PoolKeyValueObservingOptions = [],
    changeHandler:
      @escaping @Sendable (PoolOperationQueue, PoolKeyValueObservedChange<Value>) -> Void
  ) -> PoolKeyValueObservation {
    let key = PoolOperationQueueKeys()[keyPath: key]
    let observer = KeyValueObserver(key, options, changeHandler)
    let observers = OperationRegistry.process.update { transaction in
      let observers = core.makeObservers(for: self)
      if observer.key == .operations || observer.key == .operationCount {
        observers.keepList { list(transaction) }
      }
      core.settings.withLock { settings in
        let value = value(observer.key, transaction, settings)
        observers.add(observer, value, on: settings.callbackQueue)
      }
      return observers
    }
    return PoolKeyValueObservation(observer.life) { [weak observers] in observers?.remove($0) }
  }

  /// The transitions of all operations in the queue from now on; each once, and those of one
  /// operation in order.
  ///
  /// It ends with the queue object, even if some of its operations still execute. Of unread
  /// transitions, the latest ``PoolEventStream/capacity`` are kept, and hold their operations;
  /// ``PoolEventStream/missedCount`` counts the others. Each call makes a stream of its own, for
  /// one reader.
  public var transitions: PoolEventStream<(operation: PoolOperation, transition: PoolTransition)> {
    OperationRegistry.process.update { transaction in
      transaction.observe(core.id)
      return core.makeObservers(for: self).makeStream(from: transaction.nextEvent)
    }
  }

  /// The progress of the queue: every ending of an operation counts.
  ///
  /// The total is the number of operations in the queue when this property was first read, plus all
  /// added since, including members of groups. Once you set a total, that one stays, unless more
  /// are added. While a map reads its inputs and you have set no total, the progress is
  /// indeterminate, because their number is not known. It may be a child of another progress. By
  /// default, cancelling it cancels all operations of the queue. An operation is counted before
  /// threads and tasks that wait for it wake. The two counts can be read from any thread; values
  /// that Foundation derives from them, such as the fraction, are on Linux no safer than its class.
  public var progress: Foundation.Progress {
    let progress: QueueProgress = OperationRegistry.process.update { transaction in
      core.makeObservers(for: self).makeProgress {
        let operations = OperationRegistry.process.operations(transaction.operations(in: core.id))
        return QueueProgress(
          addedCount: operations.reduce(0) { sum, operation in
            sum + 1 + operation.allMembers.count { !$0.hasEnded(transaction) }
          },
          firstEffect: transaction.nextEvent,
          isOpen: { [weak core] in core?.isMapping ?? false },
          cancel: { [weak core] in core?.cancelAll() }
        )
      }
    }
    return progress
  }

  private func list(_ transaction: borrowing PoolEngine.Transaction) -> ObservedOperations {
    let ids = transaction.operations(in: core.id)
    return ObservedOperations(
      OperationRegistry.process.operations(ids),
      firstEffect: transaction.nextEvent
    )
  }

  /// The value of a property that is not in the list.
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
  /// The queue's observers; nil if it never had any.
  var observers: QueueObservers? {
    guard OperationRegistry.process.areQueuesObserved else { return nil }
    return isObserved.load(ordering: .relaxed) ? settings.withLock { $0.observers } : nil
  }

  /// The queue's observers, created if necessary.
  func makeObservers(for queue: PoolOperationQueue) -> QueueObservers {
    settings.withLock { settings in
      let observers = settings.observers ?? QueueObservers(queue)
      settings.observers = observers
      isObserved.store(true, ordering: .relaxed)
      return observers
    }
  }
}

extension QueueCore.Settings {
  /// Reports that a property of the queue was set, if its value has changed.
  func tell(_ key: ObservedKey, from old: ObservedValue, to new: ObservedValue, if isNews: Bool) {
    if isNews { observers?.changed(key, from: old, to: new, on: callbackQueue) }
  }
}
