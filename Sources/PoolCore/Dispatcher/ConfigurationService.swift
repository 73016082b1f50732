import PoolModel

/// The workers of one configuration, as far as it matters what they are given.
struct ConfigurationService {
  let spec: ConfigurationSpec
  let fleet: FleetID
  /// What its workers serve; nil until the first has greeted, unless known before.
  var kinds: [KindID]?
  /// The kind queues of these kinds, by what is first in them.
  var heads = KindQueueHeap()
  /// What is known of these kinds, as far as there were operations of them.
  var fleetKinds: [FleetKindHandle] = []
  /// Workers that have nothing to do.
  var idle = PositionSet<WorkerHandle>()
  /// Workers that execute something and may have room behind it.
  var listed: [WorkerHandle] = []
  /// The priority level of what its workers were given last.
  var lastLevel = 0
  /// How many workers take operations.
  var openCount = 0
  /// How many workers hold something behind what they execute.
  var holderCount = 0
  /// When a line may next be asked back for what is more urgent.
  var mayHurryAt = Instant.zero
  /// When to look next for a line that idle workers may recallForIdle.
  var mayRelieveAt = Instant.zero
  /// How many workers that have executed nothing will come without others having to go; known
  /// while operations are in quarantine.
  var freshComing = 0
  /// Whether no worker of it lives, and none will.
  var isBroken = false

  init(_ spec: ConfigurationSpec, fleet: FleetID) {
    self.spec = spec
    self.fleet = fleet
    kinds = spec.kinds
  }

  /// Whether the kind is its own, broken or not: workers that have never greeted might serve
  /// anything.
  func claims(_ kind: KindID) -> Bool { kinds?.contains(kind) ?? true }
}

/// A kind of operations in all queues of a fleet.
struct FleetKind {
  /// Those that workers could be given, in queues that are open.
  var readyCount = 0
  /// How long they take: for queues that have too few to know it.
  var estimate = PrefetchPolicy.Estimate()
}

/// The queues of a fleet, and the room that its workers have for what is in them.
struct FleetRoom {
  /// In the order in which they were declared.
  var configurations: [ConfigurationID] = []
  var queues: [QueueID] = []
  /// What is known of each kind of which there were operations in these queues.
  var kinds: [KindID: FleetKindHandle] = [:]
  /// The sum of what the open ones let workers have at once.
  var openWidth = 0
  /// Whether it is among the changedFleets.
  var isRestless = false
  /// Kind queues that know that it is.
  var touched: [KindQueueHandle] = []
  /// Workers it may have.
  var workerLimit = 0
  /// Workers it may have that are processes: the places that operations of several slots take.
  var places = 0
  /// Such workers that have something to do.
  var busyCount = 0
  /// Places that operations take beyond their workers' own.
  var extraSlots = 0
  /// An operation that wants more places than are free: others must wait.
  var reservedFor: OperationID?
}
