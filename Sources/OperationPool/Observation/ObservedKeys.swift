public import PoolModel

/// The observable properties of a ``PoolOperation``: `operation.observe(\.isFinished) { … }`.
///
/// They have the names of the operation's properties. A key path to another property is not one of
/// these, so the compiler refuses to observe a property that is never reported.
public struct PoolOperationKeys: Sendable {
  /// Whether it was cancelled.
  public var isCancelled: PoolObservedKey<Bool> { .init(.isCancelled) { $0.flag } }
  /// Whether it goes on after the call that starts it has returned; never changes.
  public var isAsynchronous: PoolObservedKey<Bool> { .init(.isAsynchronous) { $0.flag } }
  /// Whether a worker executes it.
  public var isExecuting: PoolObservedKey<Bool> { .init(.isExecuting) { $0.flag } }
  /// Whether it has ended.
  public var isFinished: PoolObservedKey<Bool> { .init(.isFinished) { $0.flag } }
  /// Whether it is ready.
  public var isReady: PoolObservedKey<Bool> { .init(.isReady) { $0.flag } }
  /// Its dependencies.
  public var dependencies: PoolObservedKey<[PoolOperation]> {
    .init(.dependencies) { $0.operations }
  }
  /// Its priority.
  public var queuePriority: PoolObservedKey<PoolQueuePriority> {
    .init(.queuePriority) { $0.priority }
  }
  /// The block called when it has finished.
  public var completionBlock: PoolObservedKey<(@Sendable () -> Void)?> {
    .init(.completionBlock) { $0.block }
  }
}

/// The observable properties of a ``PoolOperationQueue``: `queue.observe(\.operationCount) { … }`.
///
/// They have the names of the queue's properties.
public struct PoolOperationQueueKeys: Sendable {
  /// Operations that have not finished.
  public var operations: PoolObservedKey<[PoolOperation]> { .init(.operations) { $0.operations } }
  /// The number of these.
  public var operationCount: PoolObservedKey<Int> { .init(.operationCount) { $0.count } }
  /// Maximum number of slots that its operations take at once.
  public var maxConcurrentOperationCount: PoolObservedKey<Int> {
    .init(.maxConcurrentOperationCount) { $0.count }
  }
  /// Whether no operation is handed to workers.
  public var isSuspended: PoolObservedKey<Bool> { .init(.isSuspended) { $0.flag } }
  /// The name for people.
  public var name: PoolObservedKey<String?> { .init(.name) { $0.name } }
}

/// An observable property, with the type of its values.
public struct PoolObservedKey<Value>: Sendable {
  let key: ObservedKey
  let read: @Sendable (ObservedValue) -> Value?

  init(_ key: ObservedKey, _ read: @escaping @Sendable (ObservedValue) -> Value?) {
    self.key = key
    self.read = read
  }
}

/// An observable property, without the type of its values.
enum ObservedKey: Sendable {
  case isCancelled, isAsynchronous, isExecuting, isFinished, isReady
  case dependencies, queuePriority, completionBlock
  case operations, operationCount, maxConcurrentOperationCount, isSuspended, name
}

/// A value of any observable property.
enum ObservedValue: Sendable {
  case flag(Bool)
  case count(Int)
  case priority(PoolQueuePriority)
  case operations([PoolOperation])
  case block((@Sendable () -> Void)?)
  case name(String?)

  var flag: Bool? {
    if case .flag(let flag) = self { flag } else { nil }
  }

  var count: Int? {
    if case .count(let count) = self { count } else { nil }
  }

  var priority: PoolQueuePriority? {
    if case .priority(let priority) = self { priority } else { nil }
  }

  var operations: [PoolOperation]? {
    if case .operations(let operations) = self { operations } else { nil }
  }

  var block: (@Sendable () -> Void)?? {
    if case .block(let block) = self { .some(block) } else { nil }
  }

  var name: String?? {
    if case .name(let name) = self { .some(name) } else { nil }
  }
}
