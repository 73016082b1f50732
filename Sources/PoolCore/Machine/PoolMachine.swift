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
/// ``Graph`` decides what is ready and how an end spreads, the ``Dispatcher`` what goes where next,
/// the ``Supervisor`` which workers live.
package struct PoolMachine: ~Copyable {
  private let anchor = Anchor()
  /// Whether the shell wants to hear of each start, whether or not it is observed.
  let tellsEveryStart: Bool
  var turn = Turn()
  var dispatcher: Dispatcher
  var supervisor: Supervisor

  var graph = Graph()
  var kindCount = 0
  /// When the shell wants to be told that the time has come.
  var runDeadline: Instant?

  /// Makes a machine; where starts are told of what is observed only, they are told of nothing
  /// else.
  package init(policy: PoolPolicy = PoolPolicy(), tellsEveryStart: Bool = true) {
    self.tellsEveryStart = tellsEveryStart
    dispatcher = Dispatcher(policy: policy)
    supervisor = Supervisor(policy: policy)
  }

  /// What the shell must do; it takes the list with ``takeEffects(into:)``.
  package var effects: [Effect] { turn.effects }

  /// Whether there is something for the shell to do since its last turn, as far as that follows
  /// from what users do: O(1).
  ///
  /// Also where an operation has to wait after all: room or claims that were kept for it are free.
  package var wantsTurn: Bool { !turn.effects.isEmpty || dispatcher.hasReadyChanged }
  /// Operations in queues: added and not settled; O(1).
  package var unsettledCount: Int { graph.unsettledCount }
  /// Operations that execute; O(1).
  package var executingCount: Int { graph.executingCount }
  /// Operations that ended so, by `PoolEnding`'s raw value.
  package var endings: [Int] { graph.endings }
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
    let due = min(supervisor.nextDeadline, graph.retries.alarms.next ?? .distantFuture)
    let first = min(due, runDeadline ?? .distantFuture)
    return first == .distantFuture ? nil : first
  }

  /// Exchanges the effects, and the teardown sequences that they name, for empty lists that the
  /// caller has used before.
  package mutating func takeEffects(
    into list: inout [Effect],
    teardowns: inout [PoolTeardownSequence]
  ) {
    if !teardowns.isEmpty { teardowns.removeAll(keepingCapacity: true) }
    swap(&teardowns, &turn.teardowns)
    takeEffects(into: &list)
  }

  /// As ``takeEffects(into:teardowns:)``, for callers that tear nothing down.
  package mutating func takeEffects(into list: inout [Effect]) {
    if !turn.teardowns.isEmpty { turn.teardowns.removeAll(keepingCapacity: true) }
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
    dispatcher.setCapacity(capacity, of: id, &graph.operations)
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
    graph.lists.put(QueueList(), at: queue)
    return queue
  }

  /// No operation can be added to the queue any more: it is forgotten when it is empty.
  package mutating func dropQueue(_ id: QueueID) {
    graph.lists[id].isDropped = true
    if graph.lists[id].count == 0 { removeQueue(id) }
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
  package func unsettledCount(of queue: QueueID) -> Int { graph.lists[queue].count }

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
    for handle in graph.handles(in: queue) {
      dispatcher.reviewClaims(of: handle, &graph.operations)
    }
  }

  /// Tells all changes of all operations of the queue from now on.
  package mutating func observe(_ queue: QueueID) {
    graph.lists[queue].isObserved = true
  }

  /// The operations in the queue, in the order of submission; O(operations).
  package func operations(in queue: QueueID) -> [OperationID] {
    graph.handles(in: queue).map { graph.operations.id(of: $0) }
  }
}
