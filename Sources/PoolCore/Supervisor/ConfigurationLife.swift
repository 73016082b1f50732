import PoolModel

/// The workers of one worker configuration, as the supervisor needs to know them.
struct ConfigurationLife {
  private(set) var spec: ConfigurationSpec
  /// How many of its workers the user allows, if fewer than there could be; 0 for one that was
  /// withdrawn.
  private(set) var cap: Int
  let fleet: FleetID
  /// Number of workers that were spawned and are not gone.
  var live = 0
  /// Number of workers that have not greeted yet.
  var starting = 0
  /// How many more of its workers may die without any operation answered.
  var budget: RestartBudget
  /// Number of operations answered by workers that are gone.
  var answeredByGone = 0
  /// What its workers have achieved so far.
  var achievement = Achievement.nothing(failedStarts: 0)
  /// Number of workers that died without a finished operation, since the last worker that finished
  /// one.
  var failures = 0
  /// When the next worker may be started.
  var restartAt = Instant.zero
  /// The shortage of system resources that its workers have met.
  var shortage = ConfigurationShortage()
  /// Whether more workers are started.
  private(set) var outlook = Outlook.open

  enum Achievement: Hashable {
    /// None has greeted; so many died, or were silent for too long, before that.
    case nothing(failedStarts: Int)
    /// One has greeted.
    case greeting
    /// One has finished an operation.
    case work
  }

  enum Outlook {
    case open
    /// No more workers are started; the loop may have been told so.
    case exhausted(isAnnounced: Bool)
  }

  init(_ spec: ConfigurationSpec, fleet: FleetID, budget: RestartBudget) {
    self.spec = spec
    cap = spec.cap
    self.fleet = fleet
    self.budget = budget
  }

  /// Lets it have so many workers more.
  mutating func widen(by count: Int) { spec.count += count }

  /// Maximum number of workers alive at once; more of them may be ending.
  var limit: Int { min(spec.count, cap) }

  /// Lets it have so many workers, or as many as there could be.
  ///
  /// More than it was declared with are possible once one has greeted: only then it is known how
  /// many are behind its relay.
  mutating func limit(to count: Int?) {
    cap = count ?? .max
    if hasGreeted { reachCap() }
  }

  private mutating func reachCap() {
    if cap < .max { spec.count = max(spec.count, cap) }
  }

  /// Whether no more workers are started, ever or until it is allowed some again.
  var startsNone: Bool { isExhausted || limit == 0 }

  /// The fleet is gone: no worker of the configuration will ever start again.
  mutating func retireForGood() {
    spec.count = 0
  }

  /// A worker has finished its first operation, so workers can be kept alive.
  mutating func endFailures(by worker: WorkerID) {
    achievement = .work
    shortage.ease(by: worker)
    endWaiting()
  }

  /// An operation was set aside because it explains this number of deaths.
  mutating func discount(_ deaths: Int) {
    budget.discount(deaths)
    endWaiting()
  }

  /// Tries again after it was given up, or withdrawn; keeps the back-off while some of its workers
  /// live.
  mutating func reopen() {
    outlook = .open
    if case .nothing = achievement { achievement = .nothing(failedStarts: 0) }
    shortage = ConfigurationShortage()
    budget = RestartBudget(limit: budget.limit)
    if live == 0 { endWaiting() }
  }

  private mutating func endWaiting() {
    failures = 0
    restartAt = .zero
  }

  /// Whether one of its workers has ever greeted.
  var hasGreeted: Bool { if case .nothing = achievement { false } else { true } }

  /// A worker has greeted; returns whether it is the first.
  mutating func noteGreeting() -> Bool {
    guard !hasGreeted else { return false }
    achievement = .greeting
    reachCap()
    return true
  }

  var isExhausted: Bool { if case .exhausted = outlook { true } else { false } }

  /// No more workers are started.
  mutating func exhaust() {
    if !isExhausted { outlook = .exhausted(isAnnounced: false) }
  }

  /// Returns whether the loop must still be told that no more workers are started; only once.
  mutating func announceExhaustion() -> Bool {
    guard case .exhausted(isAnnounced: false) = outlook else { return false }
    outlook = .exhausted(isAnnounced: true)
    return true
  }

  /// Whether it has no worker and will start none.
  var isBroken: Bool { startsNone && live == 0 }

  /// When the next worker may be started.
  var mayStartAt: Instant { max(restartAt, shortage.roomAt) }

  /// Whether such a death says nothing of its workers: one has worked, and they may be far.
  ///
  /// What a link had in hand when it ended has spent an attempt, so that there is no endless loop.
  var hasLostLink: Bool { spec.isFar && achievement == .work }

  /// A link has ended, or is not there yet: it is tried again, however often; returns whether it is
  /// the first time in a row.
  mutating func noteLostLink(of worker: WorkerID, _ backOff: BackOff, at now: Instant) -> Bool {
    failures += 1
    restartAt = now.advanced(by: backOff.length(after: failures, of: UInt64(worker.rawValue)))
    return failures == 1
  }

  /// Counts the death of a worker that never finished an operation.
  mutating func countDeath(
    _ life: WorkerLife,
    afterWork work: Int,
    _ policy: PoolPolicy,
    at now: Instant
  ) {
    var isHopeless = !budget.allowsRestart(afterWork: work)
    if case .nothing(let failedStarts) = achievement {
      achievement = .nothing(failedStarts: failedStarts + 1)
      isHopeless = isHopeless || failedStarts + 1 > policy.firstStartLimit
    }
    // Like a worker that does not begin: others of its configuration would also need long to do
    // nothing.
    if isHopeless || life.endReasons.contains(.stall) && achievement != .work { exhaust() }
    failures += 1
    guard failures > 1 else { return }
    let delay = policy.restartBackOff.length(after: failures - 1, of: UInt64(life.id.rawValue))
    restartAt = now.advanced(by: delay)
  }
}
