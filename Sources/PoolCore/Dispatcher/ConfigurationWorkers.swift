import PoolModel

/// The workers of one configuration, as the dispatcher needs to know them.
struct ConfigurationWorkers {
  var spec: ConfigurationSpec
  let fleet: FleetID
  /// The kinds that its workers serve; nil until the first has greeted, unless they were known
  /// before.
  var kinds: [KindID]?
  /// The kind queues of these kinds, by their first operation.
  var kindQueueHeap = KindQueueHeap()
  /// Counts and estimates of these kinds, for those that the fleet had operations of.
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
  var prefetchingCount = 0
  /// Earliest time of the next recall in favour of more urgent operations.
  var nextUrgentRecall = Instant.zero
  /// Earliest time of the next recall in favour of idle workers.
  var nextIdleRecall = Instant.zero
  /// Number of workers that will come having executed nothing, without others having to end; kept
  /// while operations are suspects.
  var freshComing = 0
  /// Number of slots that the fleet has by it.
  var room = 0
  /// Whether it has no live worker and starts none, as things are.
  var isBroken = false

  init(_ spec: ConfigurationSpec, fleet: FleetID) {
    self.spec = spec
    self.fleet = fleet
    kinds = spec.kinds
  }

  /// Whether the kind is its own, even if it is broken: before the first greeting it claims every
  /// kind.
  func mayServe(_ kind: KindID) -> Bool { kinds?.contains(kind) ?? true }
}
