package import PoolModel

/// One way to start workers, and the number of them.
package struct ConfigurationSpec: Hashable, Sendable {
  /// Maximum number of workers alive at once.
  package var count: Int
  /// The kinds that they serve, if known before they greet.
  package var kinds: [KindID]?
  /// Used only for kinds that all other worker configurations, broken ones included, are known not
  /// to serve.
  package var isReserve: Bool
  /// Its workers live in the coordinator's own process, and take none of the fleet's places.
  package var isInProcess = false
  /// When its workers are replaced although they work.
  package var recycling = Recycling.never
  /// Starts all its workers at once, so that their kinds are soon known.
  package var isEager = false

  package init(count: Int, kinds: [KindID]? = nil, isReserve: Bool = false) {
    self.count = count
    self.kinds = kinds
    self.isReserve = isReserve
  }
}

/// The workers of one worker configuration, as the supervisor needs to know them.
struct ConfigurationLife {
  private(set) var spec: ConfigurationSpec
  let fleet: FleetID
  /// Number of workers that were spawned and are not gone.
  var live = 0
  /// Number of workers that have not greeted yet.
  var starting = 0
  /// How many more of its workers may die without any operation answered.
  var budget: RestartBudget
  /// Number of operations answered by workers that are gone.
  var answeredByGone = 0
  /// Whether one of its workers has ever greeted.
  var hasGreeted = false
  /// Whether one of its workers has ever finished anything.
  var hasFinished = false
  /// Number of workers that died, or were silent for too long, before any had greeted.
  var failedStarts = 0
  /// Number of workers that died without a finished operation, since the last worker that finished
  /// one.
  var failures = 0
  /// When the next worker may be started.
  var restartAt = Instant.zero
  /// The shortage of system resources that its workers have met.
  var shortage = ConfigurationShortage()
  /// No more workers are started.
  var isExhausted = false
  /// Whether the shell was told that.
  var hasGivenUp = false

  init(_ spec: ConfigurationSpec, fleet: FleetID, budget: RestartBudget) {
    self.spec = spec
    self.fleet = fleet
    self.budget = budget
  }

  /// The fleet is gone: no worker of the configuration will ever start again.
  mutating func retireForGood() {
    spec.count = 0
  }

  /// A worker has finished its first operation, so workers can be kept alive.
  mutating func endFailures(by worker: WorkerID) {
    hasFinished = true
    shortage.ease(by: worker)
    endWaiting()
  }

  /// An operation was set aside because it explains this number of deaths.
  mutating func discount(_ deaths: Int) {
    budget.discount(deaths)
    endWaiting()
  }

  /// Tries again after it was given up; keeps the back-off while some of its workers live.
  mutating func reopen() {
    isExhausted = false
    hasGivenUp = false
    failedStarts = 0
    shortage = ConfigurationShortage()
    budget = RestartBudget(limit: budget.limit)
    if live == 0 { endWaiting() }
  }

  private mutating func endWaiting() {
    failures = 0
    restartAt = .zero
  }

  /// Whether it has no worker and will start none.
  var isBroken: Bool { isExhausted && live == 0 }

  /// When the next worker may be started.
  var mayStartAt: Instant { max(restartAt, shortage.roomAt) }

  /// Counts the death of a worker that never finished an operation.
  mutating func countDeath(
    _ life: WorkerLife,
    afterWork work: Int,
    _ policy: PoolPolicy,
    at now: Instant
  ) {
    if !hasGreeted { failedStarts += 1 }
    if !budget.allowsRestart(afterWork: work) || failedStarts > policy.firstStartLimit
      // Like a worker that does not begin: others of its configuration would also need long to do
      // nothing.
      || life.hasStalled && !hasFinished
    {
      isExhausted = true
    }
    failures += 1
    guard failures > 1 else { return }
    let delay = policy.restartBackOff.length(after: failures - 1, of: UInt64(life.id.rawValue))
    restartAt = now.advanced(by: delay)
  }
}
