import Synchronization

extension PoolOperationQueue {
  /// The queue whose operation the current thread or task executes; nil elsewhere.
  ///
  /// It is available in blocks. Operations of workers execute in other processes, where the
  /// worker's context has the queue's name. For an operation in a group, it is the queue of the
  /// group. It is nil for an operation that was started without a queue, and if only operations
  /// still use the queue.
  ///
  /// There is no counterpart of Foundation's main queue: no operation executes on the main thread.
  /// To do something there, use completion blocks and observers, and set ``underlyingQueue`` to the
  /// main Dispatch queue.
  public static var current: PoolOperationQueue? {
    PoolOperation.current?.queue?.settings.withLock { $0.face }
  }
}
