package import PoolModel

/// Every decision of the pool: what happened goes in, what is to be done comes out.
///
/// Events are methods that take the time as an argument; what follows from them is appended to
/// ``EventContext/effects``, in order, for the loop to perform. Nothing here knows a process, a
/// clock or a lock, so a whole run can be tested, simulated and replayed by calling methods.
///
/// It is composed of machines that never call each other: this one passes values between them. The
/// ``Graph`` decides what is ready and how an end spreads, the ``Dispatcher`` what goes where next,
/// the ``Supervisor`` which workers live. Callers ask each machine directly, and call directly what
/// concerns one machine and has no effects; all else is an event of this one.
///
/// One machine holds all operations, whatever their queue, so that any may depend on any other.
/// Queues that belong to one fleet share its workers. Operations are handed to workers by
/// ``dispatch(at:)`` only, which the loop calls once after it has reported everything that it
/// knows.
package struct PoolMachine: ~Copyable {
  private let addressOnly = AddressOnly()
  package var graph: Graph
  package var dispatcher: Dispatcher
  package var supervisor: Supervisor
  /// What follows from the events so far; the loop takes it with ``EventContext/take(_:_:)``.
  package var context = EventContext()

  /// Makes a machine.
  ///
  /// If `tellsEveryStart` is false, it reports only the starts of observed operations.
  package init(policy: PoolPolicy = PoolPolicy(), tellsEveryStart: Bool = true) {
    graph = Graph(tellsEveryStart: tellsEveryStart, retryRule: policy.retryRule)
    dispatcher = Dispatcher(policy: policy)
    supervisor = Supervisor(policy: policy)
  }

  /// Whether users' changes have left work for the loop since its last turn; O(1).
  ///
  /// It may be true although an operation has to wait: room or claims that were kept for it are
  /// free.
  package var wantsTurn: Bool { !context.effects.isEmpty || dispatcher.hasReadyChanged }

  /// The next instant at which ``fireTimers(at:)`` has something to do.
  package var nextDeadline: Instant? {
    let first = min(supervisor.nextDeadline, graph.nextDeadline)
    return first == .distantFuture ? nil : first
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
    var spec = spec
    spec.count = min(spec.count, Supervisor.mostWorkers)
    let configuration = supervisor.addConfiguration(spec, to: fleet)
    dispatcher.add(configuration, spec, to: fleet)
    return configuration
  }

  /// Makes an empty queue whose operations the fleet executes.
  package mutating func addQueue(to fleet: FleetID) -> QueueID {
    let queue = dispatcher.addQueue(to: fleet)
    graph.add(queue)
    return queue
  }

  /// Changes a limit of dispatching; if the queue cannot dispatch any more, its ready operations no
  /// longer contend with others.
  package mutating func change(_ change: LimitChange) {
    guard let queue = dispatcher.apply(change, &graph.operations) else { return }
    dispatcher.reviewContention(of: graph.handles(in: queue), &graph.operations)
  }

  /// Finds out again which kinds the workers of a fleet can serve, and settles what none can.
  mutating func reviewService(of fleet: FleetID) {
    let queues = dispatcher.reviewService(of: fleet, without: supervisor.broken(of: fleet))
    for handle in queues.flatMap({ graph.handles(in: $0) }) {
      guard let cause = dispatcher.refusal(of: handle, graph.operations) else { continue }
      graph.fail(handle, because: cause, &context)
      applyConsequencesOfGraph()
    }
  }
}

// MARK: - What follows from an event

extension PoolMachine {
  /// Applies what an event has led to in the other machines; each event ends with it.
  @inline(__always)
  mutating func finish() {
    if graph.hasConsequences { propagateEnds() }
    if supervisor.hasConsequences { applyWorkerClosings() }
  }

  /// Tells dependents of all that has ended, and gives what becomes ready to the dispatcher.
  mutating func propagateEnds() {
    applyConsequencesOfGraph()
    while graph.deliverNextEnd(&context) { applyConsequencesOfGraph() }
  }

  /// Tells the dispatcher what the graph has changed.
  mutating func applyConsequencesOfGraph() {
    while let consequence = graph.nextConsequence(&context) {
      switch consequence {
      case .due(let handle): makeReady(handle)
      case .withdrawn(let handle, let level, let isOffered):
        dispatcher.withdraw(handle, level, isOffered: isOffered, &graph.operations)
      case .moved(let handle): dispatcher.enterReady(handle, &graph.operations)
      case .cancelled(let handle): stop(handle)
      case .departed(let handle, let position): dispatcher.leave(handle, position)
      case .emptied(let queue):
        if let fleet = dispatcher.remove(queue) { supervisor.allowReuse(of: fleet) }
      }
    }
  }

  mutating func applyWorkerClosings() {
    while let consequence = supervisor.nextConsequence() {
      switch consequence {
      case .closed(let worker): dispatcher.close(worker)
      case .emptied(let fleet):
        guard let gone = supervisor.forget(fleet, &context) else { continue }
        if dispatcher.forget(gone, of: fleet) { supervisor.allowReuse(of: fleet) }
      case .mayStart(let configuration): dispatcher.markDirty(configuration)
      }
    }
  }

  /// Puts an operation into the ready queue, unless no worker can ever execute it.
  @inline(__always)
  mutating func makeReady(_ handle: OperationHandle) {
    if let cause = dispatcher.service(of: handle, graph.operations).failure {
      return graph.fail(handle, because: cause, &context)
    }
    // The group may have been given a width since.
    if graph.isMember(handle) {
      dispatcher.addClaims(graph.claimsOfGroup(of: handle), to: handle, &graph.operations)
    }
    graph.becomeReady(handle, &context)
    dispatcher.enterReady(handle, &graph.operations)
  }

  /// A worker has an operation whose cancellation was asked for.
  mutating func stop(_ handle: OperationHandle) {
    guard let place = dispatcher.place(of: handle, graph.operations) else { return }
    if supervisor.doubt(of: place.worker) != nil { return abandon(handle, at: place) }
    if place.isFirst { return beginTeardown(place.worker, as: .cancelled) }
    supervisor.requestCancel(place.reference, of: place.worker, &context)
  }

  /// Begins to end what a worker executes, and recalls what waits behind it.
  mutating func beginTeardown(_ worker: WorkerHandle, as ending: PoolEnding) {
    guard supervisor.mayTearDown(worker) else { return }
    dispatcher.beginTeardown(of: worker, &context)
    supervisor.beginTeardown(worker, as: ending, &context)
  }
}
