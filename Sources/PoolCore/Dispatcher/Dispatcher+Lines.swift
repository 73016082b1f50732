import PoolModel

// What each worker has, in the order of dispatch.

extension Dispatcher {
  /// A worker is started; it takes nothing yet.
  mutating func add(_ worker: WorkerHandle, _ id: WorkerID, of configuration: ConfigurationID) {
    lines.put(WorkerLine(id: id, configuration: configuration), at: worker)
  }

  /// A worker takes operations from now on, so many at most.
  mutating func open(
    _ worker: WorkerHandle,
    _ abilities: WorkerAbilities,
    _ kinds: [KindID],
    allowance: Int
  ) {
    lines[worker].isOpen = true
    lines[worker].returns = abilities.returns
    lines[worker].prefetches = abilities.prefetches && abilities.returns && abilities.stops
    lines[worker].allowance = allowance
    let configuration = lines[worker].configuration
    configurations[configuration].idle.insert(worker)
    guard configurations[configuration].kinds == nil else { return }
    configurations[configuration].kinds = kinds
    connectKindQueues(of: configuration)
  }

  /// A worker gets nothing more.
  mutating func close(_ worker: WorkerHandle) {
    if lines[worker].isIdle { configurations[lines[worker].configuration].idle.remove(worker) }
    lines[worker].isOpen = false
  }

  /// A worker is gone; returns what it had, which no worker has any more.
  mutating func remove(_ worker: WorkerHandle, _ records: inout OperationTable) -> AssignmentLine {
    close(worker)
    let line = lines[worker].line
    let configuration = lines[worker].configuration
    if !line.isEmpty { endWork(configuration) }
    if lines[worker].isListed { configurations[configuration].listed.removeAll { $0 == worker } }
    lines[worker].isListed = false
    lines[worker].line = AssignmentLine()
    for assignment in line.all { vacate(assignment.handle, &records) }
    return line
  }

  /// What a worker executes, or is about to.
  @inline(__always)
  func first(of worker: WorkerHandle) -> Assignment? { lines[worker].line.first }

  /// Whether operations wait behind what a worker executes that have not been asked back.
  func hasFollowers(_ worker: WorkerHandle) -> Bool {
    lines[worker].line.count > 1 && !lines[worker].hasRecalled
  }

  /// Where an operation is that a worker has.
  struct Place {
    let worker: WorkerHandle
    let reference: DispatchReference
    /// Whether the worker executes it, or may by now.
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

  /// What a worker has.
  func line(of worker: WorkerHandle) -> WorkerLine { lines[worker] }

  /// How many operations are in queues.
  var positionCount: Int { order.count }

  /// An operation is not the worker's any more.
  @inline(__always)
  mutating func take(_ held: Holding, hasAnswered: Bool, _ records: inout OperationTable) {
    let (handle, worker) = (held.handle, held.worker)
    vacate(handle, &records)
    guard held.isFirst else { return lines[worker].line.removePrefetched(handle) }
    lines[worker].line.removeFirst()
    lines[worker].isAlone = false
    lines[worker].isTornDown = false
    if hasAnswered { noteAnswer(records[handle].kindQueue, by: worker) }
    guard lines[worker].line.isEmpty else { return }
    lines[worker].hasRecalled = false
    let configuration = lines[worker].configuration
    endWork(configuration)
    if lines[worker].isOpen { configurations[configuration].idle.insert(worker) }
  }

  @inline(__always)
  private mutating func noteAnswer(_ kindQueue: KindQueueHandle, by worker: WorkerHandle) {
    lines[worker].isFresh = false
    lines[worker].allowance -= 1
    lines[worker].answerRate.answers += 1
    lines[worker].answerRate.kindQueue = kindQueue
  }

  /// Asks back everything behind the first of the worker's line.
  mutating func recall(from worker: WorkerHandle, _ turn: inout Turn) {
    guard lines[worker].returns, !lines[worker].hasRecalled else { return }
    for assignment in lines[worker].line.prefetched {
      turn.effects.append(.recall(lines[worker].id, assignment.reference))
    }
    lines[worker].hasRecalled = !lines[worker].line.prefetched.isEmpty
  }

  /// The first of the worker's line is being made to end: nothing more is put behind it, and what
  /// is there is asked back.
  mutating func beginTeardown(of worker: WorkerHandle, _ turn: inout Turn) {
    recall(from: worker, &turn)
    lines[worker].isTornDown = true
  }

  /// A bunch of a worker's answers ends here: how long they took says how long others will take.
  mutating func endBunch(of worker: WorkerHandle, at now: Instant) {
    guard let kindQueue = lines[worker].answerRate.kindQueue else { return }
    let rate = lines[worker].answerRate
    let average = (now.nanoseconds - rate.since.nanoseconds) / Int64(rate.answers)
    kindQueues[kindQueue].estimate.add(average: average, count: rate.answers)
    lines[worker].answerRate = AnswerRate(since: now)
    if lines[worker].line.isHalfSpent { list(worker) }
  }
}
