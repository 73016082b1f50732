import PoolModel

/// The ready operations of one kind in one queue, and the estimates for them.
struct KindQueue {
  let queue: QueueID
  let kind: KindID
  var ready = ReadyQueue()
  /// Those of the ready operations that are suspects, for fresh workers only.
  var suspects = ReadyQueue()
  var estimate = PrefetchPolicy.Estimate()
  /// Whether any worker serves the kind, or may serve it.
  var service = Service.possible
  /// The entry of the kind for all queues of the fleet.
  var fleetKind = Dispatcher.closedCounter
  /// Where its ready operations are counted: in `fleetKind` while its queue is open.
  var counter = Dispatcher.closedCounter
  /// Every configuration that serves it lists it under this key or a smaller one; 0 if it need not
  /// be listed, because its queue has no room.
  var listedUnder = UInt64.max
  /// Whether it is in the `dirtyKindQueues` list of its fleet.
  var isDirty = false

  /// Offers a ready operation to workers.
  mutating func insert(_ key: ReadyKey, isSuspect: Bool) {
    if isSuspect { suspects.insert(key) } else { ready.insert(key) }
  }

  /// No longer offers an operation to workers.
  mutating func remove(_ key: ReadyKey, isSuspect: Bool) {
    if isSuspect { suspects.remove(key) } else { ready.remove(key) }
  }

  mutating func removeAllReady() {
    ready.removeAll()
    suspects.removeAll()
  }

  enum Service {
    case possible
    /// All worker configurations are known, and none serves the kind.
    case unserved
    /// A worker configuration that serves it was given up.
    case broken

    /// Why operations fail that wait for a worker of this kind; nil if they may go on waiting.
    var failure: EndingCause? {
      switch self {
      case .possible: nil
      case .unserved: .unservedKind
      case .broken: .noWorker
      }
    }
  }
}
