package import PoolModel

/// Which workers live, which are asked to end and how, and which are replaced.
///
/// It knows nothing of queues or dependencies. It is told what a worker is at as an ``Assignment``,
/// and what workers are needed for as a ``WorkerDemand``. What the dispatcher must hear is listed
/// as ``News`` until the caller has taken it.
package struct Supervisor: ~Copyable {
  private let addressOnly = AddressOnly()
  let policy: PoolPolicy
  /// Whether nothing in the policy is due sooner than ``PrefetchPolicy/patience``.
  let isPatient: Bool

  var workers = WorkerTable()
  var configurations = Slab<ConfigurationID, ConfigurationLife>()
  var fleets = Slab<FleetID, FleetLife>()
  var vacantConfigurations: [ConfigurationID] = []
  var vacantFleets: [FleetID] = []
  /// When each worker must next be looked at.
  var alarms = AlarmQueue<WorkerHandle>()
  /// When worker configurations whose workers keep dying may start the next one.
  var restarts = AlarmQueue<ConfigurationID>()
  /// What the dispatcher must hear.
  var news: [News] = []
  /// The teardown sequences of those few operations that have their own.
  var teardowns: [OperationID: PoolTeardownSequence] = [:]
  /// How long executions took that succeeded, where timeouts follow from it.
  var successes = RunningMedian()
  /// When the shell wants to be told that the time of the run is over.
  var runDeadline: Instant?
  /// Whether everything ends by SIGKILL (9) from now on, whatever its teardown sequence.
  var isKilling = false
  /// A time in which the system lacks something, and nothing is executed.
  var shortage: Shortage?
  /// How everything is being stopped, or was, if it is not to go on yet.
  var halt: Halt?

  /// Fleets that were added and are not gone; O(1).
  package internal(set) var fleetCount = 0
  /// How often workers were asked whether they are there.
  package internal(set) var pingCount: UInt64 = 0
  /// How often the coordinator came so late that no worker is charged for it.
  package internal(set) var absenceCount = 0

  init(policy: PoolPolicy) {
    self.policy = policy
    isPatient =
      policy.relativeTimeout == nil
      && min(policy.startTimeout, policy.heartbeatInterval) >= PrefetchPolicy.patience
  }

  /// When something is due next.
  var nextDeadline: Instant {
    let due = min(alarms.next ?? .distantFuture, restarts.next ?? .distantFuture)
    return min(due, halt?.due ?? .distantFuture, runDeadline ?? .distantFuture)
  }

  /// Has the shell told when a time has come; a later call takes the place of an earlier one.
  package mutating func setRunDeadline(_ runDeadline: Instant) {
    self.runDeadline = runDeadline
  }

  /// Workers that were asked for and are not gone; O(configurations).
  package var liveWorkerCount: Int { configurations.reduce(0) { $0 + $1.live } }
}

// MARK: - News

extension Supervisor {
  /// What has become of workers and fleets, as far as it matters to the dispatcher.
  enum News: Equatable {
    /// A worker gets nothing more.
    case closed(WorkerHandle)
    /// The last worker of a closed fleet is gone.
    case emptied(FleetID)
    /// A configuration that had to wait may start its next worker.
    case mayStart(ConfigurationID)
  }

  /// Whether something is to be taken.
  var hasNews: Bool { !news.isEmpty }

  /// The latest of the news; their order has no meaning.
  mutating func nextNews() -> News? { news.popLast() }
}

// MARK: - Fleets

extension Supervisor {
  mutating func addFleet() -> FleetID {
    fleetCount += 1
    return vacantFleets.place(FleetLife(), in: &fleets)
  }

  mutating func addConfiguration(_ spec: ConfigurationSpec, to fleet: FleetID) -> ConfigurationID {
    let budget = RestartBudget(limit: policy.restartLimit)
    let life = ConfigurationLife(spec, fleet: fleet, budget: budget)
    let configuration = vacantConfigurations.place(life, in: &configurations)
    fleets[fleet].configurations.append(configuration)
    return configuration
  }

  /// The fleet's workers end when they have finished what they have.
  mutating func close(_ fleet: FleetID, _ context: inout EventContext) {
    guard !fleets[fleet].isClosing else { return }
    fleets[fleet].isClosing = true
    for worker in living where self.fleet(of: worker) == fleet && workers[worker].front == nil {
      retire(worker, &context)
    }
    news.append(.emptied(fleet))
  }

  /// Whether attempts that end on a worker may be followed by others.
  func mayRetry(_ worker: WorkerHandle) -> Bool { !fleets[fleet(of: worker)].isClosing }

  /// Forgets a closed fleet once its last worker is gone; returns the configurations that go with
  /// it, or nil if it stays.
  mutating func forget(_ fleet: FleetID, _ context: inout EventContext) -> [ConfigurationID]? {
    guard fleets[fleet].isClosing, !fleets[fleet].isGone,
      fleets[fleet].configurations.allSatisfy({ configurations[$0].live == 0 })
    else { return nil }
    fleets[fleet].isGone = true
    fleetCount -= 1
    let gone = fleets[fleet].configurations
    fleets[fleet].configurations = []
    for configuration in gone {
      configurations[configuration].retireForGood()
      vacantConfigurations.append(configuration)
      context.effects.append(.removeConfiguration(configuration))
    }
    return gone
  }

  /// Whether the fleet was closed, and its last worker is gone.
  package func isGone(_ fleet: FleetID) -> Bool { fleets[fleet].isGone }

  /// No queue names the fleet any more: where it is gone, its number names another one from now on.
  mutating func allowReuse(of fleet: FleetID) {
    if fleets[fleet].isGone { vacantFleets.append(fleet) }
  }

  /// The fleet of a worker configuration, and its index among that fleet's; nil where the fleet is
  /// gone.
  package func place(of configuration: ConfigurationID) -> (fleet: FleetID, index: Int)? {
    let fleet = configurations[configuration].fleet
    return fleets[fleet].configurations.firstIndex(of: configuration).map { (fleet, $0) }
  }

  /// Whether a worker of the configuration has ever greeted.
  package func hasGreeted(_ configuration: ConfigurationID) -> Bool {
    configurations[configuration].hasGreeted
  }
}

// MARK: - Workers

extension Supervisor {
  /// The place of a worker that is not gone.
  func worker(_ id: WorkerID) -> WorkerHandle? { workers.handle(of: id) }

  func isInProcess(_ worker: WorkerHandle) -> Bool {
    configurations[workers[worker].configuration].spec.isInProcess
  }

  func fleet(of worker: WorkerHandle) -> FleetID {
    configurations[workers[worker].configuration].fleet
  }

  /// Why a greeting is not welcome, if it is not.
  func objection(toGreetingOf worker: WorkerHandle) -> Reception? {
    switch workers[worker].state {
    case .starting: nil
    case .serving: .violation("a second 'hello'")
    case .ending: .stale
    }
  }

  /// A worker has sent its greeting; returns whether it is the first of its configuration.
  mutating func greet(
    _ worker: WorkerHandle,
    _ abilities: WorkerAbilities,
    _ context: inout EventContext
  )
    -> Bool
  {
    let configuration = workers[worker].configuration
    workers[worker].greet(abilities, configurations[configuration].spec.recycling, at: context.now)
    configurations[configuration].starting -= 1
    context.effects.append(.welcome(workers[worker].id, slot: UInt32(worker.offset + 1)))
    let isFirst = !configurations[configuration].hasGreeted
    configurations[configuration].hasGreeted = true
    if isFirst { context.effects.append(.announce(configuration)) }
    return isFirst
  }

  /// Lets a worker that has nothing to do end.
  mutating func retire(_ worker: WorkerHandle, _ context: inout EventContext) {
    guard workers[worker].state != .ending else { return }
    workers[worker].isRetired = true
    context.effects.append(.retire(workers[worker].id))
    expectEnd(worker, at: context.now)
  }
}

extension Array where Element: SlabHandle {
  /// Puts a life into the latest of these vacancies, or behind all others; returns its place.
  mutating func place<Life>(_ life: Life, in lives: inout Slab<Element, Life>) -> Element {
    guard let vacancy = popLast() else { return lives.append(life) }
    lives[vacancy] = life
    return vacancy
  }
}
