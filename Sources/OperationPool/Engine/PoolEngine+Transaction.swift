import PoolCore
import PoolModel

extension PoolEngine {
  /// What is decided under the engine's lock: ``PoolEngine/update(ifWanted:for:_:)`` lends it to a
  /// closure, so that no other thread comes between the closure's verbs.
  ///
  /// Only the files of this folder and the loop's deciding name the machine; `Scripts/floors`
  /// checks that.
  struct Transaction: ~Copyable {
    var machine: PoolMachine
    var kinds = KindNames()
    /// How the workers of worker configurations are started that the loop does not know yet.
    var newPrograms: [ConfigurationID: PoolWorkerConfiguration] = [:]
    /// Number of effects that the loop has taken from the machine.
    var takenEffectCount = 0
    /// When the lock was taken.
    var now = Instant.zero
    private var categories: [String: Category] = [:]

    init(_ machine: consuming PoolMachine) {
      self.machine = machine
    }
  }

  /// A category of mutual exclusion, and how many operations name it.
  private struct Category {
    let resource: ResourceID
    var userCount = 0
  }
}

// MARK: - Operations

extension PoolEngine.Transaction {
  /// The number of a kind, which is declared where it is new.
  mutating func kind(_ name: String) -> KindID {
    kinds.number(of: name, in: &machine)
  }

  /// Makes room for so many operations.
  mutating func reserve(_ count: Int) { machine.graph.reserve(count) }

  /// Makes an operation, which is in no queue yet; amortised O(1).
  @inline(__always)
  mutating func create(_ spec: borrowing OperationSpec) -> OperationID { machine.create(spec) }

  /// Adds operations to a queue, all or none; returns the cycle that a barrier would close.
  ///
  /// Ranks say which come first within a priority.
  @inline(__always)
  mutating func enqueue(
    _ ids: [OperationID],
    by ranks: [Int64]? = nil,
    in queue: QueueID
  ) -> [OperationID]? {
    machine.enqueue(ids, by: ranks, in: queue, at: now)
  }

  /// Where an operation stands.
  func phase(of id: OperationID) -> OperationPhase { machine.graph.phase(of: id) }

  /// Whether an execution of an operation has begun.
  func hasBegun(_ id: OperationID) -> Bool { machine.graph.hasBegun(id) }

  /// Changes operations, and what they wait for; returns the cycle that this would close.
  @inline(__always)
  @discardableResult
  mutating func change(_ change: GraphChange) -> [OperationID]? {
    machine.change(change, at: now)
  }

  /// Cancels an operation, which it tells by true, unless it has finished.
  mutating func cancel(_ id: OperationID) -> Bool {
    guard machine.graph.phase(of: id) != .finished else { return false }
    change(.cancel(id))
    return true
  }

  /// Has an operation prepared that is in no queue yet.
  mutating func requestPreparation(of id: OperationID) { machine.graph.requestPreparation(of: id) }

  /// An in-process worker begins with an operation.
  mutating func begin(_ reference: DispatchReference, on worker: WorkerID) {
    let reception = machine.workerReported(.executing(group: nil), reference, by: worker, at: now)
    precondition(reception == .accepted, "an in-process worker executes what it was given")
  }

  /// Forgets an operation that has settled or never entered a queue, and its part in categories.
  mutating func release(_ id: OperationID, categories names: [String]) {
    machine.release(id, at: now)
    for name in names { leave(name) }
  }
}

// MARK: - What operations wait for

extension PoolEngine.Transaction {
  /// Whether dependencies of an operation still matter: not once a worker has it.
  func acceptsDependencies(_ id: OperationID) -> Bool { machine.graph.acceptsDependencies(id) }

  /// Whether something that an operation waits for has not ended.
  func waits(_ id: OperationID) -> Bool { machine.graph.waits(id) }

  /// Whether anything waits for an operation.
  func isAwaited(_ id: OperationID) -> Bool { machine.graph.isAwaited(id) }

  /// Lets an operation not wait for another one any more; those that it keeps and that have ended
  /// otherwise than required still skip it.
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

  /// Holds an operation back until its gate is opened; false where that comes too late.
  mutating func addGate(to id: OperationID) -> Bool {
    guard machine.graph.acceptsDependencies(id) else { return false }
    change(.addGate(id))
    return true
  }

  /// The resource of a category, which one more operation names.
  mutating func enter(_ category: String) -> ResourceID {
    var life = categories[category] ?? .init(resource: machine.dispatcher.addResource(capacity: 1))
    life.userCount += 1
    categories[category] = life
    return life.resource
  }

  /// One operation less names a category.
  private mutating func leave(_ category: String) {
    guard let life = categories[category] else { return }
    categories[category]?.userCount -= 1
    guard life.userCount == 1 else { return }
    categories[category] = nil
    machine.dispatcher.removeResource(life.resource)
  }
}

// MARK: - Queues

extension PoolEngine.Transaction {
  /// Number of slots that the operations of a queue may have at once.
  func width(of queue: QueueID) -> Int { machine.dispatcher.width(of: queue) }

  /// Changes the width; returns the old one.
  @discardableResult
  mutating func setWidth(_ width: Int, of queue: QueueID) -> Int {
    defer { machine.change(.width(width, of: queue)) }
    return machine.dispatcher.width(of: queue)
  }

  /// The workers of a fleet, by worker configuration; O(all workers).
  func census(of fleet: FleetID) -> [WorkerCensus] { machine.supervisor.census(of: fleet) }

  /// Whether nothing is dispatched from a queue.
  func isSuspended(_ queue: QueueID) -> Bool { machine.dispatcher.isSuspended(queue) }

  /// Suspends or resumes a queue; returns what it was before.
  @discardableResult
  mutating func setSuspended(_ isSuspended: Bool, _ queue: QueueID) -> Bool {
    defer { machine.change(.suspended(isSuspended, queue)) }
    return machine.dispatcher.isSuspended(queue)
  }

  /// Number of operations of a queue that have not settled; O(1).
  func unsettledCount(of queue: QueueID) -> Int { machine.graph.unsettledCount(of: queue) }

  /// Those operations, in the order of their submission; O(operations).
  func operations(in queue: QueueID) -> [OperationID] { machine.graph.operations(in: queue) }

  /// Cancels them, at once: none is skipped because another was cancelled first.
  mutating func cancelAll(in queue: QueueID) { machine.cancelAll(in: queue, at: now) }
}

// MARK: - Observing

extension PoolEngine.Transaction {
  /// The number of the next effect, counted from 0: all that came before is decided already.
  var nextEvent: Int { takenEffectCount + machine.context.effects.count }

  /// Tells every change of an operation from now on; returns where it stands.
  mutating func observe(_ id: OperationID) -> OperationPhase {
    machine.graph.observe(id)
    return machine.graph.phase(of: id)
  }

  /// Tells all changes of all operations of a queue from now on.
  mutating func observe(_ queue: QueueID) { machine.graph.observe(queue) }
}
