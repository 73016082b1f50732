import PoolModel

/// The life of one worker process.
///
///     starting ──▶ serving ──▶ ending ──▶ (gone)
///         └───────────┴──────────┴─────────▲
struct WorkerLife {
  enum State {
    /// It was spawned and has not greeted. Goes to `serving`, `ending`, or is gone.
    case starting
    /// It takes operations. Goes to `ending`, or is gone.
    case serving
    /// It was signalled, or its input closed: it gets nothing more. Only its exit follows.
    case ending(Reasons)
  }

  /// Why a worker ends; more may be added until its exit.
  struct Reasons: OptionSet {
    let rawValue: UInt8
    /// It was signalled for an operation that has ended, so that its death blames no other.
    static let spent = Self(rawValue: 1)
    /// It broke the protocol.
    static let violation = Self(rawValue: 2)
    /// It was killed because it stopped within a frame.
    static let stall = Self(rawValue: 4)
    /// Its input was closed because it is not needed, so that its end is no failure.
    static let retirement = Self(rawValue: 8)
  }

  let id: WorkerID
  let configuration: ConfigurationID
  var state = State.starting
  var capabilities: Set<Capability> = []
  /// Its first operation; nil if it has none.
  var head: HeadOperation?
  /// When its first operation can have begun at the earliest: the one before had ended.
  var earliestStart = Instant.zero
  /// The process group of its first operation, if that is not the worker's own.
  var group: Int32?
  /// The teardown of its first operation, if that has begun.
  var teardown: TeardownProgress?
  /// When it greeted; nil before that.
  var greetedAt: Instant?
  /// When it last sent anything.
  var lastReceivedAt = Instant.zero
  /// When it was pinged, if it has sent nothing since.
  var pingedAt: Instant?
  /// Its unfinished frame, if any.
  var frame: FrameProgress?
  /// Since when it is not read, on purpose; see ``Supervisor/pauseReading(_:at:)``.
  var unreadSince: Instant?
  /// When it is killed unless it has greeted, or has ended.
  var deadline: Instant
  /// Number of operations that it has answered.
  var answered = 0
  /// Maximum number of operations that it answers; 0 once it is to be replaced.
  var quota = Int.max
  /// When it has certainly ended unless its lease is renewed; nil without a lease.
  var leasedUntil: Instant?
  /// Whether it was stopped, and has not said yet that it goes on: its lease may be a longer one.
  var isStopped = false
  /// What is not known of it since it cannot be reached.
  var doubt: WorkerDoubt?
  /// When it is to be replaced.
  var retireAt = Instant.distantFuture

  init(id: WorkerID, configuration: ConfigurationID, deadline: Instant) {
    self.id = id
    self.configuration = configuration
    self.deadline = deadline
  }

  var isStarting: Bool { if case .starting = state { true } else { false } }
  var isServing: Bool { if case .serving = state { true } else { false } }
  var isEnding: Bool { if case .ending = state { true } else { false } }

  /// Why it ends; empty before that.
  var endReasons: Reasons { if case .ending(let reasons) = state { reasons } else { [] } }

  /// Adds a reason for the end of an ending worker.
  mutating func note(_ reason: Reasons) {
    precondition(isEnding, "only the end of a worker has reasons")
    state = .ending(endReasons.union(reason))
  }

  /// Whether it is replaced at some age; compared as a number, because it is asked often.
  var hasAgeLimit: Bool { retireAt.nanoseconds != Instant.never }

  /// Whether all its deadlines follow from its first operation.
  var isUsual: Bool {
    isServing && teardown == nil && pingedAt == nil && !hasAgeLimit && leasedUntil == nil
  }

  /// Whether it has answered its maximum number of operations.
  var isWornOut: Bool { answered >= quota }

  /// It has sent its greeting, and takes operations.
  mutating func greet(_ capabilities: Set<Capability>, _ recycling: Recycling, at now: Instant) {
    precondition(isStarting, "a worker greets once")
    state = .serving
    greetedAt = now
    self.capabilities = capabilities
    if let operations = recycling.operations { quota = operations }
    if let age = recycling.age { retireAt = now.advanced(by: age) }
  }
}

/// The teardown of an executing operation.
struct TeardownProgress: Hashable {
  /// The ending that the operation will have: `cancelled` or `timedOut`.
  var ending: PoolEnding
  /// When it began.
  let start: Instant
  /// The index of the next step.
  var next: Int
  /// When to take it.
  var at: Instant
  /// Whether the worker has been asked to cancel.
  var isAsked = false
}
