import PoolModel
import PoolTestSupport

@testable import PoolCore

// What workers, preparations and time do.

extension SimulatedPool {
  /// One random thing that a worker, or time, does.
  mutating func happen() {
    now = now.advanced(by: Int64(number(0...400_000)))
    if chance(200), let index = pick({ $0.preparation != nil }) { return prepare(index) }
    if chance(faults.absence), let deadline = machine.nextDeadline { return comeLate(deadline) }
    // Mostly one that has something to do: what the others can do is little.
    let isAny = chance(100)
    let able = workers.indices.filter {
      !workers[$0].isOutOfReach && (isAny || workers[$0].isAble)
    }
    guard let index = able.randomElement(using: &generator), !chance(30) else {
      if let deadline = machine.nextDeadline, able.isEmpty || chance(500) {
        now = max(now, deadline)
      }
      renewLeases()
      return machine.fireTimers(at: now)
    }
    let id = workers[index].id
    let isMortal = !workers[index].configuration.executesBlocks
    if workers[index].isDoomed || isMortal && chance(faults.death) { return die(index) }
    if isMortal, chance(faults.shortage), maySayShortage(index) { return lack(index) }
    if isMortal, chance(faults.violation) {
      return chance(500)
        ? machine.supervise(.violated(id), at: now) : machine.supervise(.hungUp(id), at: now)
    }
    guard !workers[index].isFrozen else { return }
    guard workers[index].hasGreeted else { return greet(index) }
    if workers[index].isPinged {
      workers[index].isPinged = false
      return machine.workerWasRead(id, at: now)
    }
    work(index)
    // One that stopped within a frame has said how far it came.
    let isWithinFrame = workers[index].isFrozen && workers[index].isWithinFrame
    if chance(300), !isWithinFrame { machine.workerWasRead(id, at: now) }
    if chance(50) { machine.supervise(.memoryMeasured(id, bytes: number(0...1_500)), at: now) }
    if faults.links > 0 { use(linkTo: id) }
  }

  /// A link is measured, or fills, or empties.
  private mutating func use(linkTo id: WorkerID) {
    if chance(100) {
      let roundTrip = Int64(number(0...20_000_000))
      machine.supervise(.measured(id, roundTrip: roundTrip), at: now)
    }
    if chance(20) { machine.supervise(.congested(id, chance(300)), at: now) }
  }

  /// Whatever was due by then is done a minute late.
  private mutating func comeLate(_ deadline: Instant) {
    now = max(now, deadline).advanced(by: .seconds(60))
    isLate = true
    renewLeases()
    machine.fireTimers(at: now)
  }

  private mutating func prepare(_ index: Int) {
    guard let number = operations[index].preparation else { return }
    let id = operations[index].id
    operations[index].preparation = nil
    // An old number, or that of another operation, changes nothing.
    machine.change(.prepared(id, number + 1_000_000, .ready), at: now)
    machine.change(.prepared(id, number - 1, .ended(.failed, .condition, .none)), at: now)
    if chance(150) {
      machine.change(.prepared(id, number, .ended(.failed, .input, .none)), at: now)
    } else {
      operations[index].isPrepared = true
      machine.change(.prepared(id, number, .ready), at: now)
    }
  }

  private mutating func greet(_ index: Int) {
    let isLocal = workers[index].configuration.executesBlocks
    if !isLocal, chance(faults.silence) { workers[index].isSilent = true }
    if !isLocal, greetingCount >= faults.greetings { workers[index].isSilent = true }
    guard !workers[index].isSilent else { return }
    if !isLocal { greetingCount += 1 }
    workers[index].hasGreeted = true
    var capabilities =
      chance(200)
      ? Set<Capability>.minimal
      : Set<Capability>.full.union([.ping])
    if faults.shortage > 0, chance(600) { capabilities.insert(.teardown) }
    if workers[index].configuration.mayBeLeased, chance(700) { capabilities.insert(.lease) }
    workers[index].isLeased = capabilities.contains(.lease)
    workers[index].takesSteps = capabilities.takesSteps
    workers[index].answersPings = capabilities.contains(.ping)
    let kinds = workers[index].configuration.kinds
    expectAccepted(
      machine.workerGreeted(workers[index].id, kinds: kinds, capabilities: capabilities, at: now)
    )
  }

  private mutating func work(_ index: Int) {
    guard let first = workers[index].line.first else { return }
    let id = workers[index].id
    guard workers[index].isExecuting else {
      workers[index].isExecuting = true
      workers[index].isStubborn =
        !workers[index].configuration.executesBlocks && chance(faults.stubbornness)
      update(first.operation) { $0.starts += 1 }
      let group: Int32? = chance(200) ? 77 : nil
      workers[index].hasGroup = group != nil
      expectAccepted(machine.workerReported(.executing(group: group), first, by: id, at: now))
      return freeze(index)
    }
    guard !workers[index].isStubborn || !workers[index].isAsked else { return }
    let ending: PoolEnding =
      workers[index].isAsked ? .cancelled : chance(faults.failure) ? .failed : .succeeded
    workers[index].line.removeFirst()
    workers[index].isExecuting = false
    workers[index].isAsked = false
    workers[index].answerCount += 1
    update(first.operation) { $0.worker = nil }
    let elapsed = chance(faults.links) ? Int64(number(0...1_000_000)) : nil
    let answer = WorkerReport.answered(ending, .error, .none, elapsed: elapsed)
    expectAccepted(machine.workerReported(answer, first, by: id, at: now))
    // The same answer once more must change nothing.
    let again = machine.workerReported(answer, first, by: id, at: now)
    if again == .accepted { problems.append("\(first) was accepted twice") }
  }

  /// A worker stops: a minimal one is found out only where that is within a frame.
  private mutating func freeze(_ index: Int) {
    guard !workers[index].configuration.executesBlocks, chance(faults.freezing) else { return }
    workers[index].isFrozen = true
    workers[index].isWithinFrame = !workers[index].answersPings || chance(300)
    guard workers[index].isWithinFrame else { return }
    machine.workerWasRead(workers[index].id, within: PartialFrame(start: 9, count: 3), at: now)
  }

  /// Whether what it has first has not begun for sure.
  private func maySayShortage(_ index: Int) -> Bool {
    !workers[index].isExecuting || workers[index].takesSteps && !workers[index].hasGroup
  }

  /// A worker ends for want of something: what it was to execute has not begun, and is no attempt.
  private mutating func lack(_ index: Int) {
    let worker = workers.remove(at: index)
    for reference in worker.line { update(reference.operation) { $0.worker = nil } }
    if worker.isExecuting, let first = worker.line.first {
      // One that was cancelled has its outcome, after an attempt.
      update(first.operation) { $0.starts -= $0.isCancelled ? 0 : 1 }
    }
    machine.workerExited(worker.id, shortOf: .ofSystem, detail: .none, at: now)
  }

  private mutating func die(_ index: Int) {
    var worker = workers.remove(at: index)
    for reference in worker.line { update(reference.operation) { $0.worker = nil } }
    guard !worker.configuration.executesBlocks, chance(faults.links) else {
      machine.workerExited(worker.id, detail: .none, at: now)
      return
    }
    let sent = number(0...worker.line.count)
    // The first number is above 0, and nothing was sent up to 0.
    let last = sent > 0 ? worker.line[sent - 1].dispatch : DispatchNumber(rawValue: 0)
    let inDoubt = worker.line[..<sent].filter { !isCancelled($0.operation) }
    let begun = inDoubt.filter { !worker.isExecuting || $0 != worker.line.first }
    let isKept = worker.isLeased && !inDoubt.isEmpty
    if !isKept { for reference in begun { update(reference.operation) { $0.starts += 1 } } }
    let count = machine.workerExited(worker.id, inDoubtUpTo: last, detail: .none, at: now)
    if count != begun.count { problems.append("\(count) of \(begun.count) in doubt") }
    if isKept != (machine.supervisor.timeInDoubt(of: worker.id, at: now) != nil) {
      problems.append("\(worker.id) is \(isKept ? "not " : "")kept")
    }
    guard isKept else { return }
    worker.isExecuting = worker.isExecuting && inDoubt.first == worker.line.first
    worker.line = inDoubt
    worker.isOutOfReach = true
    for reference in inDoubt { update(reference.operation) { $0.worker = worker.id } }
    workers.append(worker)
  }

  /// A worker that was out of reach has certainly ended, or nobody waits for it.
  mutating func lapse(_ id: WorkerID) {
    guard let index = workers.firstIndex(where: { $0.id == id && $0.isOutOfReach }) else {
      return problems.append("worker \(id) is within reach, and lapses")
    }
    let worker = workers.remove(at: index)
    for reference in worker.line { update(reference.operation) { $0.worker = nil } }
    let begun = worker.isExecuting ? worker.line.dropFirst() : worker.line[...]
    for reference in begun { update(reference.operation) { $0.starts += 1 } }
    machine.workerExited(id, detail: .none, at: now)
  }

  /// All workers ask for their leases to be renewed that are there and not stopped.
  private mutating func renewLeases() {
    for worker in workers
    where worker.isLeased && worker.hasGreeted && !worker.isFrozen && !worker.isOutOfReach {
      machine.supervise(.renewed(worker.id), at: now)
    }
  }

  private func isCancelled(_ id: OperationID) -> Bool {
    indices[id].map { operations[$0].isCancelled } ?? false
  }

  mutating func recall(_ reference: DispatchReference, from id: WorkerID) {
    guard let index = worker(id), let place = workers[index].line.firstIndex(of: reference),
      place > 0 || !workers[index].isExecuting
    else { return }
    workers[index].line.remove(at: place)
    update(reference.operation) { $0.worker = nil }
    expectAccepted(machine.workerReported(.returned, reference, by: id, at: now))
  }

  mutating func stop(_ reference: DispatchReference, by id: WorkerID) {
    guard let index = worker(id), let place = workers[index].line.firstIndex(of: reference) else {
      return
    }
    if place == 0, workers[index].isExecuting {
      workers[index].isAsked = true
      return
    }
    workers[index].line.remove(at: place)
    update(reference.operation) { $0.worker = nil }
    expectAccepted(
      machine.workerReported(.answered(.cancelled, .error, .none), reference, by: id, at: now)
    )
  }

  private mutating func expectAccepted(_ reception: Reception) {
    if case .violation(let what) = reception { problems.append("taken for a violation: \(what)") }
  }

  /// The index of a worker that has not ended; every effect names one.
  mutating func worker(_ id: WorkerID) -> Int? {
    if let index = workers.firstIndex(where: { $0.id == id && !$0.isOutOfReach }) { return index }
    problems.append("an effect names worker \(id), which is gone")
    return nil
  }

  mutating func update(_ id: OperationID, _ body: (inout SimulatedOperation) -> Void) {
    guard let index = indices[id] else { return problems.append("\(id) is nobody's") }
    body(&operations[index])
  }
}
