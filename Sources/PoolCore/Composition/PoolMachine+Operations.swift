package import PoolModel

// What users do to operations.

extension PoolMachine {
  /// Makes an operation that is not in a queue yet; amortised O(1).
  package mutating func create(_ spec: borrowing OperationSpec) -> OperationID {
    let id = graph.create(spec, claims: dispatcher.claims(of: spec))
    supervisor.keepTeardown(spec.teardown, of: id)
    return id
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
    context.now = now
    defer { finish() }
    let fleet = dispatcher.fleet(of: queue)
    if supervisor.reopen(fleet, &context) { reviewService(of: fleet) }
    let handles = ids.compactMap { graph.outside($0) }
    if let cycle = graph.enter(handles, in: queue, areRanked: ranks != nil) { return cycle }
    // A rank becomes a place in the order of submission: so it costs nothing from here on.
    for handle in PoolSchedulingPolicy.sorted(handles, by: ranks) {
      if graph.isMember(handle) { enterWithGroup(handle) }
      dispatcher.enter(handle, in: queue, &graph.operations)
      if graph.activate(handle, &context) { makeReady(handle) }
      // Before the next one enters, for whose position all others may be renumbered.
      if graph.hasConsequences { applyConsequencesOfGraph() }
    }
    return nil
  }

  /// A member claims what its group claims, and is cancelled if the group ends.
  private mutating func enterWithGroup(_ handle: OperationHandle) {
    dispatcher.addClaims(graph.claimsOfGroup(of: handle), to: handle, &graph.operations)
    if graph.endsWithGroup(handle) { graph.cancelWithGroup(handle, &context) }
  }

  /// Makes members of a group take units of a resource that counts slots: the group's own width.
  ///
  /// Those that a worker has take none for this attempt. O(members).
  package mutating func bound(_ group: OperationID, by width: ResourceID) {
    let parts = graph.partsInQueue(of: group)
    dispatcher.addClaim(on: width, to: parts, &graph.operations)
  }

  /// Changes what concerns the graph alone; returns nil, or, changing nothing, the cycle that would
  /// be closed, each waiting for the next.
  @discardableResult
  package mutating func change(_ change: GraphChange, at now: Instant) -> [OperationID]? {
    context.now = now
    defer { finish() }
    return graph.apply(change, &context)
  }

  /// Forgets an operation that has settled, or that never entered a queue; its place is used again.
  ///
  /// For those that wait for one that never entered a queue it ends as cancelled: it cannot be
  /// added any more. O(degree).
  package mutating func release(_ id: OperationID, at now: Instant) {
    context.now = now
    guard let claims = graph.release(id, &context) else { return }
    dispatcher.forget(claims)
    supervisor.forgetTeardown(of: id)
    finish()
  }

  /// Cancels everything in a queue, in the order of submission; a drain lets workers finish what
  /// they are at, without retries.
  package mutating func cancelAll(in queue: QueueID, isDrain: Bool = false, at now: Instant) {
    context.now = now
    // Dependents hear of it when all is done, so that none settles as skipped because of another's
    // cancellation.
    for handle in graph.handles(in: queue) {
      let isSpared = isDrain && dispatcher.place(of: handle, graph.operations)?.isFirst == true
      graph.cancel(handle, isSpared: isSpared, &context)
      applyConsequencesOfGraph()
    }
    finish()
  }

  /// Cancels several operations, as ``GraphChange/cancel(_:)`` does, so that none of them is
  /// skipped because of another.
  package mutating func cancel(_ ids: [OperationID], at now: Instant) {
    context.now = now
    for id in ids {
      _ = graph.apply(.cancel(id), &context)
      applyConsequencesOfGraph()
    }
    finish()
  }
}
