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
///
/// It is composed of machines that never call each other: this one passes values between them. The
/// ``Dispatcher`` decides what goes where next, the ``Supervisor`` which workers live.
package struct PoolMachine: ~Copyable {
  private let anchor = Anchor()
  /// Whether the shell wants to hear of each start, whether or not it is observed.
  let tellsEveryStart: Bool
  var turn = Turn()
  var dispatcher: Dispatcher
  var supervisor: Supervisor

  var operations = OperationTable()
  var graph = DependencyGraph<OperationHandle>()
  var lists = Slab<QueueID, QueueList>()
  var retries = RetryTable()
  /// The teardown sequences of those few operations that have their own.
  var teardowns: [OperationHandle: PoolTeardownSequence] = [:]
  var groups = GroupTable()
  var kindCount = 0
  /// The number of the next preparation.
  var nextPreparation: UInt64 = 1
  /// What first went wrong among the dependencies of a join, by its slot.
  var roots: [OperationHandle: OperationID] = [:]
  /// What must still settle because of the settlement at hand; empty between events.
  var aftermath: [Aftermath] = []
  /// When the shell wants to be told that the time has come.
  var runDeadline: Instant?

  /// Operations in queues: added and not settled; O(1).
  package internal(set) var unsettledCount = 0
  /// Operations that execute; O(1).
  package internal(set) var executingCount = 0
  /// Operations that ended so, by `PoolEnding`'s raw value.
  package internal(set) var endings = Array(repeating: 0, count: PoolEnding.allCases.count)

  /// Makes a machine; where starts are told of what is observed only, they are told of nothing
  /// else.
  package init(policy: PoolPolicy = PoolPolicy(), tellsEveryStart: Bool = true) {
    self.tellsEveryStart = tellsEveryStart
    dispatcher = Dispatcher(policy: policy)
    supervisor = Supervisor(policy: policy)
  }

  /// A dependent of something that settled.
  struct Aftermath {
    var slot: OperationHandle
    var requirement: PoolRequirement
    var ending: PoolEnding
    /// What began it all.
    var root: OperationID
  }

  /// What the shell must do; it takes the list with ``takeEffects(into:)``.
  package var effects: [Effect] { turn.effects }

  /// Whether there is something for the shell to do since its last turn, as far as that follows
  /// from what users do: O(1).
  ///
  /// Also where an operation has to wait after all: room or claims that were kept for it are free.
  package var wantsTurn: Bool { !turn.effects.isEmpty || dispatcher.hasReadyChanged }
  /// Operations whose turn has come, and that no worker has; O(1).
  package var readyCount: Int { dispatcher.readyCount }
  /// Worker processes that have something to do; O(1).
  package var busyWorkerCount: Int { dispatcher.busyWorkerCount }
  /// Workers that were asked for and are not gone; O(configurations).
  package var liveWorkerCount: Int { supervisor.liveWorkerCount }
  /// Fleets that were added and are not gone; O(1).
  package var fleetCount: Int { supervisor.fleetCount }
  /// How often workers were asked whether they are there.
  package var pingCount: UInt64 { supervisor.pingCount }
  /// How often the coordinator came so late that no worker is charged for it.
  package var absenceCount: Int { supervisor.absenceCount }

  /// The next instant at which ``ring(at:)`` has something to do.
  package var nextDeadline: Instant? {
    let due = min(supervisor.nextDeadline, retries.alarms.next ?? .distantFuture)
    let first = min(due, runDeadline ?? .distantFuture)
    return first == .distantFuture ? nil : first
  }

  /// Exchanges the effects for an empty list that the caller has used before.
  package mutating func takeEffects(into list: inout [Effect]) {
    list.removeAll(keepingCapacity: true)
    swap(&list, &turn.effects)
  }
}

// MARK: - Kinds and resources

extension PoolMachine {
  /// Declares the next kind; kinds are numbered from 0 in the order of declaration.
  ///
  /// Workers of these configurations have said that they serve it, when it was not declared yet.
  package mutating func addKind(servedBy servers: [ConfigurationID] = []) -> KindID {
    precondition(kindCount <= UInt32.max, "each kind has a number of 32 bits")
    let kind = KindID(rawValue: UInt32(kindCount))
    kindCount += 1
    for configuration in servers { dispatcher.addKind(kind, to: configuration) }
    return kind
  }

  /// Declares something of which only so many units can be in use at once.
  package mutating func addResource(capacity: Int) -> ResourceID {
    dispatcher.resources.add(capacity: capacity)
  }

  /// Forgets a resource that no operation claims any more.
  package mutating func removeResource(_ id: ResourceID) {
    dispatcher.resources.remove(id)
  }

  /// Changes how many units there are; those in use stay so.
  package mutating func setCapacity(_ capacity: Int, of id: ResourceID) {
    dispatcher.setCapacity(capacity, of: id, &operations)
  }
}

// MARK: - Fleets and queues

extension PoolMachine {
  /// Makes a fleet with no workers.
  package mutating func addFleet() -> FleetID {
    let fleet = supervisor.addFleet()
    dispatcher.add(fleet)
    return fleet
  }

  /// Gives a fleet one more way to start workers.
  package mutating func addConfiguration(
    _ spec: ConfigurationSpec,
    to fleet: FleetID
  ) -> ConfigurationID {
    let configuration = supervisor.addConfiguration(spec, to: fleet)
    dispatcher.add(configuration, spec, to: fleet)
    return configuration
  }

  /// Makes an empty queue whose operations the fleet executes.
  package mutating func addQueue(to fleet: FleetID) -> QueueID {
    let queue = dispatcher.addQueue(to: fleet)
    lists.put(QueueList(), at: queue)
    return queue
  }

  /// No operation can be added to the queue any more: it is forgotten when it is empty.
  package mutating func dropQueue(_ id: QueueID) {
    lists[id].isDropped = true
    if lists[id].count == 0 { removeQueue(id) }
  }

  mutating func removeQueue(_ queue: QueueID) {
    let fleet = dispatcher.remove(queue)
    if !dispatcher.hasQueues(fleet) { supervisor.giveBack(fleet) }
  }

  /// Nothing more is expected of a fleet: its workers end when they have finished what they have,
  /// and then it is forgotten.
  ///
  /// What is in its queues by then stays there until it is cancelled.
  package mutating func closeFleet(_ fleet: FleetID, at now: Instant) {
    turn.now = now
    guard supervisor.close(fleet) else { return }
    for worker in supervisor.living
    where supervisor.fleet(of: worker) == fleet && !dispatcher.isBusy(worker) {
      supervisor.retire(worker, &turn)
    }
    closeLines()
    forgetFleet(fleet)
  }

  /// Forgets a closed fleet once its last worker is gone.
  mutating func forgetFleet(_ fleet: FleetID) {
    guard let gone = supervisor.forget(fleet, &turn) else { return }
    dispatcher.forget(gone, of: fleet)
    if !dispatcher.hasQueues(fleet) { supervisor.giveBack(fleet) }
  }

  /// Whether every worker configuration of the fleet has said what it serves, or was given up.
  package func isKnown(_ fleet: FleetID) -> Bool { dispatcher.isKnown(fleet) }

  /// The fleet of a worker configuration, and its index among that fleet's; nil where the fleet is
  /// gone.
  package func place(of configuration: ConfigurationID) -> (fleet: FleetID, index: Int)? {
    supervisor.place(of: configuration)
  }

  /// Whether all that the fleet's workers serve is known, and the kind is not among it.
  package func isUnserved(_ kind: KindID, by fleet: FleetID) -> Bool {
    dispatcher.service(of: kind, by: fleet) == .unserved
  }

  /// Whether a worker of the worker configuration has ever greeted.
  package func hasGreeted(_ configuration: ConfigurationID) -> Bool {
    supervisor.hasGreeted(configuration)
  }

  /// Operations of a queue that were added and have not settled; O(1).
  package func unsettledCount(of queue: QueueID) -> Int { lists[queue].count }

  /// Whether nothing of the queue is dispatched.
  package func isSuspended(_ queue: QueueID) -> Bool { dispatcher.isSuspended(queue) }

  /// Lets nothing more of the queue be dispatched, or lets it go on.
  package mutating func setSuspended(_ isSuspended: Bool, _ queue: QueueID) {
    if dispatcher.setSuspended(isSuspended, queue) { reviewClaims(in: queue) }
  }

  /// How many slots of the queue's operations workers may have at once.
  package func width(of queue: QueueID) -> Int { dispatcher.width(of: queue) }

  /// Changes how many slots of the queue's operations workers may have; they keep what they have.
  package mutating func setWidth(_ width: Int, of queue: QueueID) {
    if dispatcher.setWidth(width, of: queue) { reviewClaims(in: queue) }
  }

  /// The claims of a queue that cannot dispatch hold back no other's.
  private mutating func reviewClaims(in queue: QueueID) {
    forEachOperation(in: queue) { $0.dispatcher.reviewClaims(of: $1, &$0.operations) }
  }

  /// Tells all changes of all operations of the queue from now on.
  package mutating func observe(_ queue: QueueID) {
    lists[queue].isObserved = true
  }

  /// Calls a closure for each operation in the queue, in the order of submission.
  mutating func forEachOperation(in queue: QueueID, _ body: (inout Self, OperationHandle) -> Void) {
    var handle = lists[queue].first
    while handle != .none {
      let next = operations[handle].next
      body(&self, handle)
      handle = next
    }
  }

  /// The operations in the queue, in the order of submission; O(operations).
  package func operations(in queue: QueueID) -> [OperationID] {
    var list: [OperationID] = []
    var handle = lists[queue].first
    while handle != .none {
      list.append(operations.id(of: handle))
      handle = operations[handle].next
    }
    return list
  }
}
