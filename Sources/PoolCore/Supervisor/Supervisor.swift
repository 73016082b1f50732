package import PoolModel

/// Decides which workers live, which are asked to end and how, and which are replaced.
///
/// It does not know queues or dependencies. It learns a worker's operation as an ``Assignment``,
/// and the demand for workers as a ``WorkerDemand``. What the dispatcher must learn is listed as
/// ``Consequence`` until the caller has taken it.
package struct Supervisor: ~Copyable {
  private let addressOnly = AddressOnly()
  package let policy: PoolPolicy
  /// Whether no limit of the policy is shorter than ``PrefetchPolicy/patience``.
  let isPatient: Bool

  var workers = WorkerTable()
  var configurations = Slab<ConfigurationID, ConfigurationLife>()
  var fleets = Slab<FleetID, FleetLife>()
  var vacantConfigurations: [ConfigurationID] = []
  var vacantFleets: [FleetID] = []
  /// When to check each worker next.
  var timers = TimerQueue<WorkerHandle>()
  /// When configurations whose workers keep dying may start the next one.
  var restarts = TimerQueue<ConfigurationID>()
  /// What the dispatcher must learn.
  var consequences: [Consequence] = []
  /// The teardown sequences of the few operations that have their own.
  var teardowns: [OperationID: PoolTeardownSequence] = [:]
  /// The median of successful executions, if timeouts are relative to it.
  var successes = RunningMedian()
  /// The deadline of the run, which the loop wants to be told.
  var runDeadline: Instant?
  /// Whether every teardown uses SIGKILL (9) from now on, whatever its sequence.
  var isKilling = false
  /// A time in which resources are short and nothing is executed.
  var shortage: Shortage?
  /// The stop of everything, from its beginning until everything continues.
  var processStop: ProcessStop?

  /// Number of fleets that were added and are not gone; O(1).
  package internal(set) var fleetCount = 0
  /// Number of pings sent.
  package internal(set) var pingCount: UInt64 = 0
  /// How often the coordinator was so late that it extended the workers' limits.
  package internal(set) var absenceCount = 0

  init(policy: PoolPolicy) {
    self.policy = policy
    isPatient =
      policy.relativeTimeout == nil
      && min(policy.startTimeout, policy.heartbeatInterval) >= PrefetchPolicy.patience
  }

  /// The next deadline of any kind.
  var nextDeadline: Instant {
    let due = min(timers.next ?? .distantFuture, restarts.next ?? .distantFuture)
    return min(due, processStop?.due ?? .distantFuture, runDeadline ?? .distantFuture)
  }

  /// Sets the time at which to tell the loop that the run's deadline has passed; replaces an
  /// earlier one.
  package mutating func setRunDeadline(_ runDeadline: Instant) {
    self.runDeadline = runDeadline
  }

  /// Number of workers that were spawned and are not gone; O(configurations).
  package var liveWorkerCount: Int { configurations.reduce(0) { $0 + $1.live } }
}

// MARK: - Consequences

extension Supervisor {
  /// Changes of workers and fleets that the dispatcher must learn.
  enum Consequence: Equatable {
    /// A worker gets nothing more.
    case closed(WorkerHandle)
    /// The last worker of a closed fleet is gone.
    case emptied(FleetID)
    /// A configuration that had to wait may start its next worker.
    case mayStart(ConfigurationID)
  }

  /// Whether there are consequences.
  var hasConsequences: Bool { !consequences.isEmpty }

  /// Takes one consequence; their order has no meaning.
  mutating func nextConsequence() -> Consequence? { consequences.popLast() }
}

// MARK: - Fleets

extension Supervisor {
  mutating func addFleet() -> FleetID {
    fleetCount += 1
    return vacantFleets.add(FleetLife(), to: &fleets)
  }

  mutating func addConfiguration(_ spec: ConfigurationSpec, to fleet: FleetID) -> ConfigurationID {
    let budget = RestartBudget(limit: policy.restartLimit)
    let life = ConfigurationLife(spec, fleet: fleet, budget: budget)
    let configuration = vacantConfigurations.add(life, to: &configurations)
    fleets[fleet].configurations.append(configuration)
    return configuration
  }

  /// Closes a fleet: its workers end after the operations that they have.
  mutating func close(_ fleet: FleetID, _ context: inout EventContext) {
    guard fleets[fleet].isOpen else { return }
    fleets[fleet].state = .closing
    for worker in living where self.fleet(of: worker) == fleet && workers[worker].head == nil {
      retire(worker, &context)
    }
    consequences.append(.emptied(fleet))
  }

  /// Whether an attempt that ends on this worker may be retried.
  func mayRetry(_ worker: WorkerHandle) -> Bool { fleets[fleet(of: worker)].isOpen }

  /// Forgets a closed fleet after its last worker; returns its configurations, or nil if the fleet
  /// stays.
  mutating func forget(_ fleet: FleetID, _ context: inout EventContext) -> [ConfigurationID]? {
    guard case .closing = fleets[fleet].state,
      fleets[fleet].configurations.allSatisfy({ configurations[$0].live == 0 })
    else { return nil }
    fleets[fleet].state = .gone
    fleetCount -= 1
    let gone = fleets[fleet].configurations
    fleets[fleet].configurations = []
    for configuration in gone {
      configurations[configuration].retireForGood()
      vacantConfigurations.append(configuration)
      context.effects.append(.removeConfiguration(configuration, of: fleet))
    }
    return gone
  }

  /// Whether the fleet was not closed.
  package func isOpen(_ fleet: FleetID) -> Bool { fleets[fleet].isOpen }

  /// Whether the fleet was closed, and its last worker is gone.
  package func isGone(_ fleet: FleetID) -> Bool { fleets[fleet].isGone }

  /// The last queue of the fleet is gone: if the fleet is gone too, its number may be reused.
  mutating func allowReuse(of fleet: FleetID) {
    if fleets[fleet].isGone { vacantFleets.append(fleet) }
  }

  /// The fleet of a worker configuration, and the configuration's index there; nil if the fleet is
  /// gone.
  ///
  /// The one whose workers are in this process has none, as in ``census(of:)``.
  package func position(of configuration: ConfigurationID) -> (fleet: FleetID, index: Int)? {
    let fleet = configurations[configuration].fleet
    return processConfigurations(of: fleet).firstIndex(of: configuration).map { (fleet, $0) }
  }
}

// MARK: - Workers

extension Supervisor {
  /// The handle of a worker that is not gone.
  func worker(_ id: WorkerID) -> WorkerHandle? { workers.handle(of: id) }

  func executesBlocks(_ worker: WorkerHandle) -> Bool {
    configurations[workers[worker].configuration].spec.executesBlocks
  }

  func fleet(of worker: WorkerHandle) -> FleetID {
    configurations[workers[worker].configuration].fleet
  }

  /// Why a greeting is refused, if it is.
  func objection(toGreetingOf worker: WorkerHandle) -> Reception? {
    switch workers[worker].state {
    case .starting: nil
    case .serving: .violation("a second 'hello'")
    case .ending: .stale
    }
  }

  /// Handles a worker's greeting; returns whether it is the first of its configuration.
  mutating func greet(
    _ worker: WorkerHandle,
    _ capabilities: Set<Capability>,
    _ context: inout EventContext
  )
    -> Bool
  {
    let configuration = workers[worker].configuration
    workers[worker].greet(
      capabilities,
      configurations[configuration].spec.recycling,
      at: context.now
    )
    configurations[configuration].starting -= 1
    setLease(of: worker, at: context.now)
    context.effects.append(.welcome(workers[worker].id, slot: UInt32(worker.offset + 1)))
    let isFirst = configurations[configuration].noteGreeting()
    if isFirst { context.effects.append(.announce(configuration)) }
    return isFirst
  }

  /// Lets an idle worker end.
  mutating func retire(_ worker: WorkerHandle, _ context: inout EventContext) {
    guard !workers[worker].isEnding else { return }
    context.effects.append(.retire(workers[worker].id))
    expectEnd(worker, at: context.now)
    workers[worker].note(.retirement)
  }
}

extension Array where Element: SlabHandle {
  /// Stores a life at the latest vacant handle, or at a new one; returns the handle.
  mutating func add<Life>(_ life: Life, to lives: inout Slab<Element, Life>) -> Element {
    guard let vacancy = popLast() else { return lives.append(life) }
    lives[vacancy] = life
    return vacancy
  }
}
