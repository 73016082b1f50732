import PoolModel

/// One queue: how much of it may be with workers, and what holds it back.
struct QueueLife {
  let fleet: FleetID
  /// While true, nothing is dispatched; what was dispatched goes on.
  var isSuspended = false
  /// How many slots of operations workers may have at once.
  var width = Int.max
  /// How many more dispatches there may be: each takes one, until the caller gives more.
  var permits = Int.max
  /// Slots of operations that workers have.
  var assignedSlots = 0
  /// Ready operations with claims.
  var claimantCount = 0
  /// The kind queue of each kind, by the kind's number; `none` where there is none yet.
  var queueOfKind: [KindQueueHandle] = []
  /// An operation that wants more slots than are free: what is behind it must wait.
  var reservedFor: OperationID?
  /// Kind queues that have something ready and are in no heap, because the queue has no room.
  var parked: [KindQueueHandle] = []
  /// Its place among the queues of its fleet.
  var place = 0

  init(fleet: FleetID) {
    self.fleet = fleet
  }

  /// Whether its ready operations may be dispatched at all.
  var isOpen: Bool { !isSuspended && width > 0 }

  /// How many slots workers may have at once, as far as it can be summed.
  var openWidth: Int { isOpen ? min(width, 1 << 32) : 0 }

  /// Whether workers may have more of its operations than they have.
  var hasRoom: Bool { !isSuspended && assignedSlots < width && permits > 0 }

  /// Whether the caller decides when each operation starts.
  ///
  /// Then none is given to a worker ahead of time. No run uses up what counts as unlimited.
  var isMetered: Bool { permits < Int.max / 2 }
}

/// The ready operations of one kind in one queue, and what is known of the kind there.
struct KindQueue {
  let queue: QueueID
  let kind: KindID
  var ready = ReadyQueue()
  /// Those of the ready ones that are for fresh workers only.
  var quarantined = ReadyQueue()
  var estimate = PrefetchPolicy.Estimate()
  /// Whether any worker serves the kind, or may.
  var service = Service.possible
  /// What is known of the kind in all queues of the fleet.
  var fleetKind = Dispatcher.closedCounter
  /// Where its ready operations are counted: there, while its queue is open.
  var counter = Dispatcher.closedCounter
  /// In the heap of each configuration that serves it, it is listed under this key or a smaller one;
  /// 0 where it need not be, because its queue has no room.
  var listedUnder = UInt64.max
  /// Whether it is among those that have had its fleet looked at.
  var isTouched = false

  /// An operation that is ready is where workers are given it from.
  mutating func insert(_ key: ReadyKey, isQuarantined: Bool) {
    if isQuarantined { quarantined.insert(key) } else { ready.insert(key) }
  }

  /// An operation is not any more where workers are given it from.
  mutating func remove(_ key: ReadyKey, isQuarantined: Bool) {
    if isQuarantined { quarantined.remove(key) } else { ready.remove(key) }
  }

  mutating func removeAllReady() {
    ready.removeAll()
    quarantined.removeAll()
  }

  enum Service {
    case possible
    /// All worker configurations are known, and none serves the kind.
    case unserved
    /// A worker configuration that serves it was given up.
    case broken

    /// Why an operation fails that waits for it; nil where it need not.
    var failure: EndingCause? {
      switch self {
      case .possible: nil
      case .unserved: .unservedKind
      case .broken: .noWorker
      }
    }
  }
}
