import PoolModel

/// The record of one operation, from its creation to its one outcome: its state, its properties,
/// and what the dispatcher needs to place it.
struct OperationLife {
  /// Changed only by the methods of this file.
  private(set) var state: OperationState
  /// How often this handle was used before.
  let generation: UInt32
  /// Number of dependencies that have not ended and gates that are not open.
  var unmet: UInt32 = 0
  /// Number of gates that are not open.
  var gateCount: UInt32 = 0
  /// The position in the order of submission; valid from `waiting` on, until `settled`.
  var position: UInt32 = 0
  /// Number of executions that have begun.
  private(set) var attempt: UInt32 = 0
  var retriesLeft: UInt32 = 0
  /// The neighbours in its queue's list of operations; `none` at its ends.
  var previous = OperationHandle.none
  var next = OperationHandle.none
  /// The place of its claims in the resource table.
  var claims: ClaimsHandle
  /// The group whose claims it shares and whose time it counts for; `none` for most.
  var group = OperationHandle.none
  /// The kind queue from which it is dispatched; `none` outside queues.
  var kindQueue = KindQueueHandle.none
  let kind: KindID
  /// The queue that it has entered, if any.
  var queue: QueueID?
  let slots: UInt16
  var priority: PoolQueuePriority
  /// The most urgent level inherited from dependents that raise their dependencies.
  var inheritedLevel = UInt8.max
  /// For a group, the gravest ending of a member so far; see `tally(_:_:_:)`.
  var tally = PoolEnding.succeeded
  /// Whether `ready` or `pending` was reported last, since its creation or its last start.
  var lastNotified: OperationChange?
  let role: OperationRole
  /// Whether it waits for everything added to its queue before it, and holds back what follows.
  let isBarrier: Bool
  /// Whether it is repeated where it is in doubt whether it was executed.
  let isIdempotent: Bool
  private(set) var preparation: OperationPreparation
  /// Whether every change is reported.
  var isObserved = false
  let raisesDependencies: Bool
  /// Nanoseconds; `Int64.max` for none.
  let timeout: Int64
  /// When it last became ready.
  var queuedAt = Instant.zero
  /// When its last attempt began; in the far future where that was in an earlier run.
  private(set) var startedAt = Instant.distantFuture

  init(
    _ spec: borrowing OperationSpec,
    as role: OperationRole,
    generation: UInt32,
    claims: ClaimsHandle
  ) {
    state = role.isHidden ? .waiting : .created(isCancelled: false)
    self.generation = generation
    self.claims = claims
    self.role = role
    isBarrier = spec.isBarrier
    isIdempotent = spec.isIdempotent
    kind = spec.kind
    priority = spec.priority
    let spent = UInt32(clamping: spec.earlier?.count ?? 0)
    attempt = spent
    slots = UInt16(clamping: max(spec.slots, 1))
    timeout = spec.timeout ?? .max
    let retries = UInt32(clamping: spec.retries)
    retriesLeft = retries > spent ? retries - spent : 0
    raisesDependencies = spec.raisesDependencies
    preparation = spec.needsPreparation ? .needed : .unneeded
  }

  /// The level that counts: its own or the inherited one, whichever is more urgent.
  var level: Int { min(priority.level, Int(inheritedLevel)) }

  var key: ReadyKey { ReadyKey(level: level, position: Int(position)) }

  var hasClaims: Bool { claims != .none }

  /// Whether it contends with others for units, or for several slots at once.
  var contends: Bool { hasClaims || slots > 1 }

  /// Whether it has been added to a queue and has not settled.
  var isInQueue: Bool { queue != nil && state.isLive }
}

/// A million of these must fit into about a hundred megabytes, with 28 bytes for each edge beside
/// them.
let operationLifeSizeLimit = 112

// MARK: - Transitions

extension OperationLife {
  /// Its handle is freed.
  mutating func free() {
    state = .free
  }

  /// A dependency has ended in a way that does not meet the requirement, before the operation
  /// entered a queue.
  mutating func willSkip(by root: OperationID) {
    guard case .created(let isCancelled) = state else { return }
    state = .willSkip(by: root, isCancelled: isCancelled)
  }

  /// The dependency that did not meet the requirement was removed.
  mutating func withdrawSkip() {
    guard case .willSkip(_, let isCancelled) = state else { return }
    state = .created(isCancelled: isCancelled)
  }

  /// It enters a queue; returns its state before.
  mutating func enter() -> OperationState {
    precondition(state.isOutside, "an operation is added once")
    defer { state = .waiting }
    return state
  }

  /// It must wait for a dependency, or for its next attempt.
  mutating func wait() {
    precondition(state.isLive, "a waiting operation is in a queue")
    state = .waiting
  }

  /// It must wait, and its preparation may be out of date.
  mutating func waitUnprepared() {
    wait()
    if preparation == .done { preparation = .needed }
  }

  /// It must be prepared before it is ready.
  mutating func requestPreparation() {
    preparation = .needed
  }

  /// Its conditions and inputs are evaluated.
  mutating func prepare(_ number: UInt64) {
    precondition(state == .waiting, "an operation waits before it is prepared")
    state = .preparing(number)
  }

  /// Its conditions hold, and its inputs are there.
  mutating func endPreparation() {
    preparation = .done
  }

  /// It waits for a worker.
  mutating func becomeReady() {
    precondition(state.isLive, "a ready operation is in a queue")
    state = .ready(isOffered: false)
  }

  /// Workers may be given it, or no longer.
  mutating func setOffered(_ isOffered: Bool) {
    precondition(state.isReady, "only a ready operation is offered")
    state = .ready(isOffered: isOffered)
  }

  /// A worker is given it.
  mutating func dispatch(_ dispatch: OperationDispatch) {
    precondition(state.isReady, "only a ready operation is dispatched")
    state = .dispatched(dispatch)
  }

  /// Its worker begins to execute it.
  mutating func execute(at now: Instant) {
    guard case .dispatched(let dispatch) = state else {
      preconditionFailure("only an operation that a worker has is executed")
    }
    state = .executing(dispatch)
    attempt += 1
    lastNotified = nil
    startedAt = now
  }

  /// Its worker began it at another time than that of its report.
  mutating func moveStart(to time: Instant) {
    startedAt = time
  }

  /// Its worker reported a start, but has not begun it.
  mutating func revokeAttempt() {
    precondition(state.isExecuting, "only a reported attempt can be revoked")
    attempt -= 1
  }

  /// Marks it as cancelled; it ends as soon as it can.
  mutating func cancel() {
    switch state {
    case .created: state = .created(isCancelled: true)
    case .willSkip(let root, _): state = .willSkip(by: root, isCancelled: true)
    case .dispatched(var dispatch):
      dispatch.isCancelled = true
      state = .dispatched(dispatch)
    case .executing(var dispatch):
      dispatch.isCancelled = true
      state = .executing(dispatch)
    case .open: state = .open(.cancelled)
    // These settle at once or have settled.
    case .free, .waiting, .preparing, .ready, .settled: break
    }
  }

  /// A group holds its members back no longer.
  mutating func open() {
    precondition(state.isLive, "an open group is in a queue")
    state = .open(.undecided)
  }

  /// The end of the open group is decided, but not because it was cancelled.
  mutating func beginEnding() {
    precondition(state == .open(.undecided), "the end of a group is decided once")
    state = .open(.ending)
  }

  /// A member of the group executes for the first time.
  mutating func begin(at now: Instant) {
    guard attempt == 0 else { return }
    attempt = 1
    startedAt = now
  }

  /// It has its outcome.
  mutating func settle(_ ending: PoolEnding, root: OperationID) {
    precondition(!state.isSettled, "an operation settles once")
    state = .settled(ending, root: root)
    unmet = 0
    gateCount = 0
  }
}
