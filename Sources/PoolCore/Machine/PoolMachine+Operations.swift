package import PoolModel

// What users do to operations, and how what follows from that reaches the dispatcher.

extension PoolMachine {
  /// Makes room for so many operations at once.
  package mutating func reserve(_ count: Int) { graph.reserve(count) }

  /// Makes an operation that is not in a queue yet; amortised O(1).
  package mutating func create(_ spec: borrowing OperationSpec) -> OperationID {
    let isKnown = spec.isJoin || Int(spec.kind.rawValue) < kindCount
    precondition(isKnown, "a kind is declared before it is used")
    let claims = spec.claims.isEmpty ? ClaimsHandle.none : dispatcher.resources.keep(spec.claims)
    return graph.create(spec, claims: claims)
  }

  /// Adds operations to a queue, after everything that is in it: all, or none where a barrier
  /// would close a cycle; then it returns the cycle, each waiting for the next.
  ///
  /// Where ranks are given, one for each, those of one priority are dispatched by rank, the highest
  /// first, and where ranks are equal in the order of the batch; all of the batch still comes
  /// after what was added before.
  ///
  /// O(1) for each operation, and where there are ranks the time to sort them; a barrier costs one
  /// step for each operation since the last one.
  @discardableResult
  package mutating func enqueue(
    _ ids: [OperationID],
    by ranks: [Int64]? = nil,
    in queue: QueueID,
    at now: Instant
  ) -> [OperationID]? {
    turn.now = now
    tryAgain(dispatcher.fleet(of: queue))
    let handles = ids.compactMap { outside($0) }
    if let cycle = graph.enter(handles, in: queue, areRanked: ranks != nil) { return cycle }
    // A rank becomes a place in the order of submission: so it costs nothing from here on.
    for handle in PoolSchedulingPolicy.sorted(handles, by: ranks) {
      dispatcher.enter(handle, in: queue, &graph.operations)
      // What is before a barrier becomes as urgent as it, and as what is behind it.
      raiseDependencies(of: handle)
      if graph.activate(handle, &turn) { makeReady(handle) }
      if graph.hasNews { passOn() }
    }
    spread()
    return nil
  }

  /// Forgets an operation that has settled, or that never entered a queue; its slot is used again.
  ///
  /// For those that wait for one that never entered a queue it ends as cancelled: it cannot be
  /// added any more. O(degree).
  package mutating func release(_ id: OperationID, at now: Instant) {
    turn.now = now
    guard let handle = graph.operations.slot(of: id), !graph.operations[handle].isInQueue else {
      return
    }
    dispatcher.resources.forget(graph.operations[handle].claims)
    graph.release(handle)
    spread()
  }

  /// An operation that settles outside: it depends on nothing here, and others may depend on it.
  package mutating func conclude(_ id: OperationID, as ending: PoolEnding, at now: Instant) {
    turn.now = now
    guard let handle = outside(id) else { return }
    let cause = ending == .cancelled ? EndingCause.request : .answer
    graph.settle(handle, as: ending, because: cause, &turn)
    spread()
  }

  /// Lets an operation wait for another; no effect once it was dispatched or has settled.
  ///
  /// The other one must not be a dependency already. Returns nil, or, changing nothing, the cycle
  /// that would be closed, each waiting for the next. O(1) for graphs that are built from either
  /// end; see ``DependencyGraph``.
  @discardableResult
  package mutating func addDependency(
    of dependent: OperationID,
    on dependency: OperationID,
    requiring requirement: PoolRequirement,
    at now: Instant
  ) -> [OperationID]? {
    turn.now = now
    guard let handle = changeable(dependent), let other = graph.operations.slot(of: dependency)
    else { return nil }
    switch graph.link(handle, to: other, requiring: requirement) {
    case .cycle(let cycle): return cycle
    case .ended: break
    case .linked:
      withdraw(handle)
      graph.unready(handle, &turn)
      raiseDependencies(of: handle)
    case .skipped(let root):
      withdraw(handle)
      graph.settle(handle, as: .skipped, because: .dependency, root: root, &turn)
    }
    spread()
    return nil
  }

  /// Whether an operation can still be told to wait for something.
  package func acceptsDependencies(_ id: OperationID) -> Bool { changeable(id) != nil }

  /// Lets an operation not wait for another any more; O(smaller degree).
  ///
  /// No effect once it was dispatched or has settled.
  ///
  /// One that would have been skipped because of how the other had ended is pardoned: what removes
  /// a dependency says again what it requires of the others that have ended.
  package mutating func removeDependency(
    of dependent: OperationID,
    on dependency: OperationID,
    at now: Instant
  ) {
    turn.now = now
    guard let handle = changeable(dependent) else { return }
    graph.unlink(handle, from: dependency, &turn)
    spread()
  }

  /// Holds an operation back until ``openGate(_:at:)``; false once it was dispatched or has
  /// settled.
  package mutating func addGate(_ id: OperationID) -> Bool {
    guard let handle = changeable(id) else { return false }
    graph.addGate(handle)
    withdraw(handle)
    graph.unready(handle, &turn)
    return true
  }

  /// Opens one gate.
  package mutating func openGate(_ id: OperationID, at now: Instant) {
    turn.now = now
    guard let handle = graph.operations.slot(of: id) else { return }
    graph.openGate(handle, &turn)
    spread()
  }

  /// Changes how urgent an operation is; O(1), and O(dependencies) where it raises its
  /// dependencies.
  package mutating func setPriority(_ priority: PoolQueuePriority, of id: OperationID) {
    guard let handle = graph.operations.slot(of: id) else { return }
    change(handle) { $0.priority = priority }
    raiseDependencies(of: handle)
  }

  /// Makes an operation that is in no queue a member of a group that has not settled: it waits
  /// until the group executes, and the group's dependents wait for it.
  ///
  /// Returns nil, or, changing nothing, the cycle that would be closed, each waiting for the next.
  package mutating func addMember(
    _ member: OperationID,
    to group: OperationID
  ) -> [OperationID]? {
    guard let handle = outside(member), let whole = graph.operations.slot(of: group),
      graph.groups.isGroup(whole)
    else { return nil }
    if let cycle = graph.addMember(handle, to: whole) { return cycle }
    // What waits urgently for the group waits for its members.
    raiseDependencies(of: graph.groups.end(of: whole))
    return nil
  }

  /// Takes an operation out of a group again that has not entered a queue.
  package mutating func removeMember(
    _ member: OperationID,
    from group: OperationID,
    at now: Instant
  ) {
    turn.now = now
    guard let handle = outside(member) else { return }
    graph.removeMember(handle, from: group, &turn)
    spread()
  }

  /// Has an operation prepared that is in no queue yet; see ``OperationSpec/needsPreparation``.
  package mutating func demandPreparation(of id: OperationID) {
    guard let handle = outside(id) else { return }
    graph.operations[handle].demandPreparation()
  }

  /// What the preparation of an operation came to.
  package enum Verdict: Hashable, Sendable {
    /// It may be executed.
    case go
    /// It ends like this, without having been executed.
    case end(PoolEnding, EndingCause, DetailID)
  }

  /// The conditions and inputs of an operation were evaluated; ignored where that was in vain.
  package mutating func prepared(
    _ id: OperationID,
    _ number: UInt64,
    _ verdict: Verdict,
    at now: Instant
  ) {
    turn.now = now
    guard let handle = graph.preparing(id, number) else { return }
    switch verdict {
    case .go:
      graph.operations[handle].endPreparation()
      makeReady(handle)
    case .end(let ending, let cause, let detail):
      graph.settle(handle, as: ending, because: cause, detail: detail, &turn)
    }
    spread()
  }

  /// Cancels an operation: before it was dispatched it settles at once, later the teardown sequence
  /// begins.
  ///
  /// One that is not in a queue is only marked, and settles when it enters one. A settled one is
  /// left alone. O(degree).
  package mutating func cancel(_ id: OperationID, at now: Instant) {
    turn.now = now
    guard let handle = graph.operations.slot(of: id) else { return }
    cancel(handle)
    spread()
  }

  /// Cancels everything in a queue, in the order of submission.
  package mutating func cancelAll(in queue: QueueID, at now: Instant) {
    turn.now = now
    // Dependents hear of it when all is done, so that none settles as skipped because of another's
    // cancellation.
    for handle in graph.handles(in: queue) { cancel(handle) }
    spread()
  }

  /// Tells every change of an operation from now on.
  package mutating func observe(_ id: OperationID) {
    guard let handle = graph.operations.slot(of: id) else { return }
    graph.operations[handle].isObserved = true
  }

  /// Where an operation stands; one that was released has finished.
  package func phase(of id: OperationID) -> OperationPhase { graph.phase(of: id) }

  /// Whether something that an operation waits for has not ended, or was not released.
  package func waits(_ id: OperationID) -> Bool { graph.waits(id) }
}

// MARK: - Between the graph and the dispatcher

extension PoolMachine {
  /// The place of an operation that has not entered a queue.
  private func outside(_ id: OperationID) -> OperationHandle? {
    graph.operations.slot(of: id).flatMap { graph.operations[$0].state.isOutside ? $0 : nil }
  }

  /// The place of an operation that can still be told to wait for something.
  private func changeable(_ id: OperationID) -> OperationHandle? {
    graph.operations.slot(of: id).flatMap {
      graph.operations[$0].state.acceptsDependencies ? $0 : nil
    }
  }

  /// Cancels an operation; its dependents hear of it with ``spread()``.
  mutating func cancel(_ handle: OperationHandle) {
    withdraw(handle)
    guard let dispatch = graph.cancel(handle, &turn),
      let worker = supervisor.worker(dispatch.worker)
    else { return }
    if dispatcher.first(of: worker)?.number == dispatch.number {
      beginTeardown(worker, as: .cancelled)
      arm(worker)
    } else {
      let operation = graph.operations.id(of: handle)
      let reference = DispatchReference(operation: operation, dispatch: dispatch.number)
      turn.requestCancel(dispatch.worker, reference, by: sequence(for: operation))
    }
  }

  /// Has dependents hear of all that has ended, and gives what becomes ready to the dispatcher.
  @inline(__always)
  mutating func spread() {
    if graph.hasNews { spreadNews() }
  }

  private mutating func spreadNews() {
    passOn()
    while graph.hearNext(&turn) { passOn() }
  }

  /// Passes on to the dispatcher what is due, and what has left.
  private mutating func passOn() {
    while let handle = graph.popDue() { makeReady(handle) }
    while let departure = graph.departed.popLast() {
      dispatcher.leave(departure.handle, departure.position)
    }
    guard !graph.emptied.isEmpty else { return }
    while let queue = graph.emptied.popLast() { removeQueue(queue) }
  }

  /// Puts an operation into the ready queue, unless no worker can ever execute it.
  mutating func makeReady(_ handle: OperationHandle) {
    if let cause = dispatcher.service(of: graph.operations[handle].kindQueue).failure {
      graph.operations[handle].queuedAt = turn.now
      return graph.settle(handle, as: .failed, because: cause, &turn)
    }
    graph.becomeReady(handle, at: turn.now)
    dispatcher.enterReady(handle, &graph.operations)
    graph.note(handle, .ready, &turn)
  }

  /// A ready operation is about to wait, or to settle: workers are not given it any more.
  private mutating func withdraw(_ handle: OperationHandle) {
    guard graph.operations[handle].state.isReady else { return }
    dispatcher.removeReady(handle, &graph.operations)
  }

  /// What an operation waits for becomes as urgent as it is, and so on, if it raises its
  /// dependencies.
  private mutating func raiseDependencies(of handle: OperationHandle) {
    guard graph.raises(handle) else { return }
    var work = [handle]
    while let heir = work.popLast() {
      let (level, dependencies) = graph.dependenciesToRaise(by: heir)
      for other in dependencies { change(other) { $0.inheritedLevel = level } }
      work += dependencies
    }
  }

  /// Changes what an operation's place in the ready queue depends on.
  private mutating func change(
    _ handle: OperationHandle,
    _ body: (inout OperationLife) -> Void
  ) {
    let isReady = graph.operations[handle].state.isReady
    if isReady { dispatcher.removeReady(handle, &graph.operations) }
    body(&graph.operations[handle])
    if isReady { dispatcher.enterReady(handle, &graph.operations) }
  }

  /// An attempt has ended: the operation settles, or is ready again where it may be retried.
  mutating func endAttempt(
    _ handle: OperationHandle,
    as ending: PoolEnding,
    because cause: EndingCause,
    saying failure: PoolRetryCause = .error,
    detail: DetailID,
    worker: WorkerID
  ) {
    dispatcher.vacate(handle, &graph.operations)
    if ending == .succeeded { noteSuccess(handle) }
    let mayRetry =
      ending.isFailure && !supervisor.isClosing(dispatcher.fleet(of: handle, graph.operations))
    graph.endAttempt(
      handle,
      as: ending,
      because: cause,
      saying: failure,
      detail: detail,
      worker: worker,
      mayRetry: mayRetry,
      &turn
    )
    if !graph.due.isEmpty { passOn() }
  }
}
