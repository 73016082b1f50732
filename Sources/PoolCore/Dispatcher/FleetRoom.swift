import PoolModel

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
  /// The entry of each kind that its queues have had operations of.
  var kinds: [KindID: FleetKindHandle] = [:]
  /// The sum of the widths of the open queues.
  var openWidth = 0
  /// Whether it is listed in `dirtyFleets`.
  var isDirty = false
  /// Kind queues whose `isDirty` is set, because they have put the fleet on that list.
  var dirtyKindQueues: [KindQueueHandle] = []
  /// Maximum number of workers.
  var workerLimit = 0
  /// Maximum number of worker processes: the slots for operations.
  var slots = 0
  /// Number of worker processes that have operations.
  var busyCount = 0
  /// Number of workers that take operations.
  var openCount = 0
  /// Number of slots that operations take beyond their own worker's.
  var extraSlots = 0
  /// Operations that need several slots, and found too few.
  var waiting = WaitingLists()
  /// An operation that was overtaken too often: slots that become free are reserved for it.
  var reservedFor: OperationID?
}
