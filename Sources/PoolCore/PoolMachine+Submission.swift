package import PoolModel

// Operations come in: they are created, linked, and enter the queue.

extension PoolMachine {
  /// Makes room for so many operations at once.
  package mutating func reserve(_ count: Int) {
    operations.reserve(count)
  }

  /// Makes an operation that is not in the queue yet; amortised O(1).
  package mutating func create(_ spec: OperationSpec) -> OperationID {
    precondition(Int(spec.kind.rawValue) < lanes.count, "a kind is declared before it is used")
    return operations.create(spec)
  }

  /// Lets an operation wait for another; no effect once it was dispatched or has settled; O(1).
  package mutating func addDependency(
    of dependent: OperationID,
    on dependency: OperationID,
    requiring requirement: PoolRequirement,
    at now: Instant
  ) {
    guard let slot = operations.slot(of: dependent), let other = operations.slot(of: dependency),
      operations[other].state != .forgotten
    else { return }
    switch operations[slot].state {
    case .created, .waiting, .ready: break
    case .free, .doomed, .held, .executing, .forgotten, .settled: return
    }
    if case .settled(let ending, let root) = operations[other].state {
      guard !requirement.isMet(by: ending) else { return }
      unready(slot)
      operations[slot].unmet += 1
      let news = Aftermath(slot: slot, requirement: requirement, ending: ending, root: root)
      hear(news, at: now)
      return settleAftermath(at: now)
    }
    graph.append(slot, requirement, to: &operations[other].dependents)
    operations[slot].unmet += 1
    unready(slot)
  }

  /// A ready operation has to wait after all.
  private mutating func unready(_ slot: Int) {
    guard operations[slot].state == .ready else { return }
    removeReady(slot)
    operations[slot].state = .waiting
  }

  /// Adds an operation to the queue, after everything that is in it.
  package mutating func enqueue(_ id: OperationID, at now: Instant) {
    guard let slot = operations.slot(of: id) else { return }
    switch operations[slot].state {
    case .created, .doomed: break
    case .free, .waiting, .ready, .held, .executing, .forgotten, .settled: return
    }
    if order.isWorthRenumbering { renumber() }
    operations[slot].position = order.place(slot)
    unsettledCount += 1
    let doom = operations[slot].state
    operations[slot].state = .waiting
    if operations[slot].isCancelled {
      settle(slot, as: .cancelled, because: .request, at: now)
    } else if case .doomed(let root) = doom {
      settle(slot, as: .skipped, because: .dependency, root: root, at: now)
    } else if operations[slot].unmet == 0 {
      makeReady(slot, at: now)
    }
    settleAftermath(at: now)
  }

  /// Forgets an operation that has settled, or that never entered the queue; its slot is used
  /// again.
  ///
  /// For those that wait for one that never entered the queue it ends as cancelled: nobody can add
  /// it any more.
  package mutating func release(_ id: OperationID, at now: Instant) {
    guard let slot = operations.slot(of: id), !operations[slot].isInQueue else { return }
    noteDependents(of: slot, ending: .cancelled, root: id)
    if operations[slot].unmet > 0 {
      operations[slot].state = .forgotten
    } else {
      operations.release(slot)
    }
    settleAftermath(at: now)
  }

  /// Puts an operation into the ready queue, unless nobody can ever execute it.
  mutating func makeReady(_ slot: Int, at now: Instant) {
    let kind = Int(operations[slot].kind.rawValue)
    operations[slot].queuedAt = now
    switch lanes[kind].service {
    case .possible:
      operations[slot].state = .ready
      lanes[kind].ready.insert(operations[slot].key)
      readyCount += 1
    case .unserved:
      settle(slot, as: .failed, because: .unservedKind, at: now)
    case .broken:
      settle(slot, as: .failed, because: .noWorker, at: now)
    }
  }

  /// Takes an operation out of the ready queue; O(1).
  mutating func removeReady(_ slot: Int) {
    lanes[Int(operations[slot].kind.rawValue)].ready.remove(operations[slot].key)
    readyCount -= 1
  }

  /// Closes the gaps that settled operations left in the order of submission.
  private mutating func renumber() {
    for kind in lanes.indices { lanes[kind].ready.removeAll() }
    order.renumber { slot, position in
      operations[slot].position = position
      guard operations[slot].state == .ready else { return }
      lanes[Int(operations[slot].kind.rawValue)].ready.insert(operations[slot].key)
    }
  }
}
