package import PoolModel

/// One way to start workers, and how many to keep alive.
package struct ConfigurationSpec: Hashable, Sendable {
  /// How many workers may live at once.
  package var count: Int
  /// What they serve, where that is known before they greet.
  package var kinds: [KindID]?
  /// Used only for kinds that all other worker configurations are known not to serve, dead or
  /// alive.
  package var isReserve: Bool
  /// Its workers live in the coordinator's own process, and take none of the fleet's places.
  package var isInProcess = false
  /// When its workers are replaced that still work.
  package var recycling = Recycling.never
  /// All of its workers are started at once, so that it is soon known what they serve.
  package var isEager = false

  package init(count: Int, kinds: [KindID]? = nil, isReserve: Bool = false) {
    self.count = count
    self.kinds = kinds
    self.isReserve = isReserve
  }
}

/// The workers of one worker configuration, as far as their lives go.
struct ConfigurationLife {
  private(set) var spec: ConfigurationSpec
  let fleet: FleetID
  /// Workers that were spawned and are not gone.
  var live = 0
  /// Of these, the ones that have not greeted.
  var starting = 0
  /// How many of its workers may still die without work done.
  var budget: RestartBudget
  /// Operations that workers of it have answered which are gone.
  var answeredByGone = 0
  /// Whether one of its workers has ever greeted.
  var hasGreeted = false
  /// Whether one of its workers has ever finished anything.
  var hasFinished = false
  /// Workers that died, or were silent for too long, before any had greeted.
  var failedStarts = 0
  /// Workers that died without having finished anything, since one has.
  var failures = 0
  /// When the next worker may be started.
  var restartAt = Instant.zero
  /// What the system has too little of for its workers.
  var shortage = ConfigurationShortage()
  /// No more workers are started.
  var isExhausted = false
  /// Whether that was told.
  var hasGivenUp = false

  init(_ spec: ConfigurationSpec, fleet: FleetID, budget: RestartBudget) {
    self.spec = spec
    self.fleet = fleet
    self.budget = budget
  }

  /// Its fleet is gone: no worker of it is ever started again.
  mutating func retireForGood() {
    spec.count = 0
  }

  /// One of its workers has finished something, its first: they can be kept alive.
  mutating func endFailures(by worker: WorkerID) {
    hasFinished = true
    shortage.ease(by: worker)
    endWaiting()
  }

  /// An operation explains so many deaths of its workers: it has been set aside.
  mutating func discount(_ deaths: Int) {
    budget.discount(deaths)
    endWaiting()
  }

  /// It was given up, and begins anew; while some of its workers live, it does not
  /// makeRoomForUrgent.
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

  /// Whether nothing can be expected of it any more.
  var isBroken: Bool { isExhausted && live == 0 }

  /// When the next worker may be started.
  var mayStartAt: Instant { max(restartAt, shortage.roomAt) }

  /// Counts the death of a worker that never finished anything.
  mutating func countDeath(
    _ life: WorkerLife,
    afterWork work: Int,
    _ policy: PoolPolicy,
    at now: Instant
  ) {
    if !hasGreeted { failedStarts += 1 }
    if !budget.allowsRestart(afterWork: work) || failedStarts > policy.firstStartLimit
      // As one that does not begin at all: its twins, too, would take long to do nothing.
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
