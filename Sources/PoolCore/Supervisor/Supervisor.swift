import PoolModel

/// Which workers live, which are asked to end and how, and which are replaced.
///
/// It knows nothing of queues or dependencies. What a worker is at is told with each question, as a
/// ``WorkFront``; what workers are needed for, as a ``WorkerDemand``. Workers that get nothing more
/// are listed in ``closed`` until the caller has taken them.
struct Supervisor: ~Copyable {
  private let anchor = Anchor()
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
  /// Workers that get nothing more since the caller asked last.
  var closed: [WorkerHandle] = []
  /// Whether everything ends by SIGKILL (9) from now on, whatever its teardown sequence.
  var isKilling = false
  /// A time in which the system lacks something, and nothing is executed.
  var shortage: Shortage?
  /// How everything is being stopped, or was, if it is not to go on yet.
  var halt: Halt?

  /// Fleets that were added and are not gone; O(1).
  var fleetCount = 0
  /// How often workers were asked whether they are there.
  var pingCount: UInt64 = 0
  /// How often the coordinator came so late that no worker is charged for it.
  var absenceCount = 0

  init(policy: PoolPolicy) {
    self.policy = policy
    isPatient =
      policy.relativeTimeout == nil
      && min(policy.startTimeout, policy.heartbeatInterval) >= PrefetchPolicy.patience
  }

  /// When something is due next.
  var nextDeadline: Instant {
    let due = min(alarms.next ?? .distantFuture, restarts.next ?? .distantFuture)
    return min(due, halt?.due ?? .distantFuture)
  }

  /// Workers that were asked for and are not gone; O(configurations).
  var liveWorkerCount: Int { configurations.reduce(0) { $0 + $1.live } }
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

  /// The fleet's workers end when they have finished what they have; false where that was known.
  mutating func close(_ fleet: FleetID) -> Bool {
    guard !fleets[fleet].isClosing else { return false }
    fleets[fleet].isClosing = true
    return true
  }

  func isClosing(_ fleet: FleetID) -> Bool { fleets[fleet].isClosing }

  /// Forgets a closed fleet once its last worker is gone; returns the configurations that go with
  /// it, or nil where it stays.
  mutating func forget(_ fleet: FleetID, _ turn: inout Turn) -> [ConfigurationID]? {
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
      turn.effects.append(.forget(configuration))
    }
    return gone
  }

  /// No queue names the fleet any more: where it is gone, its number names another one from now on.
  mutating func giveBack(_ fleet: FleetID) {
    if fleets[fleet].isGone { vacantFleets.append(fleet) }
  }

  /// The fleet of a worker configuration, and its index among that fleet's; nil where the fleet is
  /// gone.
  func place(of configuration: ConfigurationID) -> (fleet: FleetID, index: Int)? {
    let fleet = configurations[configuration].fleet
    return fleets[fleet].configurations.firstIndex(of: configuration).map { (fleet, $0) }
  }

  /// Whether a worker of the configuration has ever greeted.
  func hasGreeted(_ configuration: ConfigurationID) -> Bool {
    configurations[configuration].hasGreeted
  }
}

// MARK: - Workers

extension Supervisor {
  /// The place of a worker that is not gone.
  func worker(_ id: WorkerID) -> WorkerHandle? { workers.slot(of: id) }

  func id(of worker: WorkerHandle) -> WorkerID { workers[worker].id }

  func state(of worker: WorkerHandle) -> WorkerLife.State { workers[worker].state }

  func configuration(of worker: WorkerHandle) -> ConfigurationID { workers[worker].configuration }

  func isInProcess(_ worker: WorkerHandle) -> Bool {
    configurations[workers[worker].configuration].spec.isInProcess
  }

  func fleet(of worker: WorkerHandle) -> FleetID {
    configurations[workers[worker].configuration].fleet
  }

  /// A worker has sent its greeting; returns whether it is the first of its configuration.
  mutating func greet(_ worker: WorkerHandle, _ abilities: WorkerAbilities, _ turn: inout Turn)
    -> Bool
  {
    let configuration = workers[worker].configuration
    workers[worker].greet(abilities, configurations[configuration].spec.recycling, at: turn.now)
    configurations[configuration].starting -= 1
    let isFirst = !configurations[configuration].hasGreeted
    configurations[configuration].hasGreeted = true
    return isFirst
  }

  /// A worker is about to have something, or has come to the next.
  @inline(__always)
  mutating func beginFront(_ worker: WorkerHandle, at now: Instant) {
    workers[worker].frontSince = now
  }

  /// A worker has answered or given back what it had first.
  @inline(__always)
  mutating func endFront(_ worker: WorkerHandle, hasAnswered: Bool, _ turn: inout Turn) {
    workers[worker].group = nil
    endTeardown(worker, at: turn.now)
    if hasAnswered {
      workers[worker].answered += 1
      if workers[worker].answered == 1 {
        configurations[workers[worker].configuration].endFailures(by: workers[worker].id)
      }
    }
    // A time that has passed must not be armed.
    if let due = retirement(of: worker), due <= turn.now { workers[worker].quota = 0 }
  }

  /// How many operations a worker has answered.
  func answeredCount(of worker: WorkerHandle) -> Int { workers[worker].answered }

  /// A worker has nothing to do: it is let go where it is not needed any more, or worn out.
  mutating func rest(_ worker: WorkerHandle, _ turn: inout Turn) {
    if isClosing(fleet(of: worker)) || workers[worker].isWornOut { return retire(worker, &turn) }
    if let due = retirement(of: worker) { alarms.arm(worker, at: due) }
  }

  /// Lets a worker that has nothing to do end.
  mutating func retire(_ worker: WorkerHandle, _ turn: inout Turn) {
    guard workers[worker].state != .ending else { return }
    workers[worker].isRetired = true
    turn.effects.append(.retire(workers[worker].id))
    expectEnd(worker, at: turn.now)
  }

  /// A worker that may be replaced has nothing to do.
  mutating func retireWhenWornOut(_ worker: WorkerHandle, isIdle: Bool, _ turn: inout Turn) {
    if workers[worker].quota == 0, isIdle { retire(worker, &turn) }
  }
}

/// What a worker is at: the first operation of its line.
struct WorkFront {
  let reference: DispatchReference
  /// Whether it was reported as executing.
  let isExecuting: Bool
  /// When its execution began.
  let startedAt: Instant
  /// The longest execution, in nanoseconds.
  let limit: Int64
  /// Whether operations wait behind it that have not been asked back.
  let hasFollowers: Bool
}

extension Array where Element: SlabHandle {
  /// Puts a life into the latest of these vacancies, or behind all others; returns its place.
  mutating func place<Life>(_ life: Life, in lives: inout Slab<Element, Life>) -> Element {
    guard let vacancy = popLast() else { return lives.append(life) }
    lives[vacancy] = life
    return vacancy
  }
}
