import PoolModel

/// The life of one operation, from its creation to its one outcome.
///
///     created ──▶ waiting ──▶ preparing ──▶ ready ──▶ held ──▶ executing ──▶ settled
///                    ▲            │          │▲        │           │
///                    └────────────┴──────────┘└────────┴───────────┘
///                     a dependency was added    returned, lost with retries left …
struct OperationLife {
  enum State: Hashable {
    /// Nobody uses the slot. Goes to `created`.
    case free
    /// Known, but not in a queue yet. Goes to `waiting`, `preparing`, `ready`, `willSkip`,
    /// `settled`.
    case created
    /// As `created`, but a dependency has already ended otherwise than required.
    /// Goes to `settled` when it enters a queue, and to `created` when that dependency is removed.
    case willSkip(by: OperationID)
    /// In a queue; some dependencies have not ended. Goes to `preparing`, `ready` or `settled`.
    case waiting
    /// Its dependencies have ended, and the shell evaluates its conditions and inputs.
    /// Goes to `waiting`, `ready` or `settled`.
    case preparing(UInt64)
    /// In the ready queue. Goes to `waiting`, `held` or `settled`.
    case ready
    /// A worker has it and has not started it. Goes to `executing`, `ready` or `settled`.
    case held(WorkerID, DispatchNumber)
    /// A worker executes it. Goes to `ready` or `settled`.
    case executing(WorkerID, DispatchNumber)
    /// Final. For a skipped operation, the root is the dependency that began it all.
    case settled(PoolEnding, root: OperationID)
  }

  var state: State
  /// How often this slot was used before.
  var generation: UInt32
  /// Dependencies that have not ended, and holds that were not released.
  var unmet: UInt32 = 0
  /// Of these, the holds.
  var gateCount: UInt32 = 0
  /// The place in the order of submission; meaningful from `waiting` on, until `settled`.
  var position: UInt32 = 0
  /// Executions that have begun.
  var attempt: UInt32 = 0
  var retriesLeft: UInt32 = 0
  /// The neighbours in its queue's list of operations; `none` at its ends.
  var previous = OperationHandle.none
  var next = OperationHandle.none
  /// Where its claims are kept.
  var claims: ClaimsHandle
  /// What it is dispatched from; `none` outside queues.
  var kindQueue = KindQueueHandle.none
  /// The queue that it has entered, if any.
  var queue: QueueID?
  var kind: KindID
  var slots: UInt16
  var priority: PoolQueuePriority
  /// The most urgent level of those that wait for it and raise their dependencies.
  var inheritedLevel = UInt8.max
  /// What the join has heard from its dependencies so far; see `tally(_:ending:root:)`.
  var tally = PoolEnding.succeeded
  /// Somebody asked for its cancellation.
  var isCancelled = false
  /// Workers may be given it: it is in its kind queue's ready queue.
  var isOffered = false
  /// The worker that has it is a process, and not the coordinator itself.
  var takesPlaces = false
  /// Whether it was last said to be ready or pending, since its creation or its last start.
  var told: OperationChange?
  /// Somebody wants to hear of every change.
  var isObserved = false
  let isBarrier: Bool
  let isJoin: Bool
  /// Whether it is what waits for all of a group's members; see `GroupTable`.
  var isGroupEnd = false
  let raisesDependencies: Bool
  var needsPreparation: Bool
  /// Whether its preparation is over.
  var isPrepared = false
  /// Nanoseconds; `Int64.max` for none.
  var timeout: Int64
  /// When it last became ready.
  var queuedAt = Instant.zero
  /// When its last attempt began.
  var startedAt = Instant.zero

  init(_ spec: borrowing OperationSpec, generation: UInt32, claims: ClaimsHandle) {
    state = .created
    self.generation = generation
    self.claims = claims
    kind = spec.kind
    priority = spec.priority
    slots = UInt16(clamping: max(spec.slots, 1))
    timeout = spec.timeout ?? .max
    retriesLeft = UInt32(clamping: spec.retries)
    isBarrier = spec.isBarrier
    isJoin = spec.isJoin
    raisesDependencies = spec.raisesDependencies
    needsPreparation = spec.needsPreparation
  }

  /// The level that counts: its own, or what was lent to it.
  var level: Int { min(priority.level, Int(inheritedLevel)) }

  var key: ReadyKey { ReadyKey(level: level, position: Int(position)) }

  var hasClaims: Bool { claims != .none }

  var isSettled: Bool {
    if case .settled = state { return true }
    return false
  }

  /// Whether the operation has been added to a queue and has not settled.
  var isInQueue: Bool {
    switch state {
    case .waiting, .preparing, .ready, .held, .executing: queue != nil
    case .free, .created, .willSkip, .settled: false
    }
  }

  /// Whether it can still be told to wait for something.
  var acceptsDependencies: Bool {
    switch state {
    case .created, .willSkip, .waiting, .preparing, .ready: true
    case .free, .held, .executing, .settled: false
    }
  }

  /// The dispatch that a worker has, if any.
  var dispatch: (worker: WorkerID, number: DispatchNumber, isExecuting: Bool)? {
    switch state {
    case .held(let worker, let number): (worker, number, false)
    case .executing(let worker, let number): (worker, number, true)
    case .free, .created, .willSkip, .waiting, .preparing, .ready, .settled: nil
    }
  }
}

/// A million of these must stay in a hundred megabytes, with 28 bytes an edge beside them.
let operationLifeSizeLimit = 120
