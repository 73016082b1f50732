import PoolModel

/// Where an operation stands.
///
///     created ──▶ waiting ──▶ preparing ──▶ ready ──▶ dispatched ──▶ executing ──▶ settled
///                    ▲            │          │▲          │              │
///                    └────────────┴──────────┘└──────────┴──────────────┘
///                     a dependency was added    returned, lost with retries left …
///
/// A gated group is never ready: it goes from `waiting` or `preparing` to `open`.
enum OperationState: Hashable {
  /// The handle is free. Goes to `created`, or to `waiting` for a hidden operation.
  case free
  /// Exists, but is not in a queue yet. Goes to `waiting`, `willSkip` or `settled`.
  case created(isCancelled: Bool)
  /// As `created`, but a dependency has ended without meeting the requirement. Goes to `waiting`,
  /// and on to `settled`, when it enters a queue, and to `created` when that dependency is removed.
  case willSkip(by: OperationID, isCancelled: Bool)
  /// In a queue, or hidden; some dependencies have not ended. Goes to `preparing`, `ready`, `open`
  /// or `settled`.
  case waiting
  /// Its dependencies have ended, and the loop evaluates its conditions and inputs.
  /// Goes to `waiting`, `ready`, `open` or `settled`.
  case preparing(UInt64)
  /// It waits for a worker; while it is offered, a worker may be given it. Goes to `waiting`,
  /// `dispatched` or `settled`.
  case ready(isOffered: Bool)
  /// A worker has it and has not started it. Goes to `executing`, `ready` or `settled`.
  case dispatched(OperationDispatch)
  /// A worker executes it. Goes to `waiting`, `ready` or `settled`.
  case executing(OperationDispatch)
  /// A group whose members are held back no longer, or have been cancelled. Goes to `settled` when
  /// all have ended.
  case open(OpenGroupCourse)
  /// Final. For a skipped operation, the root is the operation whose ending caused the skip.
  case settled(PoolEnding, root: OperationID)
}

/// What becomes of an open group.
enum OpenGroupCourse: Hashable {
  /// It ends as its members do.
  case undecided
  /// Its end is decided, such as by its timeout, and its members are cancelled.
  case ending
  /// It was cancelled, also while it was ending, and its members are cancelled.
  case cancelled
}

/// The dispatch of an operation that a worker has.
struct OperationDispatch: Hashable {
  let worker: WorkerHandle
  /// The worker is a process, and not the coordinator itself.
  let takesSlots: Bool
  /// The operation is to be cancelled.
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

  var isOpen: Bool {
    if case .open = self { return true }
    return false
  }

  var isSettled: Bool {
    if case .settled = self { return true }
    return false
  }

  /// Whether it exists and has not entered a queue.
  var isOutside: Bool {
    switch self {
    case .created, .willSkip: true
    case .free, .waiting, .preparing, .ready, .dispatched, .executing, .open, .settled: false
    }
  }

  /// Whether it is in a queue and has no outcome yet.
  var isLive: Bool {
    switch self {
    case .waiting, .preparing, .ready, .dispatched, .executing, .open: true
    case .free, .created, .willSkip, .settled: false
    }
  }

  /// Whether it still accepts dependencies and gates.
  var acceptsDependencies: Bool {
    switch self {
    case .created, .willSkip, .waiting, .preparing, .ready: true
    case .free, .dispatched, .executing, .open, .settled: false
    }
  }

  /// Whether it was cancelled and has not ended.
  var isCancelled: Bool {
    switch self {
    case .created(let isCancelled), .willSkip(_, let isCancelled): isCancelled
    case .dispatched(let dispatch), .executing(let dispatch): dispatch.isCancelled
    case .open(let course): course == .cancelled
    case .free, .waiting, .preparing, .ready, .settled: false
    }
  }

  /// Whether it is an open group whose members are cancelled.
  var isEnding: Bool {
    switch self {
    case .open(let course): course != .undecided
    case .free, .created, .willSkip, .waiting, .preparing, .ready, .dispatched, .executing,
      .settled:
      false
    }
  }

  /// The current dispatch, if a worker has the operation.
  var dispatch: OperationDispatch? {
    switch self {
    case .dispatched(let dispatch), .executing(let dispatch): dispatch
    case .free, .created, .willSkip, .waiting, .preparing, .ready, .open, .settled: nil
    }
  }
}

extension OperationState {
  /// Whether a worker process has it, and not the coordinator itself.
  var takesSlots: Bool { dispatch?.takesSlots ?? false }
}

/// What an operation does; one that is executed, or a gated group, may also be a barrier.
package enum OperationRole: UInt8, Sendable {
  /// It is executed.
  case plain
  /// It executes nothing, and ends when its members have ended: as succeeded if all have succeeded,
  /// else with the gravest of their endings. Barriers neither hold it back nor wait for it.
  case group
  /// A group whose members wait until its dependencies have ended. It takes its place among
  /// barriers, and its members have barriers of their own.
  case gatedGroup
  /// The hidden entry or exit of a barrier, which replaces an edge to each operation beside it.
  case barrierEnd
  /// The hidden end of a gated group; it waits for the members, and dependents of the group for it.
  case groupEnd

  /// Whether the graph has created it, and no user.
  var isHidden: Bool {
    @inline(__always) get { self == .barrierEnd || self == .groupEnd }
  }

  /// Whether it ends without a worker, when all that it waits for has ended.
  var executesNothing: Bool { self == .group || isHidden }

  /// Whether it keeps the gravest ending of what it waits for.
  var hasTally: Bool {
    @inline(__always) get { self == .group || self == .groupEnd }
  }

  /// Whether it can have members.
  var hasMembers: Bool {
    @inline(__always) get { self == .group || self == .gatedGroup }
  }
}

/// Whether conditions and inputs must be evaluated before an operation is ready.
enum OperationPreparation: UInt8 {
  case unneeded, needed, done
}
