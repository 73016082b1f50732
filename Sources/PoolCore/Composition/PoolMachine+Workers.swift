package import PoolModel

// What workers say, what becomes of them, and how they are given operations. An event that does not
// fit what its worker was given is either stale, and changes nothing, or a violation, which the
// caller is told of.

extension PoolMachine {
  /// The worker that an event is about, unless it is gone.
  @inline(__always)
  private mutating func begin(_ id: WorkerID, at now: Instant) -> WorkerHandle? {
    context.now = now
    return supervisor.worker(id)
  }

  /// A worker has sent its greeting; `kinds` counts only for the first one of a worker
  /// configuration that names none, because the engine has checked that it lacks none.
  package mutating func workerGreeted(
    _ id: WorkerID,
    kinds: [KindID],
    capabilities: Set<Capability>,
    at now: Instant
  ) -> Reception {
    guard let worker = begin(id, at: now) else { return .stale }
    if let objection = supervisor.objection(toGreetingOf: worker) { return objection }
    let isFirst = supervisor.greet(worker, capabilities, &context)
    dispatcher.open(worker, capabilities, kinds, allowance: supervisor.allowance(of: worker))
    if isFirst {
      // It may have been allowed more than it was declared with.
      fit(supervisor.configuration(of: worker))
      reviewService(of: supervisor.fleet(of: worker))
    }
    finish()
    return .accepted
  }

  /// Takes a worker's report about a dispatch, or the loop's report that it could not send it.
  package mutating func workerReported(
    _ report: WorkerReport,
    _ reference: DispatchReference,
    by id: WorkerID,
    at now: Instant
  ) -> Reception {
    guard let worker = begin(id, at: now) else { return .stale }
    let mayStop = report.isCancelled && supervisor.mayStop(worker)
    let judgement = dispatcher.judge(report, reference, by: worker, mayStop, graph.operations)
    guard case .accepted(let reported) = judgement else { return judgement.reception }
    switch report {
    case .executing(let group): execute(reported, id, in: group)
    case .remarked(let detail): context.effects.append(.passOn(reference.operation, detail))
    case .answered(let ending, let failure, let detail, let elapsed):
      var end = supervisor.end(of: worker, ending, failure, detail, isFirst: reported.isFirst)
      if let elapsed, reported.isFirst, graph.isExecuting(reported.handle) {
        dispatcher.note(elapsed: elapsed, by: reported.worker)
        end.finished = measure(reported, elapsed)
      }
      leave(reported, as: end)
    case .returned: leave(reported, as: nil)
    case .unsent(let cause, let detail):
      leave(reported, as: OperationEnd(.failed, cause, detail: detail))
    }
    finish()
    return .accepted
  }

  /// A worker has measured how long it executed an operation; returns when that ended.
  private mutating func measure(_ reported: Dispatcher.Reported, _ elapsed: Int64) -> Instant {
    let isAlone = !dispatcher.hasOthers(behindFirstOf: reported.worker)
    let span = supervisor.span(of: reported.worker, elapsed, isAlone: isAlone, until: context.now)
    graph.noteStart(of: reported.handle, at: span.started)
    supervisor.note(span, of: reported.worker, at: context.now)
    return span.finished
  }

  /// A worker executes an operation, or tells its group, or begins later than it said.
  @inline(__always)
  private mutating func execute(_ reported: Dispatcher.Reported, _ id: WorkerID, in group: Int32?) {
    if let group { supervisor.noteCommandGroup(group, of: reported.worker, &context) }
    if graph.isExecuting(reported.handle) {
      guard group == nil, supervisor.mayBeDelayed(reported.worker, at: context.now) else { return }
    }
    let mustEnd = graph.execute(reported.handle, on: id, &context)
    supervisor.execute(reported.worker, at: context.now)
    // After `execute`, because the supervisor's first signal waits for the group, which the worker
    // may be about to report.
    if mustEnd { beginTeardown(reported.worker, as: .cancelled) }
  }

  /// A worker no longer has an operation, which ends so; without an end it is ready again.
  @inline(__always)
  private mutating func leave(_ reported: Dispatcher.Reported, as end: OperationEnd?) {
    dispatcher.take(reported, &graph.operations)
    let mayRetry = end?.ending.isFailure == true && supervisor.mayRetry(reported.worker)
    graph.leaveWorker(reported.handle, as: end, mayRetry: mayRetry, &context)
    if graph.hasConsequences { applyConsequencesOfGraph() }
    if reported.isFirst {
      supervisor.endHead(reported.worker, reported.hasAnswered ? end?.ending : nil, &context)
    }
    supervisor.setHead(reported.worker, to: dispatcher.head(of: reported.worker), &context)
  }

  /// All complete messages that a worker has sent so far were reported: a batch of answers ends
  /// here.
  package mutating func workerWasRead(
    _ id: WorkerID,
    within frame: PartialFrame? = nil,
    at now: Instant
  ) {
    guard let worker = begin(id, at: now) else { return }
    supervisor.heard(worker, within: frame, at: now)
    if dispatcher.endBatch(of: worker, &context) { supervisor.endRecall(of: worker, &context) }
  }

  /// A worker is gone, or could not be started; everything that it had sent was reported before.
  ///
  /// Only the operation that it had started, or was to start next, is suspect; what was prefetched
  /// is ready again. A worker that could not start, or could not begin its operation, because of a
  /// shortage counts as no failure; the pool tries again with fewer workers.
  ///
  /// Of a worker behind a link, it is known only which dispatches cannot have reached it: those
  /// after `sent`. The others may have begun there, and count as attempts; returns their number,
  /// apart from the one that the worker had reported. If it has a lease, they may still execute,
  /// and are kept with their slots and units until that is over: then ``Effect/lapse(_:)`` asks for
  /// this event once more.
  @discardableResult
  package mutating func workerExited(
    _ id: WorkerID,
    shortOf shortage: WorkerShortage? = nil,
    inDoubtUpTo sent: DispatchNumber? = nil,
    detail: DetailID,
    at now: Instant
  ) -> Int {
    guard let worker = begin(id, at: now) else { return 0 }
    defer { finish() }
    if let doubt = supervisor.doubt(of: worker) {
      return remove(worker, shortOf: nil, inDoubtUpTo: doubt.lastSent, detail)
    }
    if let sent, let until = supervisor.doubtEnd(of: worker, at: now) {
      let doubt = WorkerDoubt(until: until, lastSent: sent)
      if let count = keep(worker, in: doubt) { return count }
    }
    return remove(worker, shortOf: shortage, inDoubtUpTo: sent, detail)
  }

  /// Forgets a worker that is gone; returns how many operations count as begun only because they
  /// may have.
  private mutating func remove(
    _ worker: WorkerHandle,
    shortOf shortage: WorkerShortage?,
    inDoubtUpTo sent: DispatchNumber?,
    _ detail: DetailID
  ) -> Int {
    let configuration = supervisor.configuration(of: worker)
    let line = dispatcher.remove(worker, &graph.operations)
    let isCancelled = line.first.map { graph.isCancelled($0.handle) } ?? false
    var exit = supervisor.remove(worker, shortage, isCancelled: isCancelled, detail)
    if let suspect = exit.suspect, dispatcher.blame(suspect, exit.life.id, detail, &context) {
      exit.quarantine(detail)
    }
    var doubtCount = 0
    for (place, lost) in line.all.enumerated() {
      var end = place == 0 ? exit.end : nil
      if let sent, exit.leavesInDoubt(lost, upTo: sent) {
        doubtCount += beginInDoubt(lost, of: exit) ? 1 : 0
        if !graph.isCancelled(lost.handle) { end = exit.endInDoubt(after: end, detail) }
      }
      graph.leaveWorker(lost.handle, as: end, mayRetry: exit.mayRetry, &context)
      applyConsequencesOfGraph()
    }
    fit(configuration)
    if supervisor.countExit(exit, &context) { reviewService(of: exit.fleet) }
    return doubtCount
  }

  /// What may have begun counts as begun; returns whether that is new.
  private mutating func beginInDoubt(_ lost: Assignment, of exit: WorkerExit) -> Bool {
    guard !graph.isExecuting(lost.handle), !graph.isCancelled(lost.handle) else { return false }
    _ = graph.execute(lost.handle, on: exit.life.id, &context)
    return true
  }

  /// Passes on what concerns the lives of workers alone.
  package mutating func supervise(_ event: WorkerEvent, at now: Instant) {
    context.now = now
    noteLink(event)
    supervisor.apply(event, &context)
    finish()
  }
}

// MARK: - Workers that cannot be reached

extension PoolMachine {
  /// Keeps a worker that cannot be reached any more, with what it may still execute; returns how
  /// many operations may have begun though nothing says so, or nil if there is nothing in doubt.
  ///
  /// What was cancelled is not waited for: its user has given it up.
  private mutating func keep(_ worker: WorkerHandle, in doubt: WorkerDoubt) -> Int? {
    let line = dispatcher.line(of: worker)
    let isInDoubt = { (assignment: Assignment, graph: borrowing Graph) in
      assignment.number.rawValue <= doubt.lastSent.rawValue && !graph.isCancelled(assignment.handle)
    }
    let kept = line.filter { isInDoubt($0, graph) }
    guard !kept.isEmpty else { return nil }
    supervisor.keep(worker, in: doubt, at: context.now)
    for assignment in line.reversed() where !isInDoubt(assignment, graph) {
      guard let place = dispatcher.place(of: assignment.handle, graph.operations) else { continue }
      leave(assignment.handle, at: place, isCancelled: graph.isCancelled(assignment.handle))
    }
    return kept.count { !graph.isExecuting($0.handle) }
  }

  /// An operation leaves a worker that cannot be reached, as cancelled or unbegun.
  private mutating func leave(
    _ handle: OperationHandle,
    at place: Dispatcher.Place,
    isCancelled: Bool
  ) {
    let reported = Dispatcher.Reported(
      handle: handle,
      worker: place.worker,
      isFirst: place.isFirst,
      hasAnswered: false
    )
    dispatcher.take(reported, &graph.operations)
    let end = isCancelled ? OperationEnd(.cancelled, .request) : nil
    graph.leaveWorker(handle, as: end, mayRetry: false, &context)
    guard place.isFirst else { return }
    supervisor.endHead(place.worker, nil, &context)
    supervisor.setHead(place.worker, to: dispatcher.head(of: place.worker), &context)
  }

  /// An operation was cancelled that a worker has which cannot be reached.
  mutating func abandon(_ handle: OperationHandle, at place: Dispatcher.Place) {
    leave(handle, at: place, isCancelled: true)
    if dispatcher.first(of: place.worker) == nil {
      supervisor.endDoubt(of: place.worker, &context)
    }
  }
}

extension PoolMachine {
  /// What a link does matters to the dispatcher, too.
  private mutating func noteLink(_ event: WorkerEvent) {
    switch event {
    case .proved(let id):
      if let worker = supervisor.worker(id) { dispatcher.noteProof(by: worker) }
    case .measured(let id, let roundTrip):
      if let worker = supervisor.worker(id) { dispatcher.noteRoundTrip(roundTrip, of: worker) }
    case .congested(let id, let isCongested):
      if let worker = supervisor.worker(id) { dispatcher.note(isCongested: isCongested, worker) }
    default: break
    }
  }
}

// MARK: - Time

extension PoolMachine {
  /// Hands ready operations to workers, and asks for workers where some are missing.
  ///
  /// Workers that have nothing to do come first, in the order of their handles; then those that may
  /// prefetch some behind what they execute, evenly.
  ///
  /// Amortised O(1) for each operation dispatched, and O(log q) if its queue or kind is not that of
  /// the one before; *q* is the number of queues that have something ready, times their kinds. The
  /// cost does not depend on waiting operations, on other queues and workers, or on unchanged
  /// fleets. Operations that need several slots of a full queue, and suspects, cost a look at each
  /// of the *q*.
  package mutating func dispatch(at now: Instant) {
    context.now = now
    dispatcher.offerWide(&graph.operations)
    for configuration in dispatcher.configurationsToSupply() {
      while supervisor.mayGrow(configuration), let demand = dispatcher.demand(for: configuration),
        let (worker, id) = supervisor.start(configuration, for: demand, &context)
      {
        dispatcher.add(worker, id, of: configuration)
      }
    }
    if dispatcher.hasSuspects {
      let supplies = dispatcher.configurationsWithSuspects.map { supervisor.freshSupply(of: $0) }
      let leaving = dispatcher.dispatchSuspects(supplies, &graph.operations, &context)
      for worker in leaving { supervisor.retire(worker, &context) }
    }
    dispatcher.dispatch(&graph.operations, &context)
    while let worker = dispatcher.nextSupplied() {
      supervisor.setHead(worker, to: dispatcher.head(of: worker), &context)
    }
    finish()
  }

  /// Does everything that was due by now.
  package mutating func fireTimers(at now: Instant) {
    context.now = now
    supervisor.postponeLimits(since: nextDeadline, at: now)
    while let worker = supervisor.popDue(at: now) {
      switch supervisor.check(worker, &context) {
      case .nothing: break
      case .timeout: beginTeardown(worker, as: .timedOut)
      case .long: dispatcher.recallLate(from: worker, &context)
      }
      supervisor.arm(worker)
    }
    while graph.fireTimer(&context) { propagateEnds() }
    supervisor.fireTimers(&context)
    finish()
  }
}
