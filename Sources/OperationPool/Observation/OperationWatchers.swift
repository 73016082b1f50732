import PoolModel

final class OperationWatchers: Sendable {
  enum Key { case queuePriority, completionBlock }
  func note(_ transition: PoolTransition, of operation: PoolOperation) {}
  func changed<Value>(_ key: Key, from old: Value, to new: Value, of operation: PoolOperation) {}
  func changedDependencies(of operation: PoolOperation) {}
  func finish(
    _ outcome: PoolOutcome,
    of operation: PoolOperation,
    _ completion: (@Sendable () -> Void)?
  ) {}
}
final class QueueWatchers: Sendable {
  enum Key { case name, isSuspended, maxConcurrentOperationCount }
  func added(_ operations: [PoolOperation]) {}
  func changed<Value>(_ key: Key, from old: Value, to new: Value, of queue: PoolOperationQueue) {}
}
