import PoolModel

/// One queue: its limits, and how much of it workers have.
struct QueueLife {
  let fleet: FleetID
  /// While true, nothing is dispatched; dispatched operations go on.
  var isSuspended = false
  /// Maximum number of slots that its operations take at once.
  var width = Int.max
  /// Number of further dispatches; each takes one, until the caller grants more.
  var permits = Int.max
  /// Number of slots that its operations take.
  var assignedSlots = 0
  /// Number of ready operations with claims.
  var claimantCount = 0
  /// The kind queue of each kind, by the kind's number; `none` if there is none yet.
  var queueOfKind: [KindQueueHandle] = []
  /// An operation that needs more slots than are free: later ones must wait.
  var reservedFor: OperationID?
  /// Kind queues that have ready operations and are in no heap, because the queue has no room.
  var parked: [KindQueueHandle] = []
  /// Its index among the queues of its fleet.
  var place = 0

  init(fleet: FleetID) {
    self.fleet = fleet
  }

  /// Whether its ready operations may be dispatched at all, now or after others end.
  var isOpen: Bool { !isSuspended && width > 0 }

  /// The width, limited so that widths can be summed; 0 while it is closed.
  var openWidth: Int { isOpen ? min(width, 1 << 32) : 0 }

  /// Whether one more of its operations may be dispatched now.
  var hasRoom: Bool { !isSuspended && assignedSlots < width && permits > 0 }

  /// Whether the caller decides when each operation starts.
  ///
  /// Then no operation is prefetched. Permits of at least half of `Int.max` count as unlimited; no
  /// run uses them up.
  var isMetered: Bool { permits < Int.max / 2 }
}

/// The ready operations of one kind in one queue, and the estimates for them.
struct KindQueue {
  let queue: QueueID
  let kind: KindID
  var ready = ReadyQueue()
  /// Those of the ready operations that are in quarantine, for fresh workers only.
  var quarantined = ReadyQueue()
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
  mutating func insert(_ key: ReadyKey, isQuarantined: Bool) {
    if isQuarantined { quarantined.insert(key) } else { ready.insert(key) }
  }

  /// No longer offers an operation to workers.
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
