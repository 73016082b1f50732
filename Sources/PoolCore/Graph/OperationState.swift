import PoolModel

/// Where an operation stands.
///
///     created ──▶ waiting ──▶ preparing ──▶ ready ──▶ dispatched ──▶ executing ──▶ settled
///                    ▲            │          │▲          │              │
///                    └────────────┴──────────┘└──────────┴──────────────┘
///                     a dependency was added    returned, lost with retries left …
enum OperationState: Hashable {
  /// The place is vacant. Goes to `created`, or to `waiting` for what stays hidden.
  case free
  /// Known, but not in a queue yet. Goes to `waiting`, `willSkip` or `settled`.
  case created(isCancelled: Bool)
  /// As `created`, but a dependency has already ended otherwise than required. Goes to `waiting`,
  /// and on to `settled`, when it enters a queue, and to `created` when that dependency is removed.
  case willSkip(by: OperationID, isCancelled: Bool)
  /// In a queue, or hidden; some dependencies have not ended. Goes to `preparing`, `ready` or
  /// `settled`.
  case waiting
  /// Its dependencies have ended, and the shell evaluates its conditions and inputs.
  /// Goes to `waiting`, `ready` or `settled`.
  case preparing(UInt64)
  /// It waits for a worker, which it may be given while it is offered. Goes to `waiting`,
  /// `dispatched` or `settled`.
  case ready(isOffered: Bool)
  /// A worker has it and has not started it. Goes to `executing`, `ready` or `settled`.
  case dispatched(OperationDispatch)
  /// A worker executes it. Goes to `waiting`, `ready` or `settled`.
  case executing(OperationDispatch)
  /// Final. For a skipped operation, the root is the dependency that began it all.
  case settled(PoolEnding, root: OperationID)
}

/// What is known of an operation while a worker has it.
struct OperationDispatch: Hashable {
  let worker: WorkerHandle
  /// The worker is a process, and not the coordinator itself.
  let takesPlaces: Bool
  /// The operation's cancellation was asked for.
  var isCancelled = false
  let number: DispatchNumber
}

extension OperationState {
  var isFree: Bool { self == .free }

  var isReady: Bool {
    if case .ready = self { return true }
    return false
  }

  var isOffered: Bool {
    if case .ready(let isOffered) = self { return isOffered }
    return false
  }

  var isExecuting: Bool {
    if case .executing = self { return true }
    return false
  }

  var isSettled: Bool {
    if case .settled = self { return true }
    return false
  }

  /// Whether it is known, and has not entered a queue.
  var isOutside: Bool {
    switch self {
    case .created, .willSkip: true
    case .free, .waiting, .preparing, .ready, .dispatched, .executing, .settled: false
    }
  }

  /// Whether it is on its way from its queue to its outcome.
  var isLive: Bool {
    switch self {
    case .waiting, .preparing, .ready, .dispatched, .executing: true
    case .free, .created, .willSkip, .settled: false
    }
  }

  /// Whether it can still be told to wait for something.
  var acceptsDependencies: Bool {
    switch self {
    case .created, .willSkip, .waiting, .preparing, .ready: true
    case .free, .dispatched, .executing, .settled: false
    }
  }

  /// Whether its cancellation was asked for, and it has not ended.
  var isCancelled: Bool {
    switch self {
    case .created(let isCancelled), .willSkip(_, let isCancelled): isCancelled
    case .dispatched(let dispatch), .executing(let dispatch): dispatch.isCancelled
    case .free, .waiting, .preparing, .ready, .settled: false
    }
  }

  /// What a worker has, if one does.
  var dispatch: OperationDispatch? {
    switch self {
    case .dispatched(let dispatch), .executing(let dispatch): dispatch
    case .free, .created, .willSkip, .waiting, .preparing, .ready, .settled: nil
    }
  }
}

extension OperationState {
  /// Whether a worker has it that is a process, and not the coordinator itself.
  var takesPlaces: Bool { dispatch?.takesPlaces ?? false }
}

/// What an operation is for; one that is executed may be a barrier as well.
package enum OperationRole: UInt8, Sendable {
  /// It is executed.
  case plain
  /// It executes nothing, and ends when its members have: as succeeded where all have succeeded,
  /// else as the gravest of them. No barrier holds it back, or waits for it.
  case group
  /// It is executed, and has ended when its members have, which wait until it executes.
  case executedGroup
  /// The hidden entry or exit of a barrier, which replaces an edge to each operation beside it.
  case barrierEnd
  /// It stands behind a group that is executed, hidden: what waits for that waits for it.
  case groupEnd

  /// Whether no user has made it.
  var isHidden: Bool {
    @inline(__always) get { self == .barrierEnd || self == .groupEnd }
  }

  /// Whether it ends when all that it waits for has ended, without a worker.
  var executesNothing: Bool { self == .group || isHidden }

  /// Whether others can be its members.
  var hasMembers: Bool { self == .group || self == .executedGroup }
}

/// Whether conditions and inputs must be evaluated before an operation is ready.
enum OperationPreparation: UInt8 {
  case unneeded, needed, done
}
