import PoolModel
import PoolTestSupport

@testable import PoolCore

// What users do.

extension SimulatedPool {
  /// One random thing that a user does.
  mutating func ask() {
    switch number(0...19) {
    case 0...3: create()
    case 4...6: enqueue()
    case 7, 8: link()
    case 9: unlink()
    case 10: hold()
    case 11: openGate()
    case 12: prioritise()
    case 13: if faults.isCancelling { cancel() }
    case 14: tune()
    case 15: setCapacity()
    case 16: observe()
    case 17: conclude()
    case 18: release()
    default: reorganise()
    }
  }

  /// Makes some operations, of every sort.
  private mutating func create() {
    for _ in 0..<number(1...4) {
      var spec = OperationSpec(
        kind: kinds[chance(30) ? 3 : number(0...2)],
        priority: PoolQueuePriority.allCases.randomElement(using: &generator) ?? .normal,
        timeout: chance(100) ? .milliseconds(5) : nil,
        retries: number(0...faults.retries)
      )
      spec.slots = chance(150) ? number(2...4) : 1
      if chance(300) { spec.claims = resources.map(\.id).filter { _ in chance(450) } }
      spec.isBarrier = chance(100)
      if chance(100) { spec.role = chance(400) ? .group : .gatedGroup }
      spec.needsPreparation = chance(100)
      spec.isIdempotent = faults.links > 0 && chance(300)
      spec.raisesDependencies = chance(100)
      let id = machine.create(spec)
      indices[id] = operations.count
      operations.append(SimulatedOperation(id: id, spec: spec))
      if chance(200) { observe(operations.count - 1) }
      for _ in 0..<number(0...2) { link(operations.count - 1) }
      if chance(200) { join(operations.count - 1) }
    }
  }

  /// Adds some of those that are in no queue, as one batch.
  private mutating func enqueue() {
    let free = operations.indices.filter { operations[$0].isCreated && operations[$0].group == nil }
    let batch = free.filter { _ in chance(500) }
    let usable = queues.indices.filter { !queues[$0].isDropped }
    guard let queue = usable.randomElement(using: &generator), !batch.isEmpty else { return }
    add(batch, to: queue)
  }

  /// Adds a batch; all of it or nothing.
  mutating func add(_ tops: [Int], to queue: Int) {
    let batch = withMembers(tops)
    let before = sequence
    for index in batch {
      sequence += 1
      operations[index].queue = queue
      operations[index].sequence = sequence
    }
    let ids = batch.map { operations[$0].id }
    let slots = machine.graph.operations.handles.count
    guard let cycle = machine.enqueue(ids, in: queues[queue].id, at: now) else {
      return noteOpenGroups()
    }
    checkCycle(cycle)
    for index in batch { operations[index].queue = nil }
    sequence = before
    if machine.graph.operations.handles.count > slots + 2 * batch.count {
      problems.append("a batch that was refused left gates behind")
    }
  }

  private mutating func link() {
    if let index = pick({ $0.canWait }) { link(index) }
  }

  /// Lets an operation wait for another one, in any state.
  private mutating func link(_ index: Int) {
    guard let other = pick({ !$0.isReleased }), other != index || chance(50) else { return }
    let target = operations[other].id
    guard !operations[index].needs.contains(where: { $0.id == target }) else { return }
    let requirement =
      chance(500) ? .finished : PoolRequirement.allCases.randomElement(using: &generator) ?? .failed
    let id = operations[index].id
    let isMember = operations[index].spec.role == .group && operations[other].isCreated
    operations[index].needs.append((target, isMember ? .finished : requirement))
    let change: GraphChange =
      isMember
      ? .addMember(target, to: id) : .addDependency(of: id, on: target, requiring: requirement)
    let cycle = machine.change(change, at: now)
    if let cycle {
      checkCycle(cycle)
      operations[index].needs.removeLast()
    } else if operations[other].ending == nil {
      operations[index].isPrepared = false
      operations[index].preparation = nil
    }
  }

  private mutating func unlink() {
    guard let index = pick({ $0.canWait && !$0.needs.isEmpty }),
      let place = operations[index].needs.indices.randomElement(using: &generator)
    else { return }
    let id = operations[index].id
    let removed = operations[index].needs.remove(at: place)
    operations[index].hasLostNeeds = true
    machine.change(.removeDependency(of: id, on: removed.id), at: now)
    // Removing one states again what is required of those that have ended.
    operations[index].needs = operations[index].needs.filter { !isReleased($0.id) }
    for need in operations[index].needs where ending(of: need.id) != nil {
      machine.change(.addDependency(of: id, on: need.id, requiring: need.requirement), at: now)
    }
  }

  private mutating func hold() {
    guard let index = operations.indices.randomElement(using: &generator) else { return }
    let isHeld = machine.graph.acceptsDependencies(operations[index].id)
    machine.change(.addGate(operations[index].id), at: now)
    if isHeld != operations[index].canWait { problems.append("\(index) was held or not") }
    guard isHeld else { return }
    operations[index].gateCount += 1
    operations[index].isPrepared = false
    operations[index].preparation = nil
  }

  private mutating func openGate() {
    guard let index = pick({ $0.gateCount > 0 }) else { return }
    operations[index].gateCount -= 1
    machine.change(.openGate(operations[index].id), at: now)
  }

  private mutating func prioritise() {
    guard let index = pick({ _ in true }) else { return }
    let priority = PoolQueuePriority.allCases.randomElement(using: &generator) ?? .normal
    machine.change(.setPriority(priority, of: operations[index].id), at: now)
  }

  private mutating func cancel() {
    if chance(50), let queue = queues.indices.randomElement(using: &generator) {
      guard !queues[queue].isDropped else { return }
      for index in operations.indices
      where operations[index].queue == queue && operations[index].ending == nil
        && operations[index].spec.role != .group
      {
        noteCancelled(index)
      }
      machine.cancelAll(in: queues[queue].id, at: now)
    } else if let index = pick({ $0.ending == nil && !$0.isReleased }) {
      noteCancelled(index)
      machine.change(.cancel(operations[index].id), at: now)
    }
  }

  /// Suspends, resumes, narrows or widens a queue.
  private mutating func tune() {
    let usable = queues.indices.filter { !queues[$0].isDropped }
    guard let queue = usable.randomElement(using: &generator) else { return }
    if chance(500) {
      queues[queue].isSuspended.toggle()
      machine.change(.suspended(queues[queue].isSuspended, queues[queue].id))
    } else {
      queues[queue].width = chance(300) ? .max : number(0...4)
      machine.change(.width(queues[queue].width, of: queues[queue].id))
    }
  }

  private mutating func setCapacity() {
    let index = number(0...resources.count - 1)
    resources[index].capacity = number(0...3)
    machine.change(.capacity(resources[index].capacity, of: resources[index].id))
  }

  private mutating func observe() {
    if let index = pick({ $0.isToldReady == nil && $0.ending == nil && !$0.isReleased }) {
      observe(index)
    }
  }

  private mutating func observe(_ index: Int) {
    machine.graph.observe(operations[index].id)
    operations[index].isToldReady = machine.graph.phase(of: operations[index].id) == .ready
    operations[index].isUntold = true
  }

  private mutating func conclude() {
    guard chance(300), let index = pick({ $0.isCreated && $0.group == nil }) else { return }
    end(index, as: PoolEnding.allCases.randomElement(using: &generator) ?? .lost)
  }

  /// Lets an operation end outside.
  mutating func end(_ index: Int, as ending: PoolEnding) {
    operations[index].ending = ending
    operations[index].gateCount = 0
    dissolve(index)
    machine.change(.conclude(operations[index].id, as: ending), at: now)
  }

  private mutating func release() {
    let isFree = { (operation: SimulatedOperation) in
      operation.isCreated && operation.group == nil || operation.ending != nil
    }
    guard chance(500), let index = pick({ !$0.isReleased && isFree($0) }) else { return }
    if operations[index].ending == nil { dissolve(index) }
    operations[index].isReleased = true
    operations[index].gateCount = 0
    operations[index].ending = operations[index].ending ?? .cancelled
    machine.release(operations[index].id, at: now)
  }
}
