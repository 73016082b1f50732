import PoolModel

/// One queue: what is in it, how much of it may be with workers, and what holds it back.
struct QueueLife {
  /// The index of its fleet.
  let fleet: FleetID
  /// While true, nothing is dispatched; what was dispatched goes on.
  var isSuspended = false
  /// How many slots of operations workers may have at once.
  var width = Int.max
  /// Operations that were added and have not settled.
  var unsettledCount = 0
  /// Slots of operations that workers have.
  var assignedSlots = 0
  /// Ready operations with claims.
  var claimantCount = 0
  /// The first and the last of its operations that have not settled, in the order of submission.
  var first = OperationHandle.none
  var last = OperationHandle.none
  /// What waits for all before the latest barrier, and what all after it wait for.
  var gatesIn: OperationID?
  var gatesOut: OperationID?
  /// The kind queue of each kind, by the kind's number; `none` where there is none yet.
  var queueOfKind: [KindQueueHandle] = []
  /// An operation that wants more slots than are free: what is behind it must wait.
  var reservedFor: OperationID?
  /// Whether all changes of all its operations are told.
  var isObserved = false
  /// Whether some of its operations have positions by their ranks.
  var isRanked = false
  /// Whether nobody can add to it any more: it is forgotten when it is empty.
  var isDropped = false

  init(fleet: FleetID) {
    self.fleet = fleet
  }

  /// Whether its ready operations may be dispatched at all.
  var isOpen: Bool { !isSuspended && width > 0 }

  /// Whether workers may have more of its operations than they have.
  var hasRoom: Bool { !isSuspended && assignedSlots < width }
}

/// The ready operations of one kind in one queue, and what is known of the kind there.
struct KindQueue {
  let queue: QueueID
  let kind: KindID
  var ready = ReadyQueue()
  /// Those of the ready ones that are for fresh workers only.
  var suspects = ReadyQueue()
  var estimate = PrefetchPolicy.Estimate()
  /// Whether any worker serves the kind, or may.
  var service = Service.possible

  /// An operation that is ready is where workers are given it from.
  mutating func insert(_ key: ReadyKey, isSuspect: Bool) {
    if isSuspect { suspects.insert(key) } else { ready.insert(key) }
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
  }
}

/// A set of workers, and the queues that share them.
struct FleetLife {
  /// Indices of its worker configurations and its queues, in the order in which they were declared.
  var configurations: [ConfigurationID] = []
  var queues: [QueueID] = []
  /// Workers it may have that are processes: the places that operations of several slots take.
  var places = 0
  /// Such workers that have something to do.
  var busyCount = 0
  /// Places that operations take beyond their workers' own.
  var extraSlots = 0
  /// An operation that wants more places than are free: others must wait.
  var reservedFor: OperationID?
  /// Whether some of its worker configurations were given up.
  var hasGivenUp = false
  /// No worker is started any more.
  var isClosing = false
  /// It was closed and has no workers any more; some of its queues may be left.
  var isGone = false
}
