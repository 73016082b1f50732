package import PoolModel

// Workers go: they break the protocol, cannot be started, or die.

extension PoolMachine {
  /// A worker has broken the protocol: it is killed, and its exit will follow.
  package mutating func workerViolated(_ id: WorkerID, at now: Instant) {
    guard let worker = workerSlot(id), workers[worker]?.isViolator == false else { return }
    workers[worker]?.isViolator = true
    terminate(worker, signal: 9)
  }

  /// A worker will send nothing more, but has not ended; soon it is killed.
  package mutating func workerHungUp(_ id: WorkerID, at now: Instant) {
    guard let worker = workerSlot(id) else { return }
    expectEnd(worker, at: now)
  }

  /// No more is expected of the pool: workers end when they have finished what they have.
  package mutating func close(at now: Instant) {
    isClosing = true
    for worker in workers.indices where workers[worker]?.line.isEmpty == true {
      retire(worker, at: now)
    }
  }

  /// Ends all workers at once, with what they execute.
  package mutating func killWorkers() {
    for worker in workers.indices {
      guard let life = workers[worker] else { continue }
      terminate(worker, signal: 9)
      if let group = life.group { effects.append(.killGroup(group)) }
    }
  }

  /// Lets a worker that has nothing to do end.
  mutating func retire(_ worker: Int, at now: Instant) {
    guard let life = workers[worker], life.state != .ending else { return }
    effects.append(.retire(life.id))
    expectEnd(worker, at: now)
  }

  /// Signals a worker; it gets nothing more.
  mutating func terminate(_ worker: Int, signal: Int32) {
    guard let life = workers[worker] else { return }
    stopFeeding(worker)
    effects.append(.signal(life.id, signal))
  }

  /// A worker gets nothing more, and is killed unless it ends soon.
  private mutating func expectEnd(_ worker: Int, at now: Instant) {
    guard workers[worker]?.state != .ending else { return }
    stopFeeding(worker)
    limitEnd(worker, at: now)
  }

  /// A worker is killed unless it ends soon.
  mutating func limitEnd(_ worker: Int, at now: Instant) {
    guard let deadline = workers[worker]?.deadline else { return }
    workers[worker]?.deadline = min(deadline, now.advanced(by: policy.endTimeout))
    arm(worker)
  }

  private mutating func stopFeeding(_ worker: Int) {
    guard let life = workers[worker] else { return }
    if life.state == .starting { recipes[recipe(of: worker)].starting -= 1 }
    if life.isIdle { recipes[recipe(of: worker)].idle.remove(worker) }
    if life.state != .ending { workers[worker]?.deadline = .distantFuture }
    workers[worker]?.state = .ending
  }

  /// A worker is gone, or could not be started; everything that it had sent was reported before.
  ///
  /// Only the operation that it had started is suspect; what it merely held is ready again.
  package mutating func workerExited(_ id: WorkerID, detail: DetailID, at now: Instant) {
    guard let worker = workerSlot(id), let life = workers[worker] else { return }
    if let group = life.group { effects.append(.killGroup(group)) }
    let isBlameless = life.line.isEmpty && (life.answered > 0 || isClosing)
    remove(worker, life)
    abandon(life, detail, at: now)
    if !isBlameless, !life.isExecuting, life.ladder == nil { charge(life, at: now) }
    if recipes[Int(life.recipe.rawValue)].isBroken { reviewService(at: now) }
    settleAftermath(at: now)
  }

  /// Ends the attempt of what the worker executed, and takes back what it held.
  private mutating func abandon(_ life: WorkerLife, _ detail: DetailID, at now: Instant) {
    guard let first = life.line.first else { return }
    assignedCount -= life.line.count
    if life.isExecuting {
      let isCancelled = operations[first.slot].isCancelled
      let ending = life.ladder?.ending ?? (isCancelled ? .cancelled : .lost)
      endAttempt(
        first.slot,
        as: ending,
        because: cause(of: life, ending),
        detail: detail,
        worker: life.id,
        at: now
      )
    } else {
      takeBack(first.slot, at: now)
    }
    for held in life.line.held { takeBack(held.slot, at: now) }
  }

  private func cause(of life: WorkerLife, _ ending: PoolEnding) -> EndingCause {
    switch ending {
    case .cancelled: .request
    case .timedOut: .timeout
    case .succeeded, .failed, .lost, .skipped: life.isViolator ? .violation : .workerDied
    }
  }

  /// Forgets a worker.
  private mutating func remove(_ worker: Int, _ life: WorkerLife) {
    let recipe = Int(life.recipe.rawValue)
    recipes[recipe].live -= 1
    if life.state == .starting { recipes[recipe].starting -= 1 }
    if life.isIdle { recipes[recipe].idle.remove(worker) }
    if life.isListed { recipes[recipe].listed.removeAll { $0 == worker } }
    workers[worker] = nil
    workerSlots[Int(life.id.rawValue) - 1] = -1
    freeWorkerSlots.append(worker)
  }

  /// Counts a death that no operation explains: one that executed settles or spends a retry, so
  /// that such deaths are bounded without a count.
  private mutating func charge(_ life: WorkerLife, at now: Instant) {
    let recipe = Int(life.recipe.rawValue)
    if !recipes[recipe].hasGreeted { recipes[recipe].failedStarts += 1 }
    if !recipes[recipe].intensity.allowsRestart(at: now)
      || recipes[recipe].failedStarts > policy.firstStartLimit
    {
      recipes[recipe].isExhausted = true
    }
    guard recipes[recipe].isExhausted, !recipes[recipe].hasGivenUp else { return }
    recipes[recipe].hasGivenUp = true
    effects.append(.giveUp(life.recipe))
  }

  /// Finds out anew which kinds anybody can serve, and settles what nobody can.
  mutating func reviewService(at now: Instant) {
    for kind in lanes.indices {
      lanes[kind].service = service(of: KindID(rawValue: UInt16(kind)))
      guard lanes[kind].service != .possible else { continue }
      while let key = lanes[kind].ready.first {
        let slot = order.occupant(key.position)
        let cause = lanes[kind].service == .unserved ? EndingCause.unservedKind : .noWorker
        settle(slot, as: .failed, because: cause, at: now)
      }
    }
    settleAftermath(at: now)
  }

  func service(of kind: KindID) -> Service {
    if recipes.isEmpty || recipes.contains(where: { $0.mayServe(kind) }) { return .possible }
    let wasServed = recipes.contains { $0.isBroken && ($0.kinds?.contains(kind) ?? true) }
    return wasServed ? .broken : .unserved
  }
}
