package import PoolModel

/// What the core must know of an operation that is submitted.
package struct OperationSpec: Hashable, Sendable {
  package var kind: KindID
  package var priority: PoolQueuePriority
  /// The longest execution of one attempt, in nanoseconds; nil for no limit.
  package var timeout: Int64?
  /// How often it may be executed again after an attempt that did not succeed.
  package var retries: Int

  package init(
    kind: KindID,
    priority: PoolQueuePriority = .normal,
    timeout: Int64? = nil,
    retries: Int = 0
  ) {
    self.kind = kind
    self.priority = priority
    self.timeout = timeout
    self.retries = retries
  }
}

/// The life of one operation, from its creation to its one outcome.
///
///     created ──▶ waiting ──▶ ready ──▶ held ──▶ executing ──▶ settled
///                               ▲        │           │
///                               └────────┴───────────┘  returned, lost with retries left …
struct OperationLife {
  enum State: Hashable {
    /// Nobody uses the slot. Goes to `created`.
    case free
    /// Known, but not in the queue yet. Goes to `waiting`, `ready`, `doomed` or `settled`.
    case created
    /// As `created`, but a dependency has already ended otherwise than required.
    /// Goes to `settled` when it enters the queue.
    case doomed(by: OperationID)
    /// In the queue; some dependencies have not ended. Goes to `ready` or `settled`.
    case waiting
    /// In the ready queue. Goes to `held` or `settled`.
    case ready
    /// A worker has it and has not started it. Goes to `executing`, `ready` or `settled`.
    case held(WorkerID, DispatchNumber)
    /// A worker executes it. Goes to `ready` or `settled`.
    case executing(WorkerID, DispatchNumber)
    /// Nobody will ask for it again, but a dependency still names it. Goes to `free`.
    case forgotten
    /// Final. For a skipped operation, the root is the dependency that began it all.
    case settled(PoolEnding, root: OperationID)
  }

  var state: State
  /// How often this slot was used before.
  var generation: UInt32
  /// Dependencies that have not ended.
  var unmet: UInt32 = 0
  /// The last edge of the list of dependents.
  var dependents = DependencyGraph.none
  /// The place in the order of submission; meaningful from `waiting` on, until `settled`.
  var position: UInt32 = 0
  /// Executions that have begun.
  var attempt: UInt32 = 0
  var retriesLeft: UInt32 = 0
  var kind: KindID
  var priority: PoolQueuePriority
  /// Somebody asked for its cancellation.
  var isCancelled = false
  /// Nanoseconds; `Int64.max` for none.
  var timeout: Int64
  /// When it last became ready.
  var queuedAt = Instant.zero
  /// When its last attempt began.
  var startedAt = Instant.zero

  init(_ spec: OperationSpec, generation: UInt32) {
    state = .created
    self.generation = generation
    kind = spec.kind
    priority = spec.priority
    timeout = spec.timeout ?? .max
    retriesLeft = UInt32(clamping: spec.retries)
  }

  var key: ReadyKey { ReadyKey(level: priority.level, position: Int(position)) }

  var isSettled: Bool {
    if case .settled = state { return true }
    return false
  }

  /// Whether the operation has been added to the queue and has not settled.
  var isInQueue: Bool {
    switch state {
    case .waiting, .ready, .held, .executing: true
    case .free, .created, .doomed, .forgotten, .settled: false
    }
  }

  /// The dispatch that a worker has, if any.
  var dispatch: (worker: WorkerID, number: DispatchNumber, isExecuting: Bool)? {
    switch state {
    case .held(let worker, let number): (worker, number, false)
    case .executing(let worker, let number): (worker, number, true)
    case .free, .created, .doomed, .waiting, .ready, .forgotten, .settled: nil
    }
  }
}

/// A million of these must stay in tens of megabytes, with twelve bytes an edge beside them.
let operationLifeSizeLimit = 88
