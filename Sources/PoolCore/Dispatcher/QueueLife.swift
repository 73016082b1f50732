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
  /// Number of ready operations that contend for units or slots.
  var contenderCount = 0
  /// Number of those that need several slots, while it is open.
  var wideCount = 0
  /// The kind queue of each kind, by the kind's number; `none` if there is none yet.
  var queueOfKind: [KindQueueHandle] = []
  /// An operation that was overtaken too often: slots that become free are reserved for it.
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
