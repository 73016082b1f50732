import PoolModel

/// The workers of one configuration, as the dispatcher needs to know them.
struct ConfigurationWorkers {
  let spec: ConfigurationSpec
  let fleet: FleetID
  /// The kinds that its workers serve; nil until the first has greeted, unless they were known
  /// before.
  var kinds: [KindID]?
  /// The kind queues of these kinds, by their first operation.
  var heads = KindQueueHeap()
  /// Counts and estimates of these kinds, for those of which the fleet had operations.
  var fleetKinds: [FleetKindHandle] = []
  /// Workers without an operation.
  var idle = PositionSet<WorkerHandle>()
  /// Workers that execute an operation and may have room to prefetch.
  var listed: [WorkerHandle] = []
  /// The priority level of the operation that was last given to one of its workers.
  var lastLevel = 0
  /// Number of workers that take operations.
  var openCount = 0
  /// Number of workers that have operations behind the one that executes.
  var holderCount = 0
  /// Earliest time of the next recall in favour of more urgent operations.
  var nextUrgentRecall = Instant.zero
  /// Earliest time of the next recall in favour of idle workers.
  var nextIdleRecall = Instant.zero
  /// Number of workers that will come having executed nothing, without others having to end; kept
  /// while operations are in quarantine.
  var freshComing = 0
  /// Whether it has no live worker and will have none.
  var isBroken = false

  init(_ spec: ConfigurationSpec, fleet: FleetID) {
    self.spec = spec
    self.fleet = fleet
    kinds = spec.kinds
  }

  /// Whether the kind is its own, even if it is broken: before the first greeting it claims every
  /// kind.
  func claims(_ kind: KindID) -> Bool { kinds?.contains(kind) ?? true }
}

/// The ready operations of one kind in all queues of a fleet, and their expected length.
struct FleetKind {
  /// Operations of open queues that workers could be given.
  var readyCount = 0
  /// The length of their executions, for queues that have too few of their own.
  var estimate = PrefetchPolicy.Estimate()
}

/// The queues of a fleet, and the room that its workers have for their operations.
struct FleetRoom {
  /// The configurations, in the order in which they were declared.
  var configurations: [ConfigurationID] = []
  var queues: [QueueID] = []
  /// The entry of each kind of which its queues have had operations.
  var kinds: [KindID: FleetKindHandle] = [:]
  /// The sum of the widths of the open queues.
  var openWidth = 0
  /// Whether it is listed in `dirtyFleets`.
  var isDirty = false
  /// Kind queues whose `isDirty` is set, because they have put the fleet on that list.
  var dirtyKindQueues: [KindQueueHandle] = []
  /// Maximum number of workers.
  var workerLimit = 0
  /// Maximum number of worker processes: the places that operations of several slots take.
  var places = 0
  /// Number of worker processes that have operations.
  var busyCount = 0
  /// Number of places that operations take beyond their own worker's.
  var extraSlots = 0
  /// An operation that needs more places than are free: later ones must wait.
  var reservedFor: OperationID?
}
