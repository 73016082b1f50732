import Synchronization

extension PoolOperationQueue {
  /// The queue whose operation the current thread or task executes; nil elsewhere.
  ///
  /// That is in blocks: operations of workers execute in other processes, where the worker's
  /// context knows the queue's name. An operation in a group has the queue that the group is in. It
  /// is nil, too, for an operation that was started without a queue, and once only its
  /// operations use the queue.
  ///
  /// There is no counterpart of Foundation's main queue: no operation executes on the main thread.
  /// What must be done there is done by completion blocks and observers, where ``underlyingQueue``
  /// is the main Dispatch queue.
  public static var current: PoolOperationQueue? {
    PoolOperation.current?.queue?.settings.withLock { $0.face }
  }
}
