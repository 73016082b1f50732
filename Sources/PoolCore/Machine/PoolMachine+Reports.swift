package import PoolModel

// What workers say. Each event names the worker; what does not fit what that worker was given is
// either stale, and changes nothing, or a violation, which the caller is told of.

extension PoolMachine {
  /// What a report turned out to be.
  package enum Reception: Hashable, Sendable {
    /// It was expected.
    case accepted
    /// It is about a dispatch that has ended: ignored.
    case stale
    /// No worker that keeps to the protocol sends it now.
    case violation(String)
  }

  /// A worker has sent its greeting.
  package mutating func workerGreeted(
    _ id: WorkerID,
    kinds: [KindID],
    abilities: WorkerAbilities,
    at now: Instant
  ) -> Reception {
    guard let slot = workers.slot(of: id) else { return .stale }
    let state = workers[slot].state
    guard state == .starting else {
      return state == .ending ? .stale : .violation("a second 'hello'")
    }
    let configuration = configuration(of: slot)
    if let known = configurations[configuration].kinds, !known.allSatisfy(kinds.contains) {
      return .violation("a 'hello' that lacks kinds which its worker configuration serves")
    }
    workers[slot].state = .serving
    workers[slot].abilities = abilities
    configurations[configuration].starting -= 1
    configurations[configuration].idle.insert(slot)
    let recycling = configurations[configuration].spec.recycling
    if let operations = recycling.operations { workers[slot].quota = operations }
    if let age = recycling.age { workers[slot].retireAt = now.advanced(by: age) }
    let isNews = !configurations[configuration].hasGreeted
    configurations[configuration].hasGreeted = true
    if configurations[configuration].kinds == nil {
      configurations[configuration].kinds = kinds
      connectKindQueues(of: configuration)
    }
    if isNews {
      effects.append(.announce(configuration))
      reviewService(of: configurations[configuration].fleet, at: now)
    }
    return .accepted
  }

  /// A worker has begun an operation, tells the process group that executes it, or tries again to
  /// begin it.
  package mutating func workerStarted(
    _ id: WorkerID,
    _ reference: DispatchReference,
    group: Int32?,
    at now: Instant
  ) -> Reception {
    guard let worker = workers.slot(of: id) else { return .stale }
    guard let slot = front(of: worker, as: reference) else {
      return objection(to: reference, from: worker, named: "executing")
    }
    if let group {
      workers[worker].group = group
      stopIfHalted(worker, group)
    }
    guard !workers[worker].isExecuting else {
      if group == nil { noteDelay(worker, slot, at: now) }
      return .accepted
    }
    workers[worker].isExecuting = true
    operations[slot].execute(at: now)
    executingCount += 1
    releaseMembers(of: slot, at: now)
    if tellsEveryStart || isObserved(slot) {
      let attempt = Int(operations[slot].attempt)
      effects.append(.start(reference.operation, id, attempt: attempt))
    }
    if operations[slot].state.isCancelled, workers[worker].teardown == nil {
      beginTeardown(worker, ending: .cancelled, at: now)
    }
    armFront(worker, slot, at: now)
    return .accepted
  }

  /// A worker has answered an operation that it executed.
  ///
  /// - Parameters:
  ///   - id: The worker.
  ///   - reference: The dispatch that it answers.
  ///   - ending: `succeeded`, `failed` or `cancelled`, as the worker says.
  ///   - failure: Why it has failed, if it has.
  ///   - detail: Where the shell keeps the rest of the answer.
  ///   - now: The time.
  /// - Returns: Whether the answer was expected.
  package mutating func workerAnswered(
    _ id: WorkerID,
    _ reference: DispatchReference,
    _ ending: PoolEnding,
    saying failure: PoolRetryCause = .error,
    detail: DetailID,
    at now: Instant
  ) -> Reception {
    guard let worker = workers.slot(of: id) else { return .stale }
    if ending == .cancelled, let held = takeCancelledHeld(worker, reference) {
      vacate(held)
      settle(held, as: .cancelled, because: .request, at: now)
      settleAftermath(at: now)
      return .accepted
    }
    guard let slot = front(of: worker, as: reference) else {
      let name = ending == .cancelled ? "cancelled" : "finished"
      return objection(to: reference, from: worker, named: name)
    }
    let kindQueue = operations[slot].kindQueue
    let walk = workers[worker].teardown
    guard ending != .cancelled || walk != nil || isAsked(slot, of: worker) else {
      return .violation("a 'cancelled' that nobody asked for")
    }
    if workers[worker].isExecuting {
      let isLate = walk?.ending == .timedOut
      endAttempt(
        slot,
        as: isLate ? .timedOut : ending,
        because: isLate ? .timeout : ending == .cancelled ? .request : .answer,
        saying: failure,
        detail: detail,
        worker: id,
        at: now
      )
    } else if ending == .cancelled {
      vacate(slot)
      settle(slot, as: .cancelled, because: .request, detail: detail, at: now)
    } else {
      return .violation("an answer to an operation that it never reported as executing")
    }
    finishFirst(worker, kindQueue, at: now)
    settleAftermath(at: now)
    return .accepted
  }

  /// A worker has given back an operation that it had not started.
  package mutating func workerReturned(
    _ id: WorkerID,
    _ reference: DispatchReference,
    at now: Instant
  ) -> Reception {
    guard let worker = workers.slot(of: id) else { return .stale }
    let life = workers[worker]
    guard let slot = life.line.slot(of: reference.dispatch) else {
      return wasGiven(reference.dispatch)
        ? .stale : .violation("a 'returned' for a dispatch that was never made")
    }
    guard life.hasRecalled else {
      return .violation("a 'returned' that nobody asked for")
    }
    guard operations.id(of: slot) == reference.operation else {
      return .violation("'returned' with an operation that does not belong to its dispatch")
    }
    if life.line.first?.number == reference.dispatch {
      guard !life.isExecuting else { return .violation("a 'returned' for what it executes") }
      takeBack(slot, at: now)
      finishFirst(worker, nil, at: now)
    } else {
      _ = workers[worker].line.removeHeld(reference.dispatch)
      takeBack(slot, at: now)
    }
    settleAftermath(at: now)
    return .accepted
  }

  /// A worker has said something about an operation that it executes: its progress, or a line.
  package mutating func workerRemarked(
    _ id: WorkerID,
    _ reference: DispatchReference,
    detail: DetailID
  ) -> Reception {
    guard let worker = workers.slot(of: id) else { return .stale }
    guard front(of: worker, as: reference) != nil else {
      return objection(to: reference, from: worker, named: "progress")
    }
    effects.append(.relay(reference.operation, detail))
    return .accepted
  }

  /// All that a worker had sent so far was reported, but for a frame that is not whole: a bunch of
  /// answers ends here.
  package mutating func workerPaused(
    _ id: WorkerID,
    within frame: PartialFrame? = nil,
    at now: Instant
  ) {
    guard let worker = workers.slot(of: id) else { return }
    workers[worker].heardAt = now
    if frame != nil || workers[worker].frame != nil { note(frame, of: worker, at: now) }
    if workers[worker].pingedAt != nil {
      workers[worker].pingedAt = nil
      // It is asked again sooner than it would have been killed.
      arm(worker)
    }
    guard let kindQueue = workers[worker].answerRate.kindQueue else { return }
    let answerRate = workers[worker].answerRate
    let average = (now.nanoseconds - answerRate.since.nanoseconds) / Int64(answerRate.answers)
    kindQueues[kindQueue].estimate.add(average: average, count: answerRate.answers)
    workers[worker].answerRate = AnswerRate(since: now)
    if workers[worker].line.isHalfSpent { list(worker) }
  }
}

extension PoolMachine {
  /// The slot of the first operation of the worker's line, if a report is about that.
  private func front(of worker: WorkerHandle, as reference: DispatchReference) -> OperationHandle? {
    guard let first = workers[worker].line.first,
      first.number.rawValue == reference.dispatch.rawValue,
      operations.id(of: first.slot).rawValue == reference.operation.rawValue
    else { return nil }
    return first.slot
  }

  /// What a report turned out to be that is not about the first operation of the worker's line.
  private func objection(
    to reference: DispatchReference,
    from worker: WorkerHandle,
    named name: String
  ) -> Reception {
    guard wasGiven(reference.dispatch) else {
      return .violation("'\(name)' for a dispatch that was never made")
    }
    guard workers[worker].line.first?.number != reference.dispatch else {
      return .violation("'\(name)' with an operation that does not belong to its dispatch")
    }
    let isHeld = workers[worker].line.contains(reference.dispatch)
    return isHeld ? .violation("'\(name)' out of the order of dispatch") : .stale
  }

  /// Whether a number is one that dispatches have had; they begin with 1.
  private func wasGiven(_ number: DispatchNumber) -> Bool {
    number.rawValue > 0 && number.rawValue < nextNumber
  }

  /// Whether an operation may have been asked to stop: one of this process sees its cancellation
  /// before the machine is told.
  private func isAsked(_ slot: OperationHandle, of worker: WorkerHandle) -> Bool {
    operations[slot].state.isCancelled || configurations[configuration(of: worker)].spec.isInProcess
  }

  /// Takes a held operation that was cancelled out of the worker's line.
  private mutating func takeCancelledHeld(
    _ worker: WorkerHandle,
    _ reference: DispatchReference
  ) -> OperationHandle? {
    guard let slot = workers[worker].line.slot(of: reference.dispatch),
      operations.id(of: slot) == reference.operation, operations[slot].state.isCancelled,
      workers[worker].line.first?.number != reference.dispatch,
      workers[worker].line.removeHeld(reference.dispatch)
    else { return nil }
    return slot
  }
}
