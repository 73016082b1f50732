package import PoolModel

/// Every decision of the pool: what happened goes in, what is to be done comes out.
///
/// Events are methods that take the time as an argument; what follows from them is appended to
/// ``effects``, in order, for the shell to perform. Nothing here knows a process, a clock or a
/// lock, so a whole run can be tested, simulated and replayed by calling methods.
///
/// One machine holds all operations, whatever their queue, so that any may depend on any other.
/// Queues that belong to one fleet share its workers. Operations are handed to workers by
/// ``dispatch(at:)`` only, which the shell calls once after it has reported everything that it
/// knows.
package struct PoolMachine: ~Copyable {
  /// What the shell must do; it takes the list with ``takeEffects(into:)``.
  package internal(set) var effects: [Effect] = []

  /// Whether the shell wants to hear of each start, whoever observes it.
  let tellsEveryStart: Bool

  /// Refers to nothing, and keeps the machine where it is.
  ///
  /// A value without a weak reference is loaded as a whole for a call that merely borrows it, which
  /// here is a copy of hundreds of bytes.
  private weak var anchor: Anchor?

  let policy: PoolPolicy
  /// Whether nothing in the policy is due sooner than ``PrefetchPolicy/patience``.
  let isPatient: Bool
  var operations = OperationTable()
  var graph = DependencyGraph<OperationHandle>()
  var order = SubmissionOrder()
  var resources = ResourceTable()
  var queues = Slab<QueueID, QueueLife>()
  var kindQueues = Slab<KindQueueHandle, KindQueue>()
  var fleets = Slab<FleetID, FleetLife>()
  var configurations = Slab<ConfigurationID, ConfigurationLife>()
  /// Indices of those that are used again.
  var vacancies = Vacancies()
  var workers = WorkerTable()
  var alarms = AlarmQueue<WorkerHandle>()
  var retries = RetryTable()
  var suspects = SuspectTable()
  /// The teardown sequences of those few operations that have their own, by slot.
  var teardowns: [OperationHandle: PoolTeardownSequence] = [:]
  /// Whether everything ends by SIGKILL (9) from now on, whatever its teardown sequence.
  var isKilling = false
  /// When worker configurations whose workers keep dying may start the next one, by index.
  var restarts = AlarmQueue<ConfigurationID>()
  var groups = GroupTable()
  var kindCount = 0
  /// The number of the next dispatch, or preparation.
  var nextNumber: UInt64 = 1
  /// What first went wrong among the dependencies of a join, by its slot.
  var roots: [OperationHandle: OperationID] = [:]
  /// What must still settle because of the settlement at hand; empty between events.
  var aftermath: [Aftermath] = []

  /// How long executions took that succeeded, where timeouts follow from it.
  var successes = RunningMedian()
  /// When the shell wants to be told that the time has come.
  var runDeadline: Instant?
  /// A time in which the system lacks something, and nothing is executed.
  var shortage: Shortage?
  /// How everything is being stopped, or was, if it is not to go on yet.
  var halt: Halt?

  /// Fleets that were added and are not gone; O(1).
  package internal(set) var fleetCount = 0
  /// Operations in queues: added and not settled; O(1).
  package internal(set) var unsettledCount = 0
  /// Operations that execute; O(1).
  package internal(set) var executingCount = 0
  /// Operations whose turn has come, and that no worker has; O(1).
  package internal(set) var readyCount = 0
  /// Whether operations have come to be ready, or are not any more, since the last dispatch.
  var hasReadyChanged = false

  /// Whether there is something for the shell to do since its last turn, as far as that follows
  /// from what users do: O(1).
  ///
  /// Also where an operation has to wait after all: room or claims that were kept for it are free.
  package var wantsTurn: Bool { !effects.isEmpty || hasReadyChanged }
  /// Worker processes that have something to do; O(1).
  package internal(set) var busyWorkerCount = 0
  /// How often workers were asked whether they are there.
  package internal(set) var pingCount: UInt64 = 0
  /// How often the coordinator came so late that this is held against nobody.
  package internal(set) var absenceCount = 0
  /// Operations that ended so, by `PoolEnding`'s raw value.
  package internal(set) var endings = Array(repeating: 0, count: PoolEnding.allCases.count)

  /// Makes a machine; where starts are told of what is observed only, they are told of nothing
  /// else.
  package init(policy: PoolPolicy = PoolPolicy(), tellsEveryStart: Bool = true) {
    self.tellsEveryStart = tellsEveryStart
    self.policy = policy
    isPatient =
      policy.relativeTimeout == nil
      && min(policy.startTimeout, policy.heartbeatInterval) >= PrefetchPolicy.patience
  }

  private final class Anchor: Sendable {}

  struct Vacancies {
    var queues: [QueueID] = []
    var kindQueues: [KindQueueHandle] = []
    var fleets: [FleetID] = []
    var configurations: [ConfigurationID] = []
  }

  /// Since when workers have met a shortage, while nothing was executed.
  struct Shortage {
    var since: Instant
    /// When a worker met it last.
    var latest: Instant
    /// How many operations were answered by then.
    var answered: Int

    /// The coordinator was away for so long, in which nothing could be executed.
    mutating func forgive(_ lateness: Int64) {
      since = since.advanced(by: lateness)
      latest = latest.advanced(by: lateness)
    }
  }

  /// A dependent of something that settled.
  struct Aftermath {
    var slot: OperationHandle
    var requirement: PoolRequirement
    var ending: PoolEnding
    /// What began it all.
    var root: OperationID
  }

  /// The next instant at which ``ring(at:)`` has something to do.
  package var nextDeadline: Instant? {
    let due = min(
      alarms.next ?? .distantFuture,
      retries.alarms.next ?? .distantFuture,
      restarts.next ?? .distantFuture,
      runDeadline ?? .distantFuture,
      halt?.due ?? .distantFuture
    )
    return due == .distantFuture ? nil : due
  }

  /// Workers that were asked for and are not gone; O(worker configurations).
  package var liveWorkerCount: Int { configurations.reduce(0) { $0 + $1.live } }

  /// Exchanges the effects for an empty list that the caller has used before.
  package mutating func takeEffects(into list: inout [Effect]) {
    list.removeAll(keepingCapacity: true)
    swap(&list, &effects)
  }

  /// Declares the next kind; kinds are numbered from 0 in the order of declaration.
  ///
  /// Workers of these worker configurations have said that they serve it, when it was not declared
  /// yet.
  package mutating func addKind(servedBy servers: [ConfigurationID] = []) -> KindID {
    precondition(kindCount <= UInt32.max, "each kind has a number of 32 bits")
    let kind = KindID(rawValue: UInt32(kindCount))
    kindCount += 1
    for configuration in servers { configurations[configuration].kinds?.append(kind) }
    return kind
  }

  /// Declares something of which only so many units can be in use at once.
  package mutating func addResource(capacity: Int) -> ResourceID {
    resources.add(capacity: capacity)
  }

  /// Forgets a resource that no operation claims any more.
  package mutating func removeResource(_ id: ResourceID) {
    resources.remove(id)
  }

  /// Changes how many units there are; those in use stay so.
  package mutating func setCapacity(_ capacity: Int, of id: ResourceID) {
    resources[id].capacity = capacity
    refresh(id)
  }
}
