import PoolModel

// The operations that each worker has, in the order of dispatch.

extension Dispatcher {
  /// Adds a worker that was spawned; it takes no operation yet.
  mutating func add(_ worker: WorkerHandle, _ id: WorkerID, of configuration: ConfigurationID) {
    assignments.put(WorkerAssignments(id: id, configuration: configuration), at: worker)
  }

  /// Lets a worker take operations from now on, at most as many as allowed.
  mutating func open(
    _ worker: WorkerHandle,
    _ capabilities: Set<Capability>,
    _ kinds: [KindID],
    allowance: Int
  ) {
    assignments[worker].isOpen = true
    noteOpen(assignments[worker].configuration, 1)
    assignments[worker].returns = capabilities.contains(.recall)
    assignments[worker].prefetches =
      capabilities.isSuperset(of: [.prefetch, .recall, .cancel])
    assignments[worker].allowance = allowance
    assignments[worker].window.isFar =
      configurations[assignments[worker].configuration].spec.isFar
    if capabilities.contains(.timeout) { assignments[worker].patience = WorkerAssignments.patience }
    let configuration = assignments[worker].configuration
    configurations[configuration].idle.insert(worker)
    markDirty(configuration)
    guard configurations[configuration].kinds == nil else { return }
    configurations[configuration].kinds = kinds
    connectKindQueues(of: configuration)
  }

  /// Gives a worker no more operations.
  mutating func close(_ worker: WorkerHandle) {
    if assignments[worker].isIdle {
      configurations[assignments[worker].configuration].idle.remove(worker)
    }
    guard assignments[worker].isOpen else { return }
    assignments[worker].isOpen = false
    noteOpen(assignments[worker].configuration, -1)
  }

  private mutating func noteOpen(_ configuration: ConfigurationID, _ change: Int) {
    configurations[configuration].openCount += change
    fleets[configurations[configuration].fleet].openCount += change
  }

  /// Forgets a worker that is gone; returns the operations that it had.
  mutating func remove(_ worker: WorkerHandle, _ records: inout OperationTable) -> AssignmentQueue {
    close(worker)
    let queue = assignments[worker].queue
    let configuration = assignments[worker].configuration
    markDirty(configuration)
    if !queue.isEmpty { endWork(configuration) }
    if queue.count > 1 { notePrefetching(worker, -1) }
    if assignments[worker].isListed {
      configurations[configuration].listed.removeAll { $0 == worker }
    }
    assignments[worker].isListed = false
    assignments[worker].queue = AssignmentQueue()
    for (place, assignment) in queue.all.enumerated() {
      vacate(assignment.handle, keepsClaims: place > 0, &records)
    }
    return queue
  }

  /// The operation that a worker executes or will execute next.
  @inline(__always)
  func first(of worker: WorkerHandle) -> Assignment? { assignments[worker].queue.first }

  /// The first operation, and nanoseconds of its execution after which what waits behind it is
  /// recalled, if anything does.
  @inline(__always)
  func head(of worker: WorkerHandle) -> (assignment: Assignment, patience: Int64?)? {
    first(of: worker).map { ($0, hasFollowers(worker) ? patience(behind: $0, of: worker) : nil) }
  }

  /// Nanoseconds that others wait behind a worker's first operation: over a link two round trips
  /// longer, since what carries the end may itself wait for the one before.
  @inline(__always)
  func patience(behind first: Assignment, of worker: WorkerHandle) -> Int64 {
    PrefetchPolicy.patience(expecting: first.expected) + 2 * assignments[worker].window.delay
  }

  /// Whether a worker has operations behind the first that have not been recalled.
  func hasFollowers(_ worker: WorkerHandle) -> Bool {
    assignments[worker].queue.count > 1 && !assignments[worker].hasRecalled
  }

  /// Whether a worker has operations behind the first, recalled or not.
  func hasOthers(behindFirstOf worker: WorkerHandle) -> Bool {
    assignments[worker].queue.count > 1
  }

  /// The worker that has an operation, and the operation's place in its queue.
  struct Place {
    let worker: WorkerHandle
    let reference: DispatchReference
    /// Whether it is the first, which may already execute.
    let isFirst: Bool
  }

  /// Where an operation is, if a worker has it.
  func place(of handle: OperationHandle, _ records: borrowing OperationTable) -> Place? {
    guard let dispatch = records[handle].state.dispatch else { return nil }
    let reference = DispatchReference(
      operation: records.id(of: handle),
      dispatch: dispatch.number
    )
    let isFirst = first(of: dispatch.worker)?.number == dispatch.number
    return Place(worker: dispatch.worker, reference: reference, isFirst: isFirst)
  }

  /// The operations that a worker has, in the order of their dispatch.
  func line(of worker: WorkerHandle) -> ArraySlice<Assignment> { assignments[worker].queue.all }

  /// What a worker has.
  func assignments(of worker: WorkerHandle) -> WorkerAssignments { assignments[worker] }

  /// Number of operations in queues.
  var positionCount: Int { order.count }

  /// Takes an operation from its worker.
  @inline(__always)
  mutating func take(_ reported: Reported, _ records: inout OperationTable) {
    let (handle, worker) = (reported.handle, reported.worker)
    let keepsClaims =
      records[handle].hasClaims && (!reported.isFirst || hasSuccessor(worker, records))
    vacate(handle, keepsClaims: keepsClaims, &records)
    if assignments[worker].queue.count == 2 { notePrefetching(worker, -1) }
    guard reported.isFirst else { return assignments[worker].queue.removePrefetched(handle) }
    let expected = assignments[worker].queue.removeFirst()
    assignments[worker].isAlone = false
    assignments[worker].isTornDown = false
    if reported.hasAnswered { noteAnswer(records[handle].kindQueue, expected, by: worker) }
    guard assignments[worker].queue.isEmpty else { return }
    assignments[worker].hasRecalled = false
    let configuration = assignments[worker].configuration
    endWork(configuration)
    markDirty(configuration)
    if assignments[worker].isOpen { configurations[configuration].idle.insert(worker) }
  }

  /// Counts a worker that has just got operations behind the first (+1), or lost the last of them
  /// (-1).
  mutating func notePrefetching(_ worker: WorkerHandle, _ change: Int) {
    configurations[assignments[worker].configuration].prefetchingCount += change
    prefetchingWorkerCount += change
  }

  @inline(__always)
  private mutating func noteAnswer(
    _ kindQueue: KindQueueHandle,
    _ expected: Int64,
    by worker: WorkerHandle
  ) {
    assignments[worker].isFresh = false
    assignments[worker].allowance -= 1
    assignments[worker].answerRate.answers += 1
    assignments[worker].answerRate.expected = expected
    assignments[worker].answerRate.kindQueue = kindQueue
  }

  /// Recalls the operations behind the first of the worker's queue, all but the first so many
  /// nanoseconds of them.
  mutating func recall(
    from worker: WorkerHandle,
    keeping work: Int64 = 0,
    _ context: inout EventContext
  ) {
    guard assignments[worker].returns, !assignments[worker].hasRecalled else { return }
    var end: Int64 = 0
    for assignment in assignments[worker].queue.prefetched {
      end += assignment.expected
      if end <= work { continue }
      assignments[worker].hasRecalled = true
      assignments[worker].recalledUpTo = assignment.number
      context.effects.append(.recall(assignments[worker].id, assignment.reference))
    }
  }

  /// Whether the operations that wait in a worker's queue will take far longer than expected when
  /// they were dispatched, judged by the kind of its latest answer.
  private func isMisjudged(
    _ worker: WorkerHandle,
    _ kindQueue: KindQueueHandle,
    expected: Int64
  ) -> Bool {
    guard let known = expectation(of: kindQueue), expected > 0, known > 2 * expected
    else { return false }
    let factor = Double(known) / Double(expected)
    let work = Double(assignments[worker].queue.prefetchedWork) * factor
    return work > Double(5 * PrefetchPolicy.workLimit + 3 * assignments[worker].window.delay)
  }

  /// Recalls all operations behind a first one that takes longer than expected; the worker's next
  /// answer then corrects the estimate at once.
  mutating func recallLate(from worker: WorkerHandle, _ context: inout EventContext) {
    recall(from: worker, &context)
    assignments[worker].answerRate.isSlow = true
  }

  /// The first operation of the worker is being torn down: the others are recalled, and no more are
  /// added.
  mutating func beginTeardown(of worker: WorkerHandle, _ context: inout EventContext) {
    recall(from: worker, &context)
    assignments[worker].isTornDown = true
  }

  /// Ends a batch of a worker's answers, and corrects the estimates by it; returns whether the
  /// operations that wait in the worker's queue were recalled.
  mutating func endBatch(of worker: WorkerHandle, _ context: inout EventContext) -> Bool {
    guard let kindQueue = assignments[worker].answerRate.kindQueue else { return false }
    let rate = assignments[worker].answerRate
    let average = rate.average(until: context.now, behind: assignments[worker].window)
    if assignments[worker].window.isFar, let lateness = rate.lateness(at: context.now) {
      assignments[worker].window.add(lateness)
    }
    // With more than one answer, a pause of the worker's process may have made the batch long.
    let isCertain = rate.isSlow && rate.answers == 1
    kindQueues[kindQueue].estimate.add(average: average, count: rate.answers, isCertain: isCertain)
    fleetKinds[kindQueues[kindQueue].fleetKind].estimate
      .add(average: average, count: rate.answers, isCertain: isCertain)
    assignments[worker].answerRate = AnswerRate(since: context.now)
    if assignments[worker].runsLow(gathers: lastFewLength > 0) {
      list(worker)
      markDirty(assignments[worker].configuration)
    }
    guard hasFollowers(worker), isMisjudged(worker, kindQueue, expected: rate.expected) else {
      return false
    }
    recall(from: worker, &context)
    return true
  }
}
