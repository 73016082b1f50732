import PoolCore
import PoolModel

extension PoolEngine {
  /// Access to the state behind the engine's lock: ``PoolEngine/update(ifWanted:for:_:)`` lends it
  /// to a closure, so that no other thread changes the machine between the closure's calls.
  ///
  /// Only the files beside this one and `EventLoop+Deciding.swift` name the machine;
  /// `Scripts/floors` checks that.
  struct Transaction: ~Copyable {
    var machine: PoolMachine
    var kinds = KindNames()
    /// Worker configurations that the loop does not know yet.
    var newPrograms: [ConfigurationID: PoolWorkerConfiguration] = [:]
    /// Number of effects that the loop has taken from the machine.
    var takenEffectCount = 0
    /// The time of the events that follow; it never goes back.
    private(set) var now = Instant.zero
    private var categories: [String: Category] = [:]

    init(_ machine: consuming PoolMachine) {
      self.machine = machine
    }

    /// The time of the events that follow is the given one, or that of earlier events if it is
    /// later: the clock is read before the lock is taken, which another thread may take first.
    mutating func advance(to instant: Instant) { now = max(now, instant) }
  }

  /// A category of mutual exclusion, and how many operations name it.
  private struct Category {
    let resource: ResourceID
    var userCount = 0
  }
}

// MARK: - Operations

extension PoolEngine.Transaction {
  /// The number of a kind; a new kind is declared.
  mutating func kind(_ name: String) -> KindID {
    kinds.number(of: name, in: &machine)
  }

  /// The number of a kind whose workers must have features, or not; a new kind is declared.
  mutating func kind(_ kind: ConstrainedKind) -> KindID {
    kinds.number(of: kind, in: &machine)
  }

  /// Makes room for this number of additional operations.
  mutating func reserve(_ count: Int) { machine.graph.reserve(count) }

  /// Creates an operation, which is in no queue yet; amortised O(1).
  @inline(__always)
  mutating func create(_ spec: borrowing OperationSpec) -> OperationID { machine.create(spec) }

  /// Adds operations to a queue, all or none; returns the cycle that a barrier would close.
  ///
  /// Ranks decide the order within a priority.
  @inline(__always)
  mutating func enqueue(
    _ ids: [OperationID],
    by ranks: [Int64]? = nil,
    in queue: QueueID
  ) -> [OperationID]? {
    machine.enqueue(ids, by: ranks, in: queue, at: now)
  }

  /// The phase of an operation.
  func phase(of id: OperationID) -> OperationPhase { machine.graph.phase(of: id) }

  /// Whether an operation was cancelled, and has not ended.
  func isCancelled(_ id: OperationID) -> Bool { machine.graph.isCancelled(id) }

  /// Whether at least one attempt of an operation has begun.
  func hasBegun(_ id: OperationID) -> Bool { machine.graph.hasBegun(id) }

  /// Changes operations or dependencies; returns the cycle that this would close.
  @inline(__always)
  @discardableResult
  mutating func change(_ change: GraphChange) -> [OperationID]? {
    machine.change(change, at: now)
  }

  /// Cancels an operation unless it has finished; returns whether it did.
  mutating func cancel(_ id: OperationID) -> Bool {
    guard machine.graph.phase(of: id) != .finished else { return false }
    change(.cancel(id))
    return true
  }

  /// Requests preparation for an operation that is in no queue yet.
  mutating func requestPreparation(of id: OperationID) { machine.graph.requestPreparation(of: id) }

  /// A block worker begins an operation.
  mutating func begin(_ reference: DispatchReference, on worker: WorkerID) {
    let reception = machine.workerReported(.executing(group: nil), reference, by: worker, at: now)
    precondition(reception == .accepted, "a block worker executes what it was given")
  }

  /// A block worker has answered.
  mutating func answer(
    _ report: WorkerReport,
    _ reference: DispatchReference,
    by worker: WorkerID
  ) {
    let reception = machine.workerReported(report, reference, by: worker, at: now)
    if case .violation(let what) = reception { preconditionFailure("a block worker sends \(what)") }
  }

  /// Moves the effects to a turn, which must perform them.
  mutating func takeEffects(for turn: Turn) {
    machine.context.take(&turn.effects, &turn.teardowns)
    (turn.number, turn.time) = (takenEffectCount, now)
    takenEffectCount += turn.effects.count
  }

  /// Forgets an operation that has settled or never entered a queue, and its membership in
  /// categories, with the resource of a group's width.
  mutating func release(_ id: OperationID, categories names: [String], width: ResourceID?) {
    machine.release(id, at: now)
    for name in names { leave(name) }
    if let width { machine.dispatcher.removeResource(width) }
  }
}

// MARK: - Dependencies, gates and categories

extension PoolEngine.Transaction {
  /// Whether an operation still accepts dependencies and gates: not after its dispatch.
  func acceptsDependencies(_ id: OperationID) -> Bool { machine.graph.acceptsDependencies(id) }

  /// Whether an operation has a dependency that has not ended, or a gate that is not open.
  func waits(_ id: OperationID) -> Bool { machine.graph.waits(id) }

  /// Whether an operation waits for another one, directly or through others, as far as a short
  /// search finds.
  func waits(_ id: OperationID, for other: OperationID) -> Bool {
    machine.graph.waits(id, for: other)
  }

  /// Whether anything waits for an operation.
  func isAwaited(_ id: OperationID) -> Bool { machine.graph.isAwaited(id) }

  /// Removes a dependency of an operation.
  ///
  /// `rest` are its other dependencies: one of these that has ended without meeting its requirement
  /// still makes the operation skip.
  mutating func unlink(
    _ id: OperationID,
    from other: OperationID,
    keeping rest: [(id: OperationID, requirement: PoolRequirement)]
  ) {
    change(.removeDependency(of: id, on: other))
    for (other, requirement) in rest where phase(of: other) == .finished {
      change(.addDependency(of: id, on: other, requiring: requirement))
    }
  }

  /// Holds an operation back until its gate is opened; false if it was dispatched already.
  mutating func addGate(to id: OperationID) -> Bool {
    guard machine.graph.acceptsDependencies(id) else { return false }
    change(.addGate(id))
    return true
  }

  /// The resource of a category; counts one more operation that names it.
  mutating func enter(_ category: String) -> ResourceID {
    var life = categories[category] ?? .init(resource: machine.dispatcher.addResource(capacity: 1))
    life.userCount += 1
    categories[category] = life
    return life.resource
  }

  /// The resource of a category; nil if no operation names it.
  func resource(of category: String) -> ResourceID? { categories[category]?.resource }

  /// Counts one operation less that names a category.
  private mutating func leave(_ category: String) {
    guard let life = categories[category] else { return }
    categories[category]?.userCount -= 1
    guard life.userCount == 1 else { return }
    categories[category] = nil
    machine.dispatcher.removeResource(life.resource)
  }
}

// MARK: - Groups

extension PoolEngine.Transaction {
  /// Makes the resource of a group's own width, of which its members take units.
  mutating func addWidth(_ width: Int, to group: OperationID) -> ResourceID {
    let resource = machine.dispatcher.addResource(capacity: width, countsSlots: true)
    machine.bound(group, by: resource)
    return resource
  }

  mutating func setCapacity(_ capacity: Int, of resource: ResourceID) {
    machine.change(.capacity(capacity, of: resource))
  }
}

// MARK: - Queues

extension PoolEngine.Transaction {
  /// Number of slots that the operations of a queue may take at once.
  func width(of queue: QueueID) -> Int { machine.dispatcher.width(of: queue) }

  /// Sets the width; returns the old one.
  @discardableResult
  mutating func setWidth(_ width: Int, of queue: QueueID) -> Int {
    defer { machine.change(.width(width, of: queue)) }
    return machine.dispatcher.width(of: queue)
  }

  /// The workers of each fleet, by worker configuration; O(all workers and these fleets).
  func censuses(of fleets: [FleetID]) -> [[WorkerCensus]] {
    machine.supervisor.censuses(of: fleets)
  }

  /// Whether nothing is dispatched from a queue.
  func isSuspended(_ queue: QueueID) -> Bool { machine.dispatcher.isSuspended(queue) }

  /// Suspends or resumes a queue; returns whether it was suspended before.
  @discardableResult
  mutating func setSuspended(_ isSuspended: Bool, _ queue: QueueID) -> Bool {
    defer { machine.change(.suspended(isSuspended, queue)) }
    return machine.dispatcher.isSuspended(queue)
  }

  /// Number of operations of a queue that have not settled; O(1).
  func unsettledCount(of queue: QueueID) -> Int { machine.graph.unsettledCount(of: queue) }

  /// The operations of a queue that have not settled, in the order of submission; O(operations).
  func operations(in queue: QueueID) -> [OperationID] { machine.graph.operations(in: queue) }

  /// Cancels all of these together, so that none is skipped because another was cancelled first.
  mutating func cancelAll(in queue: QueueID) { machine.cancelAll(in: queue, at: now) }
}

// MARK: - Observing

extension PoolEngine.Transaction {
  /// The number of the next effect, counted from 0: everything before it has been decided.
  var nextEvent: Int { takenEffectCount + machine.context.effects.count }

  /// Reports every change of an operation from now on; returns its phase.
  mutating func observe(_ id: OperationID) -> OperationPhase {
    machine.graph.observe(id)
    return machine.graph.phase(of: id)
  }

  /// Reports all changes of all operations of a queue from now on.
  mutating func observe(_ queue: QueueID) { machine.graph.observe(queue) }
}
