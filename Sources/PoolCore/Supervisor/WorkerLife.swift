import PoolModel

/// What a worker said it can do beyond the minimal profile, as far as decisions depend on it.
package struct WorkerAbilities: Hashable, Sendable {
  /// It accepts operations beyond the one it executes.
  package var prefetches: Bool
  /// It gives back what it has not started.
  package var returns: Bool
  /// It stops an operation when asked to.
  package var stops: Bool
  /// It takes each step of a teardown sequence by itself, and outlives it.
  package var takesSteps: Bool
  /// It says that it is there when asked to, also while it executes.
  package var answersPings: Bool

  package init(
    prefetches: Bool,
    returns: Bool,
    stops: Bool,
    takesSteps: Bool = false,
    answersPings: Bool = false
  ) {
    self.prefetches = prefetches
    self.returns = returns
    self.stops = stops
    self.takesSteps = takesSteps
    self.answersPings = answersPings
  }

  /// One operation at a time, stopped by signals.
  package static let minimal = Self(prefetches: false, returns: false, stops: false)
}

/// The life of one worker process.
///
///     starting ──▶ serving ──▶ ending ──▶ (gone)
///         └───────────┴──────────┴─────────▲
struct WorkerLife {
  enum State: Hashable {
    /// It was spawned and has not greeted. Goes to `serving`, `ending`, or is gone.
    case starting
    /// It takes operations. Goes to `ending`, or is gone.
    case serving
    /// It was signalled, or its input closed: it gets nothing more. Only its exit follows.
    case ending
  }

  let id: WorkerID
  let configuration: ConfigurationID
  var state = State.starting
  var abilities = WorkerAbilities.minimal
  /// What it is at; nil where it has nothing to do.
  var front: WorkFront?
  /// The process group that executes the first of the line, where that is not the worker's own.
  var group: Int32?
  /// How the first of the line is being made to end, if it is.
  var teardown: TeardownWalk?
  /// Whether it was signalled because of an operation that has ended: nothing else is to blame.
  var isSpent = false
  /// Whether it broke the protocol.
  var isViolator = false
  /// Whether it was killed because it stopped within a frame.
  var hasStalled = false
  /// Whether its input was closed because it is not needed: its end is not charged.
  var isRetired = false
  /// When it last said anything.
  var heardAt = Instant.zero
  /// When it was asked whether it is there, if it has said nothing since.
  var pingedAt: Instant?
  /// The frame that it has begun and not finished, if any.
  var frame: FrameProgress?
  /// Since when nothing that it says is read, on purpose; see ``Supervisor/pauseReading(_:at:)``.
  var unreadSince: Instant?
  /// By when it must have greeted, or must have ended; then it is killed.
  var deadline: Instant
  /// Operations it has answered.
  var answered = 0
  /// How many operations it may answer; 0 once it is to be replaced.
  var quota = Int.max
  /// When it is to be replaced.
  var retireAt = Instant.distantFuture

  init(id: WorkerID, configuration: ConfigurationID, deadline: Instant) {
    self.id = id
    self.configuration = configuration
    self.deadline = deadline
  }

  /// Whether it is to be replaced when it is old; compared like this because it is asked often.
  var hasAgeLimit: Bool { retireAt.nanoseconds != Instant.never }

  /// Whether nothing is due for it but because of what it executes or is about to.
  var isUsual: Bool { state == .serving && teardown == nil && pingedAt == nil && !hasAgeLimit }

  /// Whether it has answered as much as it may.
  var isWornOut: Bool { answered >= quota }

  /// It has sent its greeting, and takes operations.
  mutating func greet(_ abilities: WorkerAbilities, _ recycling: Recycling, at now: Instant) {
    precondition(state == .starting, "a worker greets once")
    state = .serving
    self.abilities = abilities
    if let operations = recycling.operations { quota = operations }
    if let age = recycling.age { retireAt = now.advanced(by: age) }
  }
}

/// How an executing operation is being made to end.
struct TeardownWalk: Hashable {
  /// What the operation will have ended as: `cancelled` or `timedOut`.
  var ending: PoolEnding
  /// The next step to take.
  var next: Int
  /// When to take it.
  var at: Instant
  /// Whether the worker has been asked.
  var isAsked = false
}

/// Since when workers have met a shortage, while nothing was executed.
struct Shortage {
  var since: Instant
  /// When a worker met it last.
  var latest: Instant
  /// How many operations were answered by then.
  var answered: Int

  /// The coordinator was away for so long, in which nothing could be executed.
  mutating func postpone(by lateness: Int64) {
    since = since.advanced(by: lateness)
    latest = latest.advanced(by: lateness)
  }
}
